/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a trace must hold, from a file (docs/ctpost.md): per kernel, or one launch of
 * it, the figures of tally.h.
 */
#ifndef CT_POSTPROC_ANALYSIS_VERIFY_EXPECTATION_H
#define CT_POSTPROC_ANALYSIS_VERIFY_EXPECTATION_H

#include "postproc/analysis/verify/findings.h"
#include <stdio.h>

struct ct_expected_kernel {
	char *kernel;      /* name as `ctpost info` shows it */
	uint64_t launch;   /* only of this one; 0: all that no other line names */
	uint64_t launches; /* traced ones that must be there; 0: any number */
	uint8_t by;        /* enum ct_tally_by of the order */
	uint64_t order;
	struct ct_tally_line *lines;
	size_t line_count;
};

struct ct_expectation {
	struct ct_expected_kernel *list;
	size_t count;
};

struct ct_expectation_result {
	uint64_t compared;   /* launches */
	uint64_t unexpected; /* traced launches that no line is about */
	uint64_t accesses;   /* compared */
};

/* JSON lines. 0, or a negative error with *line the line that is wrong and why what is. */
int ct_expectation_read(struct ct_expectation *expectation, FILE *file, size_t *line, char *why,
			size_t why_bytes);
void ct_expectation_fini(struct ct_expectation *expectation);

/* Returns what is expected of a launch, or NULL. */
const struct ct_expected_kernel *ct_expectation_of(const struct ct_expectation *expectation,
						   const struct ct_launch_info *launch);

/* Compare; 0 or -ENOMEM. */
int ct_expectation_check(const struct ct_expectation *expectation, const struct ct_trace *trace,
			 const struct ct_tally *tally, struct ct_findings *findings,
			 struct ct_expectation_result *result);

#endif
