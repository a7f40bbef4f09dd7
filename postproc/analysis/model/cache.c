/* SPDX-License-Identifier: Apache-2.0 */
/* A set-associative cache of sectored lines. */
#include "postproc/analysis/model/cache.h"

#include "base/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR_BYTES 32u
#define WAYS 16u

int ct_cache_open(struct ct_cache *cache, uint64_t bytes)
{
	uint64_t sets = bytes / (CT_CACHE_LINE_SECTORS * SECTOR_BYTES * WAYS);

	*cache = (struct ct_cache){.sets = sets ? (uint32_t)sets : 1};
	cache->way = calloc((size_t)cache->sets * WAYS, sizeof(*cache->way));
	return cache->way ? 0 : -ENOMEM;
}

void ct_cache_close(struct ct_cache *cache)
{
	free(cache->way);
	cache->way = NULL;
}

void ct_cache_empty(struct ct_cache *cache)
{
	memset(cache->way, 0, (size_t)cache->sets * WAYS * sizeof(*cache->way));
	cache->now = 0;
}

struct ct_cache_way *ct_cache_touch(struct ct_cache *cache, uint64_t sector, bool allocates,
				    bool *hit)
{
	uint64_t line = sector / CT_CACHE_LINE_SECTORS + 1;
	uint32_t bit = 1u << sector % CT_CACHE_LINE_SECTORS;
	struct ct_cache_way *set = &cache->way[ct_map_hash(line, 0) % cache->sets * WAYS];
	struct ct_cache_way *oldest = set;

	cache->now++;
	*hit = false;
	for (uint32_t i = 0; i < WAYS; i++) {
		if (set[i].line == line) {
			*hit = set[i].sectors & bit;
			set[i].used = cache->now;
			if (allocates)
				set[i].sectors |= bit;
			return &set[i];
		}
		if (set[i].used < oldest->used)
			oldest = &set[i];
	}
	if (!allocates)
		return NULL;
	*oldest = (struct ct_cache_way){line, cache->now, bit, 0};
	return oldest;
}
