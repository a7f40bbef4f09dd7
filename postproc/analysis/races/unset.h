/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads of shared memory that no thread of the CTA has stored: neither with fewer barriers of the
 * CTA before it than the read has, nor with as many, whatever their order. A read counts if none
 * of its bytes is stored, so that padding of structures is left out; of what atomics alone have
 * added to, atomics are such reads, and loads are none.
 */
#ifndef CT_POSTPROC_ANALYSIS_RACES_UNSET_H
#define CT_POSTPROC_ANALYSIS_RACES_UNSET_H

#include "postproc/analysis/races/list.h"

struct ct_races_unset_found {
	uint32_t launch;
	struct ct_races_entry first;
	uint64_t address, count;
};

/* Zero-initialise. */
struct ct_races_unset_list {
	struct ct_races_unset_found *found;
	size_t count;
	struct ct_map number; /* from 1; key: launch, site */
};

/* entry: of one block and launch, sorted (block.h). 0 or -ENOMEM */
int ct_races_unset_look(struct ct_races_unset_list *list, const struct ct_races_entry *entry,
			size_t count, const struct ct_races_sites *sites);
int ct_races_unset_join(struct ct_races_unset_list *list, const struct ct_races_unset_list *from);
void ct_races_unset_fini(struct ct_races_unset_list *list);

/* Those of launches whose stores and barriers are all known. 0 or -ENOMEM */
int ct_races_unset_results(const struct ct_races_unset_list *list, struct ct_races_results *results,
			   const struct ct_races_sites *sites,
			   const struct ct_races_orders *orders);

#endif
