/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Problems of a study by function (seed 000, 5.2 and Figure 5.3): a fold for each function of the
 * API, which opens to folded functions: problems whose stacks are the same by base names of
 * functions (folded_name.h), as of the instances of a template.
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_FOLDS_H
#define CT_POSTPROC_ANALYSIS_FFM_FOLDS_H

#include "postproc/analysis/ffm/study.h"

struct ct_ffm_fold {
	const char *call;
	char *function; /* folded, of the frame that made the call; "" unknown, or of the
			   fold of a function of the API; owned */
	uint64_t count, occurrences; /* calls that are problems, calls in all; counts are sums */
	uint64_t call_ns, wait_ns;   /* as of an entry */
	uint64_t expected_ns;
	int64_t replayed_ns; /* if is_replayed */
	bool is_replayed;
	uint32_t *entry; /* numbers of the study's entries; owned */
	size_t entries;
};

struct ct_ffm_folds {
	struct ct_ffm_fold *call; /* by function of the API, the largest benefit first */
	size_t calls;
	struct ct_ffm_fold *function; /* folded functions, likewise */
	size_t functions;
};

/* Problems of steps alone are folded. 0 or -ENOMEM;
 * fini is allowed in either case. */
int ct_ffm_folds_init(struct ct_ffm_folds *folds, const struct ct_ffm_study *study);
void ct_ffm_folds_fini(struct ct_ffm_folds *folds);

#endif
