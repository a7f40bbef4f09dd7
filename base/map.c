/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table from keys of two words to values of one. */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#define ENTRIES_FIRST 32u

static bool is_free(const struct ct_map_entry *entry)
{
	return !(entry->not_key[0] | entry->not_key[1]);
}

static size_t home_of(const struct ct_map *map, const struct ct_map_entry *entry)
{
	return ct_map_hash(~entry->not_key[0], ~entry->not_key[1]) & (map->entries - 1);
}

/* The free entry where a key that is not there belongs. */
static struct ct_map_entry *free_entry(const struct ct_map *map, size_t home)
{
	size_t i = home;

	while (!is_free(&map->entry[i]))
		i = (i + 1) & (map->entries - 1);
	return &map->entry[i];
}

static bool enlarge(struct ct_map *map)
{
	struct ct_map bigger = {.entries = map->entries ? 2 * map->entries : ENTRIES_FIRST,
				.count = map->count};

	bigger.entry = calloc(bigger.entries, sizeof(*bigger.entry));
	if (!bigger.entry)
		return false;
	for (size_t i = 0; i < map->entries; i++)
		if (!is_free(&map->entry[i]))
			*free_entry(&bigger, home_of(&bigger, &map->entry[i])) = map->entry[i];
	free(map->entry);
	*map = bigger;
	return true;
}

union ct_map_value *ct_map_put(struct ct_map *map, uint64_t key0, uint64_t key1)
{
	union ct_map_value *found = ct_map_find(map, key0, key1);
	struct ct_map_entry *entry;

	if (found)
		return found;
	if (2 * map->count >= map->entries && !enlarge(map))
		return NULL;
	entry = free_entry(map, ct_map_hash(key0, key1) & (map->entries - 1));
	*entry = (struct ct_map_entry){.not_key = {~key0, ~key1}};
	map->count++;
	return &entry->value;
}

/* The next entry behind a gap moves into it, unless it is at home already between the two: then
 * probing finds it without the gap. */
static void close_gap(struct ct_map *map, size_t gap)
{
	size_t mask = map->entries - 1;

	for (size_t i = (gap + 1) & mask; !is_free(&map->entry[i]); i = (i + 1) & mask) {
		size_t from_home = (i - home_of(map, &map->entry[i])) & mask;

		if (from_home < ((i - gap) & mask))
			continue;
		map->entry[gap] = map->entry[i];
		gap = i;
	}
	memset(&map->entry[gap], 0, sizeof(map->entry[gap]));
}

bool ct_map_remove(struct ct_map *map, uint64_t key0, uint64_t key1)
{
	union ct_map_value *found = ct_map_find(map, key0, key1);
	struct ct_map_entry *entry;

	if (!found)
		return false;
	entry = (struct ct_map_entry *)((char *)found - offsetof(struct ct_map_entry, value));
	close_gap(map, (size_t)(entry - map->entry));
	map->count--;
	return true;
}

void ct_map_clear(struct ct_map *map)
{
	if (map->count)
		memset(map->entry, 0, map->entries * sizeof(*map->entry));
	map->count = 0;
}

void ct_map_fini(struct ct_map *map)
{
	free(map->entry);
	memset(map, 0, sizeof(*map));
}

struct ct_map_entry *ct_map_next(const struct ct_map *map, const struct ct_map_entry *last)
{
	for (size_t i = last ? (size_t)(last - map->entry) + 1 : 0; i < map->entries; i++)
		if (!is_free(&map->entry[i]))
			return &map->entry[i];
	return NULL;
}
