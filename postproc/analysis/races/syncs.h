/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may order its accesses by strong ones or by barriers of some warps: what happens in one warp
 * comes before what happens in another one only if the first one sends something after it, and the
 * second one receives something before that. Kept of the whole launch, without when.
 */
#ifndef CT_POSTPROC_ANALYSIS_RACES_SYNCS_H
#define CT_POSTPROC_ANALYSIS_RACES_SYNCS_H

#include "postproc/analysis/races/block.h"

#include "base/map.h"

#define CT_RACES_SENDS 1u
#define CT_RACES_RECEIVES 2u

/* Zero-initialise. Those who do neither are not there. */
struct ct_races_syncs {
	struct ct_map warps; /* key: launch and warp, CTA */
	struct ct_map ctas;  /* key: launch, CTA: any of its warps */
};

void ct_races_syncs_fini(struct ct_races_syncs *syncs);

/* bits: what the warp does; reaches_ctas: other CTAs can see it. 0 or -ENOMEM */
int ct_races_syncs_add(struct ct_races_syncs *syncs, uint32_t launch, uint64_t cta, uint32_t warp,
		       uint32_t bits, bool reaches_ctas);
int ct_races_syncs_join(struct ct_races_syncs *syncs, const struct ct_races_syncs *from);

/* Whether what two entries of a launch do may be ordered by it. */
bool ct_races_syncs_may_order(const struct ct_races_syncs *syncs, uint32_t launch,
			      enum ct_races_between between, const struct ct_races_entry *a,
			      const struct ct_races_entry *b);

#endif
