/* SPDX-License-Identifier: Apache-2.0 */
/* Which branches are worth a word: those whose idle lanes cost a share of the issue slots of their
 * kernel that matters (docs/access.md). */
#ifndef CT_POSTPROC_ANALYSIS_BRANCHES_ADVICE_H
#define CT_POSTPROC_ANALYSIS_BRANCHES_ADVICE_H

#include "postproc/analysis/branches/analysis.h"

#define CT_BRANCHES_ADVICE_BYTES 384u
#define CT_BRANCHES_ADVICES 50u

struct ct_branches_advice {
	const struct ct_branches_line *line;
	double share; /* of the kernel's issue slots, 0 to 1 */
	double slots; /* issue slots, at most, of doing so */
	char text[CT_BRANCHES_ADVICE_BYTES], evidence[CT_BRANCHES_ADVICE_BYTES];
	const char *fix;
};

/* The most costly ones first. Returns how many. The results outlive them. */
size_t ct_branches_advise(struct ct_branches_advice advice[CT_BRANCHES_ADVICES],
			  const struct ct_branches_results *results);

#endif
