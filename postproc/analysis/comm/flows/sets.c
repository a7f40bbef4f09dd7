/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of CTAs by 128 bits of hash. */
#include "postproc/analysis/comm/flows/sets.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void ct_cta_sets_init(struct ct_cta_sets *sets, uint64_t memory_bytes)
{
	*sets = (struct ct_cta_sets){.bytes_left = memory_bytes};
}

void ct_cta_sets_fini(struct ct_cta_sets *sets)
{
	for (size_t i = 0; i < sets->count; i++)
		free(sets->set[i].cta);
	free(sets->set);
	ct_map_fini(&sets->number);
	*sets = (struct ct_cta_sets){0};
}

static uint64_t hash_of(const uint32_t *cta, uint32_t count, uint64_t seed)
{
	uint64_t hash = seed ^ count;

	for (uint32_t i = 0; i < count; i++)
		hash = ct_map_hash(hash, cta[i] + seed);
	return hash;
}

static int append(struct ct_cta_sets *sets, const uint32_t *cta, uint32_t count)
{
	uint64_t bytes = count * sizeof(*cta);
	uint32_t *copy;

	if (bytes > sets->bytes_left ||
	    ct_array_reserve(&sets->set, &sets->room, sets->count + 1, sizeof(*sets->set)) < 0)
		return -ENOMEM;
	copy = malloc(bytes + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, cta, bytes);
	sets->bytes_left -= bytes;
	sets->set[sets->count++] = (struct ct_cta_set){copy, count};
	return 0;
}

int ct_cta_sets_add(struct ct_cta_sets *sets, const uint32_t *cta, uint32_t count, uint32_t *number)
{
	uint64_t key[2] = {hash_of(cta, count, 0x51), hash_of(cta, count, 0xa7)};
	union ct_map_value *value = ct_map_put(&sets->number, key[0], key[1]);
	int err;

	if (!value)
		return -ENOMEM;
	if (!value->number) {
		err = append(sets, cta, count);
		if (err < 0) {
			ct_map_remove(&sets->number, key[0], key[1]);
			return err;
		}
		value->number = sets->count;
	}
	*number = (uint32_t)(value->number - 1);
	return 0;
}

bool ct_cta_set_has(const struct ct_cta_set *set, uint32_t cta)
{
	uint32_t low = 0, high = set->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (set->cta[middle] < cta)
			low = middle + 1;
		else
			high = middle;
	}
	return low < set->count && set->cta[low] == cta;
}
