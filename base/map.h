/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table from keys of two 64-bit words to values of one: numbers, or pointers to what the
 * caller owns. Open addressing with linear probing, at most half full, entries side by side, so
 * a look-up is one or two cache lines and adding allocates only when the table doubles. What is
 * keyed by text or by more than two words uses 128 bits of hash as its key (intern.h). Not
 * synchronised.
 */
#ifndef CT_BASE_MAP_H
#define CT_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

union ct_map_value {
	uint64_t number;
	void *pointer;
};

struct ct_map_entry {
	uint64_t not_key[2]; /* complements of the key's words; both 0: free */
	union ct_map_value value;
};

/* Zero-initialised, it is empty. */
struct ct_map {
	struct ct_map_entry *entry;
	size_t entries; /* a power of two, or 0 */
	size_t count;   /* of those that are used */
};

/* Keys are any two words but UINT64_MAX twice. Addresses of values hold until the next put or
 * remove. */

/* The value of a key that is not there yet is 0; NULL if memory is short. */
union ct_map_value *ct_map_put(struct ct_map *map, uint64_t key0, uint64_t key1);
/* True if the key was there. */
bool ct_map_remove(struct ct_map *map, uint64_t key0, uint64_t key1);
/* Keeps the room. */
void ct_map_clear(struct ct_map *map);
void ct_map_fini(struct ct_map *map);

/* The entries, in no order that means anything: NULL gives the first, after the last comes
 * NULL. Nothing may be added or removed meanwhile. */
struct ct_map_entry *ct_map_next(const struct ct_map *map, const struct ct_map_entry *last);

static inline uint64_t ct_map_key(const struct ct_map_entry *entry, unsigned word)
{
	return ~entry->not_key[word];
}

/* Each bit of either word changes about half of the bits. */
static inline uint64_t ct_map_hash(uint64_t key0, uint64_t key1)
{
	uint64_t hash = key0 ^ key1 * 0x9e3779b97f4a7c15u;

	hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
	hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
	return hash ^ hash >> 32;
}

/* The value, or NULL if the key is not there. */
static inline union ct_map_value *ct_map_find(const struct ct_map *map, uint64_t key0,
					      uint64_t key1)
{
	size_t mask = map->entries - 1;

	if (map->count == 0)
		return NULL;
	for (size_t i = ct_map_hash(key0, key1) & mask;; i = (i + 1) & mask) {
		struct ct_map_entry *entry = &map->entry[i];

		if (entry->not_key[0] == ~key0 && entry->not_key[1] == ~key1)
			return &entry->value;
		if (!(entry->not_key[0] | entry->not_key[1]))
			return NULL;
	}
}

#endif
