/* SPDX-License-Identifier: Apache-2.0 */
/* When CTAs ran: for a terminal, and as JSON. Both return 0 or a negative error. */
#ifndef CT_RENDER_CTAS_H
#define CT_RENDER_CTAS_H

#include "postproc/analysis/ctas/ctas.h"
#include "postproc/tables/layout.h"
#include <stdio.h>

/* Kernels, launches (at most so many rows of each), and how many CTAs the launch of the most time
 * had resident, from its begin to its end. */
int ct_ctas_write(FILE *out, const struct ct_ctas *ctas, const struct ct_style *style, size_t rows);

/* cudatrace-ctas-1 (docs/json-schema.md). name: of the trace. */
int ct_ctas_write_json(FILE *out, const struct ct_ctas *ctas, const char *name);

#define CT_CTAS_COURSE 60u /* parts that a launch's time is shown in */

/* The launches of the most time first; freed by the caller. NULL: memory is short. */
const struct ct_ctas_launch **ct_ctas_by_time(const struct ct_ctas *ctas);

#endif
