/* SPDX-License-Identifier: Apache-2.0 */
/* What to do about accesses: advice as ctpost access lists it, and findings as all show it. */
#ifndef CT_ACCESS_FINDINGS_H
#define CT_ACCESS_FINDINGS_H

#include "postproc/analysis/access/words.h"
#include "postproc/facts/finding.h"
#include "postproc/facts/section.h"

#define CT_ACCESS_ADVICE_BYTES 384u

/* One piece of advice about a row. The fix is in the imperative. */
struct ct_access_advice {
	const char *name; /* "strided accesses" */
	const struct ct_access_row *row;
	double saved_seconds; /* at most; 0: not known */
	double saved_sectors; /* at most; of those about atomics and lanes 0 */
	struct ct_amount figure, worth;
	char text[CT_ACCESS_ADVICE_BYTES], evidence[CT_ACCESS_ADVICE_BYTES];
	const char *fix;
};

struct ct_access_advices {
	struct ct_access_advice *list; /* about sectors, atomics, lanes; of each the most first */
	size_t count;
};

/* 0 or -ENOMEM; ct_access_advices_fini frees in either case. Totals outlive them. */
int ct_access_advices_init(struct ct_access_advices *advices,
			   const struct ct_access_results *results);
void ct_access_advices_fini(struct ct_access_advices *advices);

/* section.c */
#define CT_ACCESS_SECTION "accesses"
/* 0 or -ENOMEM */
int ct_access_show(struct ct_sections *sections, const struct ct_access_results *results);

/* Rows in the order in which they are listed: the most sectors beyond the ideal first, then the
 * most sectors, and those elsewhere by their requests. The caller frees it; NULL: no memory. */
const struct ct_access_row **ct_access_rows_by_excess(const struct ct_access_results *results);

#endif
