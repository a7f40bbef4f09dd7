/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of program counters: for a terminal, and as JSON. Both return 0 or a negative error. */
#ifndef CT_RENDER_SAMPLES_H
#define CT_RENDER_SAMPLES_H

#include "postproc/analysis/samples/samples.h"
#include "postproc/tables/layout.h"
#include <stdio.h>

/* Kernels, and the lines of all of them: at most so many rows of each. */
int ct_samples_write(FILE *out, const struct ct_samples_study *study, const struct ct_style *style,
		     size_t rows);

/* cudatrace-samples-1 (docs/json-schema.md). name: of the trace. */
int ct_samples_write_json(FILE *out, const struct ct_samples_study *study, const char *name);

#endif
