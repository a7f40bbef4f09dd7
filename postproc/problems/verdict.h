/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a study's problems is expected, what a baseline knows, and what is left: a list without
 * those that are suppressed, and these apart, so that they can be counted.
 */
#ifndef CT_POSTPROC_PROBLEMS_VERDICT_H
#define CT_POSTPROC_PROBLEMS_VERDICT_H

#include "postproc/problems/suppression.h"

/* Who expects a problem. */
struct ct_suppressed {
	size_t identity;                 /* among those that are suppressed */
	const struct ct_suppression *by; /* NULL: the source */
	char reason[CT_EXPECTED_BYTES];  /* "" none */
};

struct ct_verdict {
	struct ct_problems problems; /* without those that are suppressed */
	struct ct_identities identities;
	struct ct_identities expected; /* suppressed; of all problems, before they were taken out */
	struct ct_suppressed *suppressed; /* of each of them */
	/* With a baseline. */
	bool has_baseline;
	struct ct_identity_match match, expected_match; /* of those left, of those suppressed */
	/* Lines about comments that name no id. */
	char **remarks;
	size_t remark_count;
};

struct ct_verdict_from {
	struct ct_findings *findings;       /* are marked, those that are suppressed */
	const struct ct_problems *problems; /* of all of these */
	const struct ct_inquiry *inquiry;
	const struct ct_line_texts
	    *texts; /* of identities, and of lines that may expect problems */
	const struct ct_suppressions *suppressions;
	const struct ct_identities *baseline; /* NULL: none */
};

/* 0 or a negative error; fini frees in either case. Findings and suppressions outlive it. */
int ct_verdict_init(struct ct_verdict *verdict, const struct ct_verdict_from *from);
void ct_verdict_fini(struct ct_verdict *verdict);

/* "source" or "file" */
const char *ct_suppressed_by(const struct ct_suppressed *suppressed);

bool ct_verdict_is_new(const struct ct_verdict *verdict, size_t identity);

#endif
