/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums by key: an array of sums, and a table that leads from a key's hash to
 * its place there. Open addressing, linear probing, at most half full.
 */
#include "postproc/shuffle/sums.h"
#include "postproc/shuffle/sort.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_FIRST 256u
#define COUNT_MOST (UINT32_MAX / 2)

struct place {
	uint32_t hash;
	uint32_t number; /* of the sum, from 1; 0: nothing */
};

struct ct_sums {
	struct place *place;
	size_t places; /* a power of two */
	struct ct_sum *sum;
	size_t count, room;
	struct ct_sum *sorted; /* NULL: to be made */
};

int ct_sums_open(struct ct_sums **out)
{
	struct ct_sums *sums = calloc(1, sizeof(*sums));

	*out = NULL;
	if (!sums)
		return -ENOMEM;
	sums->places = PLACES_FIRST;
	sums->place = calloc(sums->places, sizeof(*sums->place));
	if (!sums->place) {
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
	free(sums->sum);
	free(sums->place);
	free(sums);
}

static uint32_t hash_of(uint64_t key0, uint64_t key1)
{
	uint64_t h = (key0 ^ (key1 << 32 | key1 >> 32)) * 0x9e3779b97f4a7c15ull;

	h = (h ^ h >> 29 ^ key1) * 0xbf58476d1ce4e5b9ull;
	return (uint32_t)(h ^ h >> 32);
}

/* Where the key is, or would be. */
static struct place *probe(const struct ct_sums *sums, uint32_t hash, uint64_t key0, uint64_t key1)
{
	size_t mask = sums->places - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct place *place = &sums->place[i];
		const struct ct_sum *sum;

		if (place->number == 0)
			return place;
		sum = &sums->sum[place->number - 1];
		if (place->hash == hash && sum->key[0] == key0 && sum->key[1] == key1)
			return place;
	}
}

static int grow_places(struct ct_sums *sums)
{
	size_t places = 2 * sums->places;
	struct place *bigger = calloc(places, sizeof(*bigger));

	if (!bigger)
		return -ENOMEM;
	for (size_t i = 0; i < sums->places; i++) {
		size_t at = sums->place[i].hash & (places - 1);

		if (sums->place[i].number == 0)
			continue;
		while (bigger[at].number != 0)
			at = (at + 1) & (places - 1);
		bigger[at] = sums->place[i];
	}
	free(sums->place);
	sums->place = bigger;
	sums->places = places;
	return 0;
}

static int grow_sums(struct ct_sums *sums)
{
	size_t room = sums->room ? sums->room + sums->room / 2 : PLACES_FIRST / 2;
	struct ct_sum *bigger = realloc(sums->sum, room * sizeof(*bigger));

	if (!bigger)
		return -ENOMEM;
	sums->sum = bigger;
	sums->room = room;
	return 0;
}

static int add_key(struct ct_sums *sums, uint32_t hash, const struct ct_sum *sum)
{
	if (sums->count == COUNT_MOST)
		return -ENOMEM;
	if (sums->count == sums->room && grow_sums(sums) < 0)
		return -ENOMEM;
	if (2 * (sums->count + 1) > sums->places && grow_places(sums) < 0)
		return -ENOMEM;
	sums->sum[sums->count++] = *sum;
	*probe(sums, hash, sum->key[0], sum->key[1]) =
	    (struct place){.hash = hash, .number = (uint32_t)sums->count};
	return 0;
}

int ct_sums_add(struct ct_sums *sums, uint64_t key0, uint64_t key1, uint64_t value0,
		uint64_t value1)
{
	uint32_t hash = hash_of(key0, key1);
	const struct place *place = probe(sums, hash, key0, key1);

	if (sums->sorted) {
		free(sums->sorted);
		sums->sorted = NULL;
	}
	if (place->number == 0)
		return add_key(sums, hash,
			       &(struct ct_sum){.key = {key0, key1}, .value = {value0, value1}});
	sums->sum[place->number - 1].value[0] += value0;
	sums->sum[place->number - 1].value[1] += value1;
	return 0;
}

const struct ct_sum *ct_sums_find(const struct ct_sums *sums, uint64_t key0, uint64_t key1)
{
	const struct place *place = probe(sums, hash_of(key0, key1), key0, key1);

	return place->number ? &sums->sum[place->number - 1] : NULL;
}

static int add_all(struct ct_sums *sums, const struct ct_sum *sum, size_t count)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < count; i++)
		err = ct_sums_add(sums, sum[i].key[0], sum[i].key[1], sum[i].value[0],
				  sum[i].value[1]);
	return err;
}

int ct_sums_merge(struct ct_sums *sums, const struct ct_sums *other)
{
	return add_all(sums, other->sum, other->count);
}

const struct ct_sum *ct_sums_sorted(struct ct_sums *sums, size_t *count)
{
	static const uint64_t all[2] = {UINT64_MAX, UINT64_MAX};
	struct ct_piece piece = {(unsigned char *)sums->sum, sums->count};
	struct ct_pieces pieces = {&piece, 1, 0, sizeof(*sums->sum), sums->count};
	uint64_t *word, mask;

	*count = sums->count;
	if (sums->sorted)
		return sums->sorted;
	word = malloc((2 * sums->count + 1) * sizeof(*word));
	sums->sorted = malloc((sums->count + 1) * sizeof(*sums->sorted));
	if (!word || !sums->sorted) {
		free(word);
		free(sums->sorted);
		sums->sorted = NULL;
		return NULL;
	}
	while ((size_t)1 << pieces.log2 < sums->count)
		pieces.log2++;
	if (!ct_pieces_sort(&pieces, all, word, word + sums->count, &mask))
		for (size_t i = 0; i < sums->count; i++)
			sums->sorted[i] = sums->sum[word[i] & mask];
	else if (sums->count > 0)
		memcpy(sums->sorted, sums->sum, sums->count * sizeof(*sums->sum));
	free(word);
	return sums->sorted;
}

static int take_sums(void *user, uint32_t from, const void *data, size_t bytes)
{
	(void)from;
	return add_all(user, data, bytes / sizeof(struct ct_sum));
}

static void clear(struct ct_sums *sums)
{
	memset(sums->place, 0, sums->places * sizeof(*sums->place));
	sums->count = 0;
	free(sums->sorted);
	sums->sorted = NULL;
}

int ct_sums_gather(struct ct_sums *sums, struct ct_ranks *ranks)
{
	const void *data[ranks->size];
	size_t bytes[ranks->size];
	bool is_root = ranks->rank == 0;
	int err;

	if (ranks->size == 1)
		return 0;
	for (uint32_t i = 0; i < ranks->size; i++) {
		data[i] = NULL;
		bytes[i] = 0;
	}
	if (!is_root) {
		data[0] = sums->sum;
		bytes[0] = sums->count * sizeof(*sums->sum);
	}
	err = ranks->trade(ranks, data, bytes, take_sums, sums);
	if (!is_root)
		clear(sums);
	return err;
}
