/* SPDX-License-Identifier: Apache-2.0 */
/* The output of ctpost diff. */
#ifndef CT_POSTPROC_RENDER_DIFF_DIFF_H
#define CT_POSTPROC_RENDER_DIFF_DIFF_H

#include "postproc/analysis/diff/pairs.h"
#include "postproc/render/base/number.h"
#include "postproc/tables/layout.h"
#include "postproc/tables/table.h"
#include <stdio.h>

struct ct_diff_counts {
	uint64_t equal, different, not_traced;
	uint64_t accesses[2];
	uint64_t unknown[2];
};

struct ct_diff {
	const struct ct_trace *trace[2];
	const struct ct_pairs *pairs;
	int with_steps; /* values or events are compared, too */
};

/* The part of a value that a step has, as hexadecimal or, if it is the whole, as a number. */
const char *ct_diff_value(const struct ct_match_step *step, char buffer[CT_VALUE_TEXT_BYTES]);

struct ct_diff_counts ct_diff_count(const struct ct_pairs *pairs);

enum ct_diff_verdict { CT_DIFF_EQUAL, CT_DIFF_DIFFERENT, CT_DIFF_NOTHING /* was compared */ };
enum ct_diff_verdict ct_diff_verdict(const struct ct_pairs *pairs);
const char *ct_diff_verdict_text(enum ct_diff_verdict verdict);

void ct_diff_write_text(FILE *out, const struct ct_diff *diff, const struct ct_style *style);

/* The rows of these are made from struct ct_diff. */
extern const struct ct_table_def ct_diff_totals_table, ct_diff_launches_table;

#endif
