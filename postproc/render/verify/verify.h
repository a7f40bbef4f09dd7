/* SPDX-License-Identifier: Apache-2.0 */
/* The output of ctpost verify. */
#ifndef CT_POSTPROC_RENDER_VERIFY_VERIFY_H
#define CT_POSTPROC_RENDER_VERIFY_VERIFY_H

#include "postproc/analysis/verify/expectation.h"
#include "postproc/tables/layout.h"
#include "postproc/tables/table.h"
#include <stdio.h>

struct ct_verify_outcome {
	const struct ct_trace *trace;
	const struct ct_findings *findings;
	const struct ct_expectation_result *result; /* NULL: nothing was expected */
	const struct ct_tally *tally;
};

void ct_verify_write_text(FILE *out, const struct ct_verify_outcome *outcome,
			  const struct ct_style *style);

/* Its rows are made from struct ct_verify_outcome. */
extern const struct ct_table_def ct_verify_totals_table;

#endif
