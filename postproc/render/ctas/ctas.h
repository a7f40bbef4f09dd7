/* SPDX-License-Identifier: Apache-2.0 */
/* When CTAs ran, as a chart. */
#ifndef CT_POSTPROC_RENDER_CTAS_CTAS_H
#define CT_POSTPROC_RENDER_CTAS_CTAS_H

#include "postproc/analysis/ctas/ctas.h"
#include "postproc/tables/layout.h"
#include <stdio.h>

/* How many CTAs the launch had resident, from its begin to its end; and whose times these are. */
void ct_ctas_write_course(FILE *out, const struct ct_ctas *ctas,
			  const struct ct_ctas_launch *launch, const struct ct_style *style);

#endif
