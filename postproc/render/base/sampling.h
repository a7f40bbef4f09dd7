/* SPDX-License-Identifier: Apache-2.0 */
/* Says what a trace leaves out, as every output says it. */
#ifndef CT_POSTPROC_RENDER_BASE_SAMPLING_H
#define CT_POSTPROC_RENDER_BASE_SAMPLING_H

#include "postproc/facts/sampling.h"
#include "postproc/tables/layout.h"
#include <stdio.h>

void ct_sampling_write(FILE *out, const struct ct_sampling *sampling, const struct ct_style *style);

#endif
