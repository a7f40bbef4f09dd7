/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of one block that are read and not stored, CTA by CTA. */
#include "postproc/analysis/races/unset.h"
#include "postproc/analysis/races/launches.h"
#include "postproc/facts/operation.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>

void ct_races_unset_fini(struct ct_races_unset_list *list)
{
	ct_map_fini(&list->number);
	free(list->found);
}

static bool is_before(const struct ct_races_unset_found *a, const struct ct_races_unset_found *b)
{
	if (a->first.cta != b->first.cta)
		return a->first.cta < b->first.cta;
	if (a->first.warp != b->first.warp)
		return a->first.warp < b->first.warp;
	return a->address < b->address;
}

static int add(struct ct_races_unset_list *list, const struct ct_races_unset_found *found)
{
	union ct_map_value *number = ct_map_put(&list->number, found->launch, found->first.site);
	struct ct_races_unset_found *known;
	uint64_t sum;

	if (!number)
		return -ENOMEM;
	if (!number->number) {
		if (ct_array_grow(&list->found, list->count, sizeof(*list->found)) < 0)
			return -ENOMEM;
		list->found[list->count] = *found;
		number->number = ++list->count;
		return 0;
	}
	known = &list->found[number->number - 1];
	sum = known->count + found->count;
	if (is_before(found, known))
		*known = *found;
	known->count = sum;
	return 0;
}

int ct_races_unset_join(struct ct_races_unset_list *list, const struct ct_races_unset_list *from)
{
	int err = 0;

	for (size_t i = 0; i < from->count && err == 0; i++)
		err = add(list, &from->found[i]);
	return err;
}

/* Bytes of CTAs that are stored: by anything, and by what does not add to what is there. */
struct stored {
	uint64_t all, plain;
};

/* Whether the access uses what it finds: a swap or a copy may find anything. */
static bool is_use(const struct ct_races_entry *entry, uint32_t operation)
{
	return entry->what & CT_RACES_ADDS || operation == CT_OP_LOAD ||
	       operation == CT_OP_MATRIX_LOAD;
}

static int look(struct ct_races_unset_list *list, const struct ct_races_entry *entry,
		const struct stored *stored, const struct ct_races_sites *sites)
{
	struct ct_races_access access = ct_races_access_of(sites, entry);
	const struct ct_unit_site *site = &access.unit->sites[access.site];
	uint64_t missing =
	    entry->bytes & ~(entry->what & CT_RACES_ADDS ? stored->plain : stored->all);
	struct ct_races_unset_found found = {.launch = (uint32_t)(entry->key[1] >> 32),
					     .first = *entry};

	if (!missing || !is_use(entry, site->operation) || !site->bytes ||
	    CT_RACES_BLOCK_BYTES % site->bytes)
		return 0;
	for (uint32_t at = CT_RACES_BLOCK_BYTES; at; at -= site->bytes) {
		uint64_t own = UINT64_MAX >> (64 - site->bytes) << (at - site->bytes);

		if ((missing & own) != own)
			continue;
		found.address = entry->key[0] * CT_RACES_BLOCK_BYTES + at - site->bytes;
		found.count++;
	}
	return found.count ? add(list, &found) : 0;
}

static bool is_same_epoch(const struct ct_races_entry *a, const struct ct_races_entry *b)
{
	return a->cta == b->cta && a->epoch == b->epoch;
}

int ct_races_unset_look(struct ct_races_unset_list *list, const struct ct_races_entry *entry,
			size_t count, const struct ct_races_sites *sites)
{
	struct stored stored = {0};
	int err = 0;

	if (!count || CT_ADDRESS_SPACE(entry->key[0] * CT_RACES_BLOCK_BYTES) != CT_SPACE_SHARED)
		return 0;
	for (size_t i = 0, end; i < count && err == 0; i = end) {
		if (i && entry[i].cta != entry[i - 1].cta)
			stored = (struct stored){0};
		for (end = i; end < count && is_same_epoch(&entry[i], &entry[end]); end++) {
			uint64_t bytes = entry[end].what & CT_RACES_STORES ? entry[end].bytes : 0;

			stored.all |= bytes;
			stored.plain |= entry[end].what & CT_RACES_ADDS ? 0 : bytes;
		}
		for (; i < end && err == 0; i++)
			err = look(list, &entry[i], &stored, sites);
	}
	return err;
}

static int compare(const void *left, const void *right)
{
	const struct ct_races_unset *a = left, *b = right;

	if (a->launch != b->launch)
		return a->launch < b->launch ? -1 : 1;
	if (a->access.unit != b->access.unit)
		return a->access.unit < b->access.unit ? -1 : 1;
	return a->access.site < b->access.site ? -1 : a->access.site > b->access.site;
}

int ct_races_unset_results(const struct ct_races_unset_list *list, struct ct_races_results *results,
			   const struct ct_races_sites *sites, const struct ct_races_orders *orders)
{
	const uint32_t hidden = CT_RACES_UNKNOWN_WARPS | CT_RACES_UNSEEN_SHARED;

	results->unset = calloc(list->count + 1, sizeof(*results->unset));
	if (!results->unset)
		return -ENOMEM;
	for (size_t i = 0; i < list->count; i++) {
		const struct ct_races_unset_found *found = &list->found[i];

		if (atomic_load(&orders->unknown[found->launch]) & hidden)
			continue;
		results->unset[results->unsets++] = (struct ct_races_unset){
		    .launch = &orders->first_launch[found->launch],
		    .access = ct_races_access_of(sites, &found->first),
		    .address = found->address,
		    .count = found->count,
		};
	}
	if (results->unsets)
		qsort(results->unset, results->unsets, sizeof(*results->unset), compare);
	return 0;
}
