/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of global memory brought together: by kernel, by object, by class and width. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_SUMS_H
#define CT_POSTPROC_ANALYSIS_ACCESS_SUMS_H

#include "postproc/analysis/access/words.h"

enum ct_access_by { CT_ACCESS_BY_KERNEL, CT_ACCESS_BY_OBJECT, CT_ACCESS_BY_WIDTH };

struct ct_access_sum {
	uint32_t kernel, group; /* of what they are by */
	enum ct_class class;
	uint32_t bytes;
	struct ct_access_figures figures;
	uint64_t unique, unique_sectors;        /* by kernel and object: of each launch, summed */
	const struct ct_access_launch *largest; /* by kernel: of its launches; NULL: none */
};

struct ct_access_sums {
	struct ct_access_sum *list; /* the most sectors first */
	size_t count;
};

/* 0 or -ENOMEM; ct_access_sums_fini frees in either case. */
int ct_access_sums_init(struct ct_access_sums *sums, const struct ct_access_results *results,
			enum ct_access_by by);
void ct_access_sums_fini(struct ct_access_sums *sums);

#endif
