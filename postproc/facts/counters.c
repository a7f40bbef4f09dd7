/* SPDX-License-Identifier: Apache-2.0 */
/* A counter per 64-bit key: open addressing, at most half full. */
#include "postproc/facts/counters.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64u

static size_t slot_of(const struct ct_counters *counters, uint64_t key)
{
	size_t mask = counters->capacity - 1;
	size_t slot = (size_t)((key * 0x9e3779b97f4a7c15u) >> 20) & mask;

	while (counters->key[slot] && counters->key[slot] != key + 1)
		slot = (slot + 1) & mask;
	return slot;
}

static int enlarge(struct ct_counters *counters)
{
	struct ct_counters bigger = {
	    .capacity = counters->capacity ? 2 * counters->capacity : FIRST_CAPACITY,
	    .used = counters->used,
	};

	bigger.key = calloc(bigger.capacity, sizeof(*bigger.key));
	bigger.value = calloc(bigger.capacity, sizeof(*bigger.value));
	if (!bigger.key || !bigger.value) {
		ct_counters_fini(&bigger);
		return -1;
	}
	for (size_t i = 0; i < counters->capacity; i++) {
		size_t slot;

		if (!counters->key[i])
			continue;
		slot = slot_of(&bigger, counters->key[i] - 1);
		bigger.key[slot] = counters->key[i];
		bigger.value[slot] = counters->value[i];
	}
	ct_counters_fini(counters);
	*counters = bigger;
	return 0;
}

uint32_t *ct_counters_at(struct ct_counters *counters, uint64_t key)
{
	size_t slot;

	if (2 * counters->used >= counters->capacity && enlarge(counters) < 0)
		return NULL;
	slot = slot_of(counters, key);
	if (!counters->key[slot]) {
		counters->key[slot] = key + 1;
		counters->used++;
	}
	return &counters->value[slot];
}

void ct_counters_fini(struct ct_counters *counters)
{
	free(counters->key);
	free(counters->value);
	memset(counters, 0, sizeof(*counters));
}
