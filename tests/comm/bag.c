/* SPDX-License-Identifier: Apache-2.0 */
/* Counters by key: open addressing over a dense array. */
#include "tests/comm/bag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *must_grow(void *old, size_t count, size_t *room, size_t bytes)
{
	if (count < *room)
		return old;
	*room = *room ? 2 * *room : 64;
	old = realloc(old, *room * bytes);
	if (!old) {
		perror("realloc");
		abort();
	}
	return old;
}

void *must_have(size_t count, size_t bytes)
{
	void *memory = calloc(count ? count : 1, bytes);

	if (!memory) {
		perror("calloc");
		abort();
	}
	return memory;
}

static size_t slot_of(const struct bag *bag, const uint64_t key[4])
{
	uint64_t hash = 0;
	size_t slot;

	for (int i = 0; i < 4; i++) {
		hash = (hash ^ key[i]) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	slot = (size_t)hash & (bag->slots - 1);
	while (bag->slot[slot] &&
	       memcmp(bag->entry[bag->slot[slot] - 1].key, key, 4 * sizeof(*key)) != 0)
		slot = (slot + 1) & (bag->slots - 1);
	return slot;
}

static void rehash(struct bag *bag)
{
	free(bag->slot);
	bag->slots = bag->slots ? 2 * bag->slots : 256;
	bag->slot = must_have(bag->slots, sizeof(*bag->slot));
	for (size_t i = 0; i < bag->count; i++)
		bag->slot[slot_of(bag, bag->entry[i].key)] = (uint32_t)i + 1;
}

struct bag_entry *bag_at(struct bag *bag, uint64_t key0, uint64_t key1, uint64_t key2,
			 uint64_t key3)
{
	const uint64_t key[4] = {key0, key1, key2, key3};
	size_t slot;

	if (2 * bag->count >= bag->slots)
		rehash(bag);
	slot = slot_of(bag, key);
	if (!bag->slot[slot]) {
		bag->entry = must_grow(bag->entry, bag->count, &bag->room, sizeof(*bag->entry));
		bag->entry[bag->count] = (struct bag_entry){{key0, key1, key2, key3}, {0, 0}};
		bag->slot[slot] = (uint32_t)++bag->count;
	}
	return &bag->entry[bag->slot[slot] - 1];
}

struct bag_entry *bag_find(const struct bag *bag, uint64_t key0, uint64_t key1, uint64_t key2,
			   uint64_t key3)
{
	const uint64_t key[4] = {key0, key1, key2, key3};
	size_t slot;

	if (!bag->count)
		return NULL;
	slot = slot_of(bag, key);
	return bag->slot[slot] ? &bag->entry[bag->slot[slot] - 1] : NULL;
}

bool bag_add(struct bag *bag, uint64_t key0, uint64_t key1, uint64_t key2, uint64_t key3)
{
	size_t before = bag->count;

	bag_at(bag, key0, key1, key2, key3);
	return bag->count > before;
}

static int by_key(const void *a, const void *b)
{
	const struct bag_entry *x = a, *y = b;

	for (int i = 0; i < 4; i++)
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	return 0;
}

void bag_sort(struct bag *bag)
{
	if (bag->count)
		qsort(bag->entry, bag->count, sizeof(*bag->entry), by_key);
}

void bag_clear(struct bag *bag)
{
	bag->count = 0;
	if (bag->slots)
		memset(bag->slot, 0, bag->slots * sizeof(*bag->slot));
}

void bag_fini(struct bag *bag)
{
	free(bag->entry);
	free(bag->slot);
	memset(bag, 0, sizeof(*bag));
}
