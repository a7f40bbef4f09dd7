/* SPDX-License-Identifier: Apache-2.0 */
/* Problems for editors and code hosts. */
#ifndef CT_POSTPROC_FORMATS_DIAGNOSTICS_DIAGNOSTICS_H
#define CT_POSTPROC_FORMATS_DIAGNOSTICS_DIAGNOSTICS_H

#include "postproc/problems/verdict.h"

#include <stdio.h>

struct ct_problem_export {
	const struct ct_verdict *verdict;
	const struct ct_findings *findings; /* what limits the figures is among them */
	const struct ct_inquiry *inquiry;
	bool has_small;
	const char *root;    /* absolute: paths below it are reported from there on */
	const char *version; /* of the tool */
};

/* "heat.cu:45:9: warning: … [-Wct-strided-accesses]", a line for each problem and id, and notes of
 * other places. 0 or a negative error of the file. */
int ct_problems_write_gcc(FILE *out, const struct ct_problem_export *problems);
/* SARIF 2.1.0. Likewise */
int ct_problems_write_sarif(FILE *out, const struct ct_problem_export *problems);

/* Where a problem is shown: its line or, of one of a kernel as a whole, where the kernel is
 * declared. path "": nowhere. */
struct ct_shown_place {
	char path[1024]; /* from the root on, or absolute */
	bool is_relative;
	uint32_t line, column; /* 0: not known */
};
void ct_shown_place_of(struct ct_shown_place *place, const struct ct_problem_export *problems,
		       const struct ct_identity *identity);
/* Other places of a finding, in words: other lines, objects, launches. false: there is no such
 * one. */
bool ct_shown_place_other(struct ct_shown_place *place, const struct ct_problem_export *problems,
			  const struct ct_finding *finding, size_t number, char words[512]);

#endif
