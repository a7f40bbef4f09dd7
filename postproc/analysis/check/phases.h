/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds races of lanes of one warp in shared memory: one stores what another one loads, and neither
 * a __syncwarp nor a barrier of the block is between. Since sm_70 lanes of a warp run by
 * themselves. Stores of several lanes to one place are left out, and so are kernels whose lanes
 * exchange values by other means (shuffles, votes), after which they are together in practice.
 */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_PHASES_H
#define CT_POSTPROC_ANALYSIS_CHECK_PHASES_H

#include "postproc/analysis/check/causes.h"

struct ct_check_phases;

/* All that is given outlives it. 0 or -ENOMEM */
int ct_check_phases_open(struct ct_check_phases **out, const struct ct_trace *trace,
			 struct ct_check_causes *causes);
void ct_check_phases_close(struct ct_check_phases *phases); /* NULL is allowed */

/* Accesses and events in the order of the trace, all of them. 0 or -ENOMEM */
int ct_check_phases_add(struct ct_check_phases *phases, const struct ct_access *access);
int ct_check_phases_add_event(struct ct_check_phases *phases, const struct ct_event *event);

#endif
