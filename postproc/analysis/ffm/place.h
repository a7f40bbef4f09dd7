/* SPDX-License-Identifier: Apache-2.0 */
/* Where code stands, in words. */
#ifndef CT_POSTPROC_ANALYSIS_FFM_PLACE_H
#define CT_POSTPROC_ANALYSIS_FFM_PLACE_H

#include "postproc/analysis/ffm/study.h"

#define CT_FFM_PLACE_BYTES 512

/* "als.cpp:738"; without a line the file of its code, "libcufft.so.11"; "" not known. Returns
 * buffer. */
const char *ct_ffm_place(const struct ct_code_frame *frame, char buffer[CT_FFM_PLACE_BYTES]);

/* The last part of a path. */
const char *ct_ffm_file_name(const char *path);

#endif
