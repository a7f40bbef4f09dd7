/* SPDX-License-Identifier: Apache-2.0 */
/* Bits by warp and by CTA. */
#include "postproc/analysis/races/syncs.h"

#include <errno.h>

void ct_races_syncs_fini(struct ct_races_syncs *syncs)
{
	ct_map_fini(&syncs->warps);
	ct_map_fini(&syncs->ctas);
}

static int add(struct ct_map *map, uint64_t key0, uint64_t key1, uint64_t bits)
{
	union ct_map_value *value = ct_map_put(map, key0, key1);

	if (!value)
		return -ENOMEM;
	value->number |= bits;
	return 0;
}

int ct_races_syncs_add(struct ct_races_syncs *syncs, uint32_t launch, uint64_t cta, uint32_t warp,
		       uint32_t bits, bool reaches_ctas)
{
	int err = bits ? add(&syncs->warps, (uint64_t)launch << 32 | warp, cta, bits) : 0;

	return err == 0 && bits && reaches_ctas ? add(&syncs->ctas, launch, cta, bits) : err;
}

static int join(struct ct_map *map, const struct ct_map *from)
{
	const struct ct_map_entry *entry = NULL;
	int err = 0;

	while (err == 0 && (entry = ct_map_next(from, entry)))
		err = add(map, ct_map_key(entry, 0), ct_map_key(entry, 1), entry->value.number);
	return err;
}

int ct_races_syncs_join(struct ct_races_syncs *syncs, const struct ct_races_syncs *from)
{
	int err = join(&syncs->warps, &from->warps);

	return err == 0 ? join(&syncs->ctas, &from->ctas) : err;
}

static uint64_t find(const struct ct_races_syncs *syncs, uint32_t launch,
		     enum ct_races_between between, const struct ct_races_entry *entry)
{
	const union ct_map_value *value =
	    between == CT_RACES_CTAS
		? ct_map_find(&syncs->ctas, launch, entry->cta)
		: ct_map_find(&syncs->warps, (uint64_t)launch << 32 | entry->warp, entry->cta);

	return value ? value->number : 0;
}

bool ct_races_syncs_may_order(const struct ct_races_syncs *syncs, uint32_t launch,
			      enum ct_races_between between, const struct ct_races_entry *a,
			      const struct ct_races_entry *b)
{
	uint64_t first = find(syncs, launch, between, a), second = find(syncs, launch, between, b);

	return (first & CT_RACES_SENDS && second & CT_RACES_RECEIVES) ||
	       (second & CT_RACES_SENDS && first & CT_RACES_RECEIVES);
}
