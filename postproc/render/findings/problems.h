/* SPDX-License-Identifier: Apache-2.0 */
/* Problems for a terminal. */
#ifndef CT_POSTPROC_RENDER_FINDINGS_PROBLEMS_H
#define CT_POSTPROC_RENDER_FINDINGS_PROBLEMS_H

#include "postproc/problems/verdict.h"
#include "postproc/sources/store.h"
#include "postproc/tables/amount.h"
#include "postproc/tables/layout.h"
#include <stdio.h>

/* The list, the most expensive first. is_all: those that are small, too. */
void ct_problems_write(FILE *out, const struct ct_problems *problems, bool is_all,
		       const struct ct_style *style);

struct ct_problem_list {
	const struct ct_findings *findings;
	const struct ct_verdict *verdict;          /* of these; its problems are listed */
	bool has_small, has_facts, has_suppressed; /* these are listed, too */
};

/* The same, then what is wrong with the trace and what limits its figures; facts, or how many there
 * are. */
void ct_problem_list_write(FILE *out, const struct ct_problem_list *list,
			   const struct ct_style *style);

/* "heat.cu:45, row_means: about 3 ms, 2.7 % (at most 7.4 ms)", bold, with a line's end. */
void ct_problem_write_head(FILE *out, const struct ct_problems *problems, size_t number,
			   const struct ct_style *style);

/* All that is known of one: evidence, places, lines of the source where they are known, what to do,
 * how its worth is known, how to verify it. */
void ct_problem_explain(FILE *out, const struct ct_problems *problems, size_t number,
			struct ct_source_store *sources, const struct ct_style *style);

#endif
