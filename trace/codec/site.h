/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of site descriptors (cudatrace/host.h). */
#ifndef CT_TRACE_CODEC_SITE_H
#define CT_TRACE_CODEC_SITE_H

#include <stddef.h>

/* A descriptor's field i (0 is "L" or "A"); copies into buffer, "" if there is none. */
const char *ct_site_field(const char *descriptor, unsigned i, char *buffer, size_t bytes);

#endif
