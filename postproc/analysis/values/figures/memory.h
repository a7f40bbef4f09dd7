/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory over time, and what it would be if objects lived from their first to their last
 * use. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FIGURES_MEMORY_H
#define CT_POSTPROC_ANALYSIS_VALUES_FIGURES_MEMORY_H

#include "postproc/analysis/values/base/figures.h"

/* From the lifetimes of the figures; steps: supersteps. Objects that may be used unseen live as
 * they do. Of all devices of a process together; supersteps of processes follow one another, so
 * peaks are those of the process that has the most. 0 or -ENOMEM */
int ct_values_memory_replay(struct ct_values_figures *figures, size_t steps);

/* Behind it: bytes of the peak that are not there if this object does not have the pattern, of
 * those that it has. */
uint64_t ct_values_memory_saved(const struct ct_values_figures *figures,
				const struct ct_values_lifetime *life, enum ct_values_life_id id);

#endif
