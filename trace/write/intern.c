/* SPDX-License-Identifier: Apache-2.0 */
/* A set of byte strings, numbered from 1 in the order they were first seen. */
#include "trace/write/intern.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static struct ct_intern_slot *find_slot(struct ct_intern_slot *slots, size_t slot_count,
					const uint64_t hash[2])
{
	size_t i = hash[0] & (slot_count - 1);

	while (slots[i].id && memcmp(slots[i].hash, hash, sizeof(slots[i].hash)) != 0)
		i = (i + 1) & (slot_count - 1);
	return &slots[i];
}

static int grow(struct ct_intern *set)
{
	size_t slot_count = set->slot_count ? 2 * set->slot_count : 64;
	struct ct_intern_slot *slots = calloc(slot_count, sizeof(*slots));

	if (!slots)
		return -1;
	for (size_t i = 0; i < set->slot_count; i++)
		if (set->slots[i].id)
			*find_slot(slots, slot_count, set->slots[i].hash) = set->slots[i];
	free(set->slots);
	set->slots = slots;
	set->slot_count = slot_count;
	return 0;
}

uint32_t ct_intern_add(struct ct_intern *set, const void *bytes, size_t size, int *is_new)
{
	XXH128_hash_t sum = XXH3_128bits(bytes, size);
	uint64_t hash[2] = {sum.low64, sum.high64};
	struct ct_intern_slot *slot;

	*is_new = 0;
	if (set->count >= set->slot_count / 2 && grow(set) < 0)
		return 0;
	slot = find_slot(set->slots, set->slot_count, hash);
	if (!slot->id) {
		memcpy(slot->hash, hash, sizeof(hash));
		slot->id = ++set->count;
		*is_new = 1;
	}
	return slot->id;
}

void ct_intern_fini(struct ct_intern *set)
{
	free(set->slots);
	memset(set, 0, sizeof(*set));
}
