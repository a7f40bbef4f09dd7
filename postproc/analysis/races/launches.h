/* SPDX-License-Identifier: Apache-2.0 */
/* Finds launches of which it is known what orders their accesses. */
#ifndef CT_POSTPROC_ANALYSIS_RACES_LAUNCHES_H
#define CT_POSTPROC_ANALYSIS_RACES_LAUNCHES_H

#include "postproc/analysis/races/analysis.h"

#define CT_RACES_UNKNOWN_CTAS 1u  /* nothing is claimed of accesses of different CTAs, */
#define CT_RACES_UNKNOWN_WARPS 2u /* of the same one */
#define CT_RACES_UNSEEN_SHARED 4u /* something that stores to shared memory is not recorded */
#define CT_RACES_UNKNOWN (CT_RACES_UNKNOWN_CTAS | CT_RACES_UNKNOWN_WARPS)

/* By launch of the trace: what the trace's tables say. 0 or -ENOMEM; the caller frees it. */
int ct_races_launches(atomic_uchar **unknown, const struct ct_trace *trace);

/* Whether nothing is claimed of these accesses of a launch. */
bool ct_races_are_unknown(const atomic_uchar *unknown, uint32_t launch,
			  enum ct_races_between between);

/* Returns which of these a launch has from the beginning. */
uint32_t ct_races_launch_hides(const struct ct_launch_info *launch);

/* Returns what an access does: CT_RACES_LOADS ... (block.h) */
uint16_t ct_races_access_does(const struct ct_access *access);
/* Returns which of these an event adds to its launch. */
uint32_t ct_races_event_hides(const struct ct_event *event);
/* Whether it is a barrier of some warps of the CTA. */
bool ct_races_is_partial(const struct ct_event *event);
/* Whether an event is a barrier of the whole CTA. */
bool ct_races_is_barrier(const struct ct_event *event);

#endif
