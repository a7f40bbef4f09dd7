/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of warps, held against the stores behind them. */
#include "postproc/analysis/races/updates.h"

#include "base/array.h"
#include "base/map.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LOADS 4u       /* of a warp that are remembered */
#define WARPS 0x10000u /* of a launch; of more the first ones are forgotten */

struct load {
	uint32_t lanes, site;
	uint32_t hash[CT_WARP_LANES]; /* of the address */
};

struct warp {
	struct load load[LOADS];
	uint32_t next;
};

struct ct_races_recent {
	const struct ct_launch_info *launch;
	struct ct_map number; /* warp, CTA: from 1 */
	struct warp *warp;
	size_t warps, room;
};

int ct_races_updates_init(struct ct_races_updates *updates, uint32_t sites)
{
	updates->of = calloc(sites + 1u, sizeof(*updates->of));
	return updates->of ? 0 : -ENOMEM;
}

void ct_races_updates_fini(struct ct_races_updates *updates)
{
	free(updates->of);
	updates->of = NULL;
}

int ct_races_recent_open(struct ct_races_recent **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : -ENOMEM;
}

void ct_races_recent_close(struct ct_races_recent *recent)
{
	if (!recent)
		return;
	ct_map_fini(&recent->number);
	free(recent->warp);
	free(recent);
}

static void forget(struct ct_races_recent *recent)
{
	ct_map_fini(&recent->number);
	recent->number = (struct ct_map){.entry = NULL};
	recent->warps = 0;
}

/* NULL: memory is short. */
static struct warp *warp_of(struct ct_races_recent *recent, const struct ct_access *access)
{
	union ct_map_value *number;

	if (recent->launch != access->launch || recent->warps == WARPS)
		forget(recent);
	recent->launch = access->launch;
	number = ct_map_put(&recent->number, access->warp, access->cta);
	if (!number)
		return NULL;
	if (!number->number) {
		if (ct_array_reserve(&recent->warp, &recent->room, recent->warps + 1,
				     sizeof(*recent->warp)) < 0)
			return NULL;
		memset(&recent->warp[recent->warps], 0, sizeof(*recent->warp));
		number->number = ++recent->warps;
	}
	return &recent->warp[number->number - 1];
}

static uint32_t hash_of(uint64_t address)
{
	return (uint32_t)ct_map_hash(address, 0);
}

static bool has_loaded(const struct load *load, const struct ct_access *access, uint32_t lanes)
{
	if (lanes & ~load->lanes)
		return false;
	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		if (load->hash[lane] != hash_of(access->address[lane]))
			return false;
	}
	return true;
}

static void take_store(struct ct_races_updates *updates, const struct warp *warp,
		       const struct ct_access *access, uint32_t lanes, uint32_t site)
{
	struct ct_races_update *of = &updates->of[site];

	atomic_fetch_add_explicit(&of->stores, 1, memory_order_relaxed);
	for (uint32_t i = 0; i < LOADS; i++) {
		if (!has_loaded(&warp->load[i], access, lanes))
			continue;
		atomic_fetch_add_explicit(&of->updates, 1, memory_order_relaxed);
		atomic_store_explicit(&of->load, warp->load[i].site, memory_order_relaxed);
		return;
	}
}

int ct_races_recent_take(struct ct_races_recent *recent, struct ct_races_updates *updates,
			 const struct ct_access *access, uint32_t lanes, uint32_t site,
			 bool is_store)
{
	struct warp *warp = access->range ? NULL : warp_of(recent, access);
	struct load *load;

	if (!warp)
		return access->range ? 0 : -ENOMEM;
	if (is_store) {
		take_store(updates, warp, access, lanes, site);
		return 0;
	}
	load = &warp->load[warp->next++ % LOADS];
	load->lanes = lanes;
	load->site = site;
	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		load->hash[lane] = hash_of(access->address[lane]);
	}
	return 0;
}

bool ct_races_is_update(const struct ct_races_updates *updates, uint32_t site)
{
	const struct ct_races_update *of = &updates->of[site];
	unsigned long long stores = atomic_load(&of->stores);

	return stores && 2 * atomic_load(&of->updates) >= stores;
}
