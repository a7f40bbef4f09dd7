/* SPDX-License-Identifier: Apache-2.0 */
/* All analyses of a study. */
#include "postproc/analysis/finder.h"

const struct ct_finder *const ct_finders[CT_ANALYSES] = {
#define CT_ANALYSIS(name) &ct_##name##_finder,
#include "postproc/analyses.def"
};

const void *ct_finder_rows_from(const struct ct_finder *finder, const struct ct_finder_table *table,
				const void *job, const struct ct_inquiry *inquiry)
{
	if (table->from)
		return table->from(job, inquiry);
	return *(const void *const *)((const char *)inquiry + finder->shared);
}
