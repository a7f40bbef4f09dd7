/* SPDX-License-Identifier: Apache-2.0 */
/* Counters by key for tests: as simple as can be, and out of memory is the end. */
#ifndef CT_TEST_BAG_H
#define CT_TEST_BAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bag_entry {
	uint64_t key[4];
	uint64_t value[2]; /* 0 at first */
};

struct bag {
	struct bag_entry *entry; /* in the order of insertion, until it is sorted */
	size_t count, room;
	uint32_t *slot; /* 1 + index in entry; 0: free */
	size_t slots;   /* a power of two, or 0 */
};

/* The entry of a key, valid until the next new one. */
struct bag_entry *bag_at(struct bag *bag, uint64_t key0, uint64_t key1, uint64_t key2,
			 uint64_t key3);
/* NULL if there is none. */
struct bag_entry *bag_find(const struct bag *bag, uint64_t key0, uint64_t key1, uint64_t key2,
			   uint64_t key3);
/* Adds a key; was it new? */
bool bag_add(struct bag *bag, uint64_t key0, uint64_t key1, uint64_t key2, uint64_t key3);
/* By key, ascending; no more can be found or added after it. */
void bag_sort(struct bag *bag);
void bag_clear(struct bag *bag);
void bag_fini(struct bag *bag);

/* Memory or the end. */
void *must_grow(void *old, size_t count, size_t *room, size_t bytes);
void *must_have(size_t count, size_t bytes); /* zeroed */

#endif
