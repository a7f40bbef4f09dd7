/* SPDX-License-Identifier: Apache-2.0 */
/* A set-associative cache of sectored lines. */
#include "postproc/analysis/model/cache.h"

#include "base/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR_BYTES 32u
#define WAYS CT_CACHE_WAYS

int ct_cache_open(struct ct_cache *cache, uint64_t bytes, bool has_time)
{
	uint64_t sets = bytes / (CT_CACHE_LINE_SECTORS * SECTOR_BYTES * WAYS);

	*cache = (struct ct_cache){.sets = sets ? (uint32_t)sets : 1};
	cache->set = calloc(cache->sets, sizeof(*cache->set));
	if (has_time)
		cache->ready = calloc((size_t)cache->sets * WAYS, sizeof(*cache->ready));
	return cache->set && (cache->ready || !has_time) ? 0 : -ENOMEM;
}

void ct_cache_close(struct ct_cache *cache)
{
	free(cache->set);
	free(cache->ready);
	cache->set = NULL;
	cache->ready = NULL;
}

void ct_cache_empty(struct ct_cache *cache)
{
	memset(cache->set, 0, (size_t)cache->sets * sizeof(*cache->set));
	cache->now = 0;
}

static uint32_t set_of(const struct ct_cache *cache, uint64_t sector)
{
	uint64_t hash = ct_map_hash(sector / CT_CACHE_LINE_SECTORS + 1, 0);

	return (uint32_t)((hash >> 32) * cache->sets >> 32);
}

void ct_cache_expect(const struct ct_cache *cache, uint64_t sector)
{
	const struct ct_cache_set *set = &cache->set[set_of(cache, sector)];

	__builtin_prefetch(set->line);
	__builtin_prefetch(set->line + CT_CACHE_WAYS / 2);
	__builtin_prefetch(set->used);
}

static uint32_t least_used(const struct ct_cache_set *set)
{
	uint64_t oldest = UINT64_MAX;

	for (uint32_t i = 0; i < WAYS; i++) {
		uint64_t place = (uint64_t)set->used[i] << 32 | i;

		oldest = place < oldest ? place : oldest;
	}
	return (uint32_t)oldest;
}

uint32_t ct_cache_touch(struct ct_cache *cache, uint64_t sector, bool allocates, bool *hit)
{
	uint64_t line = sector / CT_CACHE_LINE_SECTORS + 1;
	uint8_t bit = (uint8_t)(1u << sector % CT_CACHE_LINE_SECTORS);
	uint32_t number = set_of(cache, sector), same = 0, way;
	struct ct_cache_set *set = &cache->set[number];

	cache->now++;
	/* Without a branch: where it stands is as good as random. */
	for (uint32_t i = 0; i < WAYS; i++)
		same |= (uint32_t)(set->line[i] == line) << i;
	way = same ? (uint32_t)__builtin_ctz(same) : WAYS;
	*hit = way < WAYS && set->sectors[way] & bit;
	if (way == WAYS) {
		if (!allocates)
			return CT_CACHE_NONE;
		way = least_used(set);
		set->line[way] = line;
		set->sectors[way] = 0;
		if (cache->ready)
			cache->ready[(size_t)number * WAYS + way] = 0;
	}
	set->used[way] = cache->now;
	if (allocates)
		set->sectors[way] |= bit;
	return number * WAYS + way;
}
