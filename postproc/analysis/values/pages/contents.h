/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What objects hold at each superstep, as far as it is known: objects that hold the same
 * (ValueExpert's duplicates).
 *
 *	run of a page -> what it changes of the sum of h(offset, word) -> by object and superstep
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_PAGES_CONTENTS_H
#define CT_POSTPROC_ANALYSIS_VALUES_PAGES_CONTENTS_H

#include "postproc/analysis/values/base/engine.h"

struct ct_value_contents {
	const struct ct_sum *fact; /* as they come sorted */
	size_t facts;
};

void ct_value_contents_add(struct ct_value_contents *contents, const struct ct_sum *sum);
struct ct_value_compare {
	/* Whether the object is one that counts, and nothing writes it behind the superstep. */
	bool (*stays)(void *user, uint32_t object, uint32_t step);
	/* Reports two that hold the same, as large and in the same part; twin came later. */
	void (*found)(void *user, uint32_t object, uint32_t twin);
	void *user;
};

/* 0 or -ENOMEM */
int ct_value_contents_compare(const struct ct_value_contents *contents,
			      const struct ct_value_engine *engine,
			      const struct ct_value_compare *compare);

#endif
