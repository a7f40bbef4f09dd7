/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From when to when objects live and are used (DrGPUM's patterns; docs/values.md): by allocations
 * and frees, by the launches that access them, by copies and memsets. Supersteps stand in the order
 * of the program's calls.
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FIGURES_LIFETIMES_H
#define CT_POSTPROC_ANALYSIS_VALUES_FIGURES_LIFETIMES_H

#include "postproc/analysis/values/figures/usage.h"
#include "postproc/analysis/values/pages/contents.h"

/* Uses are added in any order, and then the lifetimes made of them. The caller frees use. */
struct ct_value_lives {
	struct ct_value_use {
		uint32_t object, step;
		bool reads, writes;
		uint64_t first, end; /* addresses that a transfer writes; 0: not known */
	} * use;
	size_t count;
};

/* A fact USE. 0 or -ENOMEM */
int ct_value_lives_add(struct ct_value_lives *lives, uint32_t object, uint32_t step, uint64_t loads,
		       uint64_t stores);
/* Fills lifetimes and memory of the figures, which have transfers. Likewise */
int ct_value_lives_finish(struct ct_value_lives *lives, struct ct_value_usage *usage,
			  const struct ct_value_contents *contents,
			  struct ct_values_figures *figures, const struct ct_value_engine *engine);

#endif
