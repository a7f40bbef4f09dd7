/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores that update what they store to: the warp has loaded from the very addresses just before,
 * lane by lane, as in h[i]++ and if (x < m[i]) m[i] = x. Counted by site of all units.
 */
#ifndef CT_POSTPROC_ANALYSIS_RACES_UPDATES_H
#define CT_POSTPROC_ANALYSIS_RACES_UPDATES_H

#include "postproc/scan/analysis.h"

#include <stdatomic.h>
#include <stdbool.h>

struct ct_races_updates {
	struct ct_races_update {
		atomic_ullong stores, updates;
		atomic_uint load; /* the site that has loaded, of one of them */
	} * of;                   /* by site */
};

/* Keeps what warps have loaded last: of one thread. */
struct ct_races_recent;

/* 0 or -ENOMEM; ct_races_updates_fini in either case. */
int ct_races_updates_init(struct ct_races_updates *updates, uint32_t sites);
void ct_races_updates_fini(struct ct_races_updates *updates);

int ct_races_recent_open(struct ct_races_recent **out); /* 0 or -ENOMEM */
void ct_races_recent_close(struct ct_races_recent *recent);
/* An access of some lanes, of the site of that number; those of a warp come in its order. Likewise
 */
int ct_races_recent_take(struct ct_races_recent *recent, struct ct_races_updates *updates,
			 const struct ct_access *access, uint32_t lanes, uint32_t site,
			 bool is_store);

/* Most of the site's stores are updates. */
bool ct_races_is_update(const struct ct_races_updates *updates, uint32_t site);

#endif
