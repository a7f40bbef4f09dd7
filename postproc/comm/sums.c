/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by key: open addressing, linear probing, at most half full. */
#include "sums.h"
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 256u

struct slot {
	struct ct_sum sum;
	uint64_t used;
};

struct ct_sums {
	struct slot *slot;
	size_t slots; /* a power of two */
	size_t count;
	struct ct_sum *sorted; /* NULL: to be made */
};

int ct_sums_open(struct ct_sums **out)
{
	struct ct_sums *sums = calloc(1, sizeof(*sums));

	*out = NULL;
	if (!sums)
		return -ENOMEM;
	sums->slots = SLOTS_FIRST;
	sums->slot = calloc(sums->slots, sizeof(*sums->slot));
	if (!sums->slot) {
		free(sums);
		return -ENOMEM;
	}
	*out = sums;
	return 0;
}

void ct_sums_close(struct ct_sums *sums)
{
	if (!sums)
		return;
	free(sums->sorted);
	free(sums->slot);
	free(sums);
}

static size_t hash(uint64_t key0, uint64_t key1)
{
	uint64_t h = (key0 ^ (key1 << 32 | key1 >> 32)) * 0x9e3779b97f4a7c15ull;

	h = (h ^ h >> 29 ^ key1) * 0xbf58476d1ce4e5b9ull;
	return (size_t)(h ^ h >> 32);
}

static struct slot *probe(struct slot *slot, size_t slots, uint64_t key0, uint64_t key1)
{
	size_t i = hash(key0, key1) & (slots - 1);

	while (slot[i].used && (slot[i].sum.key[0] != key0 || slot[i].sum.key[1] != key1))
		i = (i + 1) & (slots - 1);
	return &slot[i];
}

static int grow(struct ct_sums *sums)
{
	size_t slots = 2 * sums->slots;
	struct slot *bigger = calloc(slots, sizeof(*bigger));

	if (!bigger)
		return -ENOMEM;
	for (size_t i = 0; i < sums->slots; i++) {
		const struct slot *old = &sums->slot[i];

		if (old->used)
			*probe(bigger, slots, old->sum.key[0], old->sum.key[1]) = *old;
	}
	free(sums->slot);
	sums->slot = bigger;
	sums->slots = slots;
	return 0;
}

int ct_sums_add(struct ct_sums *sums, uint64_t key0, uint64_t key1, uint64_t value0,
		uint64_t value1)
{
	struct slot *slot = probe(sums->slot, sums->slots, key0, key1);

	if (!slot->used && 2 * (sums->count + 1) > sums->slots) {
		if (grow(sums) < 0)
			return -ENOMEM;
		slot = probe(sums->slot, sums->slots, key0, key1);
	}
	if (!slot->used) {
		*slot = (struct slot){.sum.key = {key0, key1}, .used = 1};
		sums->count++;
	}
	slot->sum.value[0] += value0;
	slot->sum.value[1] += value1;
	free(sums->sorted);
	sums->sorted = NULL;
	return 0;
}

const struct ct_sum *ct_sums_find(const struct ct_sums *sums, uint64_t key0, uint64_t key1)
{
	const struct slot *slot = probe(sums->slot, sums->slots, key0, key1);

	return slot->used ? &slot->sum : NULL;
}

int ct_sums_merge(struct ct_sums *sums, const struct ct_sums *other)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < other->slots; i++) {
		const struct ct_sum *sum = &other->slot[i].sum;

		if (other->slot[i].used)
			err = ct_sums_add(sums, sum->key[0], sum->key[1], sum->value[0],
					  sum->value[1]);
	}
	return err;
}

static int compare(const void *a, const void *b)
{
	const struct ct_sum *x = a, *y = b;

	if (x->key[0] != y->key[0])
		return x->key[0] < y->key[0] ? -1 : 1;
	return x->key[1] < y->key[1] ? -1 : x->key[1] > y->key[1];
}

const struct ct_sum *ct_sums_sorted(struct ct_sums *sums, size_t *count)
{
	size_t at = 0;

	*count = sums->count;
	if (sums->sorted)
		return sums->sorted;
	sums->sorted = malloc((sums->count + 1) * sizeof(*sums->sorted));
	if (!sums->sorted)
		return NULL;
	for (size_t i = 0; i < sums->slots; i++)
		if (sums->slot[i].used)
			sums->sorted[at++] = sums->slot[i].sum;
	qsort(sums->sorted, sums->count, sizeof(*sums->sorted), compare);
	return sums->sorted;
}

static int take_sums(void *user, uint32_t from, const void *data, size_t bytes)
{
	struct ct_sums *sums = user;
	const struct ct_sum *sum = data;
	int err = 0;

	(void)from;
	for (size_t i = 0; err == 0 && i < bytes / sizeof(*sum); i++)
		err = ct_sums_add(sums, sum[i].key[0], sum[i].key[1], sum[i].value[0],
				  sum[i].value[1]);
	return err;
}

static void clear(struct ct_sums *sums)
{
	memset(sums->slot, 0, sums->slots * sizeof(*sums->slot));
	sums->count = 0;
	free(sums->sorted);
	sums->sorted = NULL;
}

int ct_sums_gather(struct ct_sums *sums, struct ct_ranks *ranks)
{
	const void *data[ranks->size];
	size_t bytes[ranks->size];
	bool is_root = ranks->rank == 0;
	struct ct_sum *copy = NULL;
	size_t count = 0;
	int err = 0;

	if (ranks->size == 1)
		return 0;
	for (uint32_t i = 0; i < ranks->size; i++) {
		data[i] = NULL;
		bytes[i] = 0;
	}
	if (!is_root && !ct_sums_sorted(sums, &count))
		err = -ENOMEM;
	if (!is_root && err == 0) {
		copy = sums->sorted;
		sums->sorted = NULL;
		data[0] = copy;
		bytes[0] = count * sizeof(*copy);
		clear(sums);
	}
	err = ct_ranks_agree(ranks, err);
	if (err == 0)
		err = ranks->trade(ranks, data, bytes, take_sums, sums);
	free(copy);
	return err;
}
