/* SPDX-License-Identifier: Apache-2.0 */
/* Advises on accesses, before it is findings. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_ADVICE_H
#define CT_POSTPROC_ANALYSIS_ACCESS_ADVICE_H

#include "postproc/analysis/access/words.h"
#include "postproc/facts/finding.h"

#define CT_ACCESS_ADVICE_BYTES 384u

/* One piece of advice about a row. The fix is in the imperative. */

struct ct_access_advice {
	enum ct_finding_id id;
	const struct ct_access_row *row;
	double saved_seconds; /* at most; 0: not known */
	double kernel_share;  /* of the kernel's time, at most */
	enum ct_change change;
	double saved_sectors; /* at most; of those about atomics and lanes 0 */
	struct ct_amount figure, worth;
	char text[CT_ACCESS_ADVICE_BYTES], evidence[CT_ACCESS_ADVICE_BYTES];
	const char *fix;
	bool is_worthwhile; /* a finding (facts/worthwhile.h); else one of the table alone */
};

struct ct_access_advices {
	struct ct_access_advice *list; /* about sectors, atomics, lanes; of each the most first */
	size_t count;
};

/* 0 or -ENOMEM; ct_access_advices_fini frees in either case. Totals outlive them. */
int ct_access_advices_init(struct ct_access_advices *advices,
			   const struct ct_access_results *results);
void ct_access_advices_fini(struct ct_access_advices *advices);

#endif
