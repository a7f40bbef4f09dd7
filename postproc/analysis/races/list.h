/* SPDX-License-Identifier: Apache-2.0 */
/* Races that were found, by launch, kind and sites. */
#ifndef CT_POSTPROC_ANALYSIS_RACES_LIST_H
#define CT_POSTPROC_ANALYSIS_RACES_LIST_H

#include "postproc/analysis/races/block.h"
#include "postproc/analysis/races/updates.h"

#include "base/map.h"

struct ct_races_found {
	uint32_t launch;
	enum ct_races_between between;
	uint64_t bytes, differ, same, address;
	struct ct_races_entry store, other; /* of the least address, and then of the least CTAs and
					       warps */
};

/* Zero-initialise. */
struct ct_races_list {
	struct ct_races_found *found;
	size_t count;
	struct ct_map number; /* from 1; key: launch and kind, sites */
};

int ct_races_list_add(struct ct_races_list *list, uint32_t launch, enum ct_races_between between,
		      const struct ct_races_entry *store, const struct ct_races_entry *other,
		      const struct ct_races_bytes *bytes);
int ct_races_list_join(struct ct_races_list *list, const struct ct_races_list *from);
void ct_races_list_fini(struct ct_races_list *list);

struct ct_races_sites {
	const struct ct_unit *units;
	size_t count;
	const uint32_t *first_site; /* by unit, and behind the last one */
};

struct ct_races_orders {
	const struct ct_launch_info *first_launch;
	const atomic_uchar *unknown; /* by launch, launches.h */
};

/* The access of an entry. */
struct ct_races_access ct_races_access_of(const struct ct_races_sites *sites,
					  const struct ct_races_entry *entry);

/* Those of launches whose order is known when all blocks have been looked at. */
int ct_races_list_results(const struct ct_races_list *list, struct ct_races_results *results,
			  const struct ct_races_sites *sites,
			  const struct ct_races_updates *updates,
			  const struct ct_races_orders *orders, const struct ct_trace *trace);

#endif
