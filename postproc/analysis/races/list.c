/* SPDX-License-Identifier: Apache-2.0 */
/* Races by launch, kind and sites, whatever the order in which they are found. */
#include "postproc/analysis/races/list.h"
#include "postproc/analysis/races/launches.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>

/* Those of a pair of sites: NULL if memory is short. */
static struct ct_races_found *find(struct ct_races_list *list, const struct ct_races_found *like)
{
	union ct_map_value *number =
	    ct_map_put(&list->number, (uint64_t)like->launch << 1 | like->between,
		       (uint64_t)like->store.site << 32 | like->other.site);

	if (!number)
		return NULL;
	if (!number->number) {
		if (ct_array_grow(&list->found, list->count, sizeof(*list->found)) < 0)
			return NULL;
		list->found[list->count] = *like;
		list->found[list->count].bytes = 0;
		list->found[list->count].differ = list->found[list->count].same = 0;
		number->number = ++list->count;
	}
	return &list->found[number->number - 1];
}

static bool is_before(const struct ct_races_found *a, const struct ct_races_found *b)
{
	const uint64_t x[] = {a->address,    a->store.cta,   a->other.cta,  a->store.warp,
			      a->other.warp, a->store.epoch, a->other.epoch},
		       y[] = {b->address,    b->store.cta,   b->other.cta,  b->store.warp,
			      b->other.warp, b->store.epoch, b->other.epoch};

	for (unsigned i = 0; i < sizeof(x) / sizeof(*x); i++)
		if (x[i] != y[i])
			return x[i] < y[i];
	return false;
}

static int add(struct ct_races_list *list, const struct ct_races_found *found)
{
	struct ct_races_found *known = find(list, found), sum = *found;

	if (!known)
		return -ENOMEM;
	sum.bytes += known->bytes;
	sum.differ += known->differ;
	sum.same += known->same;
	if (is_before(found, known))
		*known = *found;
	known->bytes = sum.bytes;
	known->differ = sum.differ;
	known->same = sum.same;
	return 0;
}

int ct_races_list_add(struct ct_races_list *list, uint32_t launch, enum ct_races_between between,
		      const struct ct_races_entry *store, const struct ct_races_entry *other,
		      const struct ct_races_bytes *bytes)
{
	const struct ct_races_found found = {
	    .launch = launch,
	    .between = between,
	    .bytes = (uint64_t)__builtin_popcountll(bytes->all),
	    .differ = (uint64_t)__builtin_popcountll(bytes->differ),
	    .same = (uint64_t)__builtin_popcountll(bytes->same),
	    .address = store->key[0] * CT_RACES_BLOCK_BYTES + (uint64_t)__builtin_ctzll(bytes->all),
	    .store = *store,
	    .other = *other,
	};

	return add(list, &found);
}

int ct_races_list_join(struct ct_races_list *list, const struct ct_races_list *from)
{
	int err = 0;

	for (size_t i = 0; i < from->count && err == 0; i++)
		err = add(list, &from->found[i]);
	return err;
}

void ct_races_list_fini(struct ct_races_list *list)
{
	ct_map_fini(&list->number);
	free(list->found);
}

static int compare(const void *left, const void *right)
{
	const struct ct_race *a = left, *b = right;

	if (a->launch != b->launch)
		return a->launch < b->launch ? -1 : 1;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	if (a->between != b->between)
		return a->between < b->between ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->store.site != b->store.site)
		return a->store.site < b->store.site ? -1 : 1;
	return a->other.site < b->other.site ? -1 : a->other.site > b->other.site;
}

struct ct_races_access ct_races_access_of(const struct ct_races_sites *sites,
					  const struct ct_races_entry *entry)
{
	size_t unit = 0;

	while (entry->site >= sites->first_site[unit + 1])
		unit++;
	return (struct ct_races_access){&sites->units[unit], entry->site - sites->first_site[unit],
					entry->cta, entry->warp};
}

static enum ct_races_values values_of(const struct ct_races_found *found)
{
	if (found->same == found->bytes)
		return CT_RACES_VALUES_SAME;
	return found->differ ? CT_RACES_VALUES_DIFFER : CT_RACES_VALUES_UNKNOWN;
}

static bool is_update(const struct ct_races_updates *updates, const struct ct_races_found *found)
{
	if (!ct_races_is_update(updates, found->store.site))
		return false;
	return found->other.what == CT_RACES_STORES
		   ? ct_races_is_update(updates, found->other.site)
		   : found->other.site == atomic_load(&updates->of[found->store.site].load);
}

int ct_races_list_results(const struct ct_races_list *list, struct ct_races_results *results,
			  const struct ct_races_sites *sites,
			  const struct ct_races_updates *updates,
			  const struct ct_races_orders *orders, const struct ct_trace *trace)
{
	results->race = calloc(list->count + 1, sizeof(*results->race));
	if (!results->race)
		return -ENOMEM;
	for (size_t i = 0; i < list->count; i++) {
		const struct ct_races_found *found = &list->found[i];
		const struct ct_launch_info *launch = &orders->first_launch[found->launch];

		if (ct_races_are_unknown(orders->unknown, found->launch, found->between))
			continue;
		results->race[results->races++] = (struct ct_race){
		    .launch = launch,
		    .between = found->between,
		    .bytes = found->bytes,
		    .values = values_of(found),
		    .address = found->address,
		    .object = CT_ADDRESS_SPACE(found->address) == CT_SPACE_GLOBAL
				  ? ct_trace_object_at(trace, launch, found->address)
				  : NULL,
		    .store = ct_races_access_of(sites, &found->store),
		    .other = ct_races_access_of(sites, &found->other),
		    .is_update = is_update(updates, found),
		};
	}
	if (results->races)
		qsort(results->race, results->races, sizeof(*results->race), compare);
	return 0;
}
