/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums by key: tables by the high bits of a key's hash, so that threads can bring together
 * different ones. A table is an array of sums, and places that lead from a hash to a sum
 * there: open addressing, linear probing, at most half full.
 */
#include "postproc/shuffle/sums.h"
#include "postproc/shuffle/sort.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_FIRST 16u
#define COUNT_MOST (UINT32_MAX / 2)
#define HASH_BITS 32u
#define AHEAD 16u /* sums whose places are fetched early */

struct place {
	uint32_t hash;
	uint32_t number; /* of the sum, from 1; 0: nothing */
};

struct table {
	struct place *place; /* NULL: no sums */
	size_t places;       /* a power of two */
	struct ct_sum *sum;
	size_t count, room;
};

struct ct_sums {
	struct table table[CT_SUMS_PARTS];
	struct ct_sum *sorted; /* NULL: to be made */
};

int ct_sums_open(struct ct_sums **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : -ENOMEM;
}

void ct_sums_close(struct ct_sums *sums)
{
	if (!sums)
		return;
	for (uint32_t part = 0; part < CT_SUMS_PARTS; part++) {
		free(sums->table[part].sum);
		free(sums->table[part].place);
	}
	free(sums->sorted);
	free(sums);
}

static uint32_t hash_of(uint64_t key0, uint64_t key1)
{
	uint64_t h = (key0 ^ (key1 << 32 | key1 >> 32)) * 0x9e3779b97f4a7c15ull;

	h = (h ^ h >> 29 ^ key1) * 0xbf58476d1ce4e5b9ull;
	return (uint32_t)(h ^ h >> 32);
}

static uint32_t part_of(uint32_t hash)
{
	return hash >> (HASH_BITS - CT_SUMS_PARTS_LOG2);
}

/* Where the key is, or would be. */
static struct place *probe(const struct table *table, uint32_t hash, uint64_t key0, uint64_t key1)
{
	size_t mask = table->places - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct place *place = &table->place[i];
		const struct ct_sum *sum;

		if (place->number == 0)
			return place;
		sum = &table->sum[place->number - 1];
		if (place->hash == hash && sum->key[0] == key0 && sum->key[1] == key1)
			return place;
	}
}

static int grow_places(struct table *table)
{
	size_t places = table->places ? 2 * table->places : PLACES_FIRST;
	struct place *bigger = calloc(places, sizeof(*bigger));

	if (!bigger)
		return -ENOMEM;
	for (size_t i = 0; i < table->places; i++) {
		size_t at = table->place[i].hash & (places - 1);

		if (table->place[i].number == 0)
			continue;
		while (bigger[at].number != 0)
			at = (at + 1) & (places - 1);
		bigger[at] = table->place[i];
	}
	free(table->place);
	table->place = bigger;
	table->places = places;
	return 0;
}

static int grow_sums(struct table *table)
{
	size_t room = table->room ? table->room + table->room / 2 : PLACES_FIRST / 2;
	struct ct_sum *bigger = realloc(table->sum, room * sizeof(*bigger));

	if (!bigger)
		return -ENOMEM;
	table->sum = bigger;
	table->room = room;
	return 0;
}

static int add_key(struct table *table, uint32_t hash, const struct ct_sum *sum)
{
	if (table->count == COUNT_MOST)
		return -ENOMEM;
	if (table->count == table->room && grow_sums(table) < 0)
		return -ENOMEM;
	if (2 * (table->count + 1) > table->places && grow_places(table) < 0)
		return -ENOMEM;
	table->sum[table->count++] = *sum;
	*probe(table, hash, sum->key[0], sum->key[1]) =
	    (struct place){.hash = hash, .number = (uint32_t)table->count};
	return 0;
}

static int add(struct table *table, uint32_t hash, const struct ct_sum *sum)
{
	const struct place *place =
	    table->places ? probe(table, hash, sum->key[0], sum->key[1]) : NULL;

	if (!place || place->number == 0)
		return add_key(table, hash, sum);
	table->sum[place->number - 1].value[0] += sum->value[0];
	table->sum[place->number - 1].value[1] += sum->value[1];
	return 0;
}

int ct_sums_add(struct ct_sums *sums, uint64_t key0, uint64_t key1, uint64_t value0,
		uint64_t value1)
{
	uint32_t hash = hash_of(key0, key1);

	if (sums->sorted) {
		free(sums->sorted);
		sums->sorted = NULL;
	}
	return add(&sums->table[part_of(hash)], hash,
		   &(struct ct_sum){.key = {key0, key1}, .value = {value0, value1}});
}

void ct_sums_expect(const struct ct_sums *sums, uint64_t key0, uint64_t key1)
{
	uint32_t hash = hash_of(key0, key1);
	const struct table *table = &sums->table[part_of(hash)];

	if (table->places)
		__builtin_prefetch(&table->place[hash & (table->places - 1)], 1);
}

const struct ct_sum *ct_sums_find(const struct ct_sums *sums, uint64_t key0, uint64_t key1)
{
	uint32_t hash = hash_of(key0, key1);
	const struct table *table = &sums->table[part_of(hash)];
	const struct place *place = table->places ? probe(table, hash, key0, key1) : NULL;

	return place && place->number ? &table->sum[place->number - 1] : NULL;
}

int ct_sums_merge_part(struct ct_sums *sums, const struct ct_sums *other, uint32_t part)
{
	struct table *to = &sums->table[part];
	const struct table *from = &other->table[part];
	uint32_t hash[AHEAD];
	int err = 0;

	while (err == 0 && to->places < from->places)
		err = grow_places(to);
	for (size_t i = 0; err == 0 && i < from->count + AHEAD; i++) {
		if (i >= AHEAD)
			err = add(to, hash[i % AHEAD], &from->sum[i - AHEAD]);
		if (err < 0 || i >= from->count)
			continue;
		hash[i % AHEAD] = hash_of(from->sum[i].key[0], from->sum[i].key[1]);
		__builtin_prefetch(&to->place[hash[i % AHEAD] & (to->places - 1)], 1);
	}
	return err;
}

int ct_sums_merge(struct ct_sums *sums, const struct ct_sums *other)
{
	int err = 0;

	for (uint32_t part = 0; part < CT_SUMS_PARTS && err == 0; part++)
		err = ct_sums_merge_part(sums, other, part);
	return err;
}

/* False: they are in order as they are. */
static bool sort_pieces(const struct ct_pieces *pieces, uint64_t *word, struct ct_sum *sorted)
{
	static const uint64_t all[2] = {UINT64_MAX, UINT64_MAX};
	uint64_t mask;

	if (ct_pieces_sort(pieces, all, word, word + pieces->records, &mask))
		return false;
	for (size_t i = 0; i < pieces->records; i++)
		memcpy(&sorted[i], ct_pieces_at(pieces, word[i] & mask), sizeof(*sorted));
	return true;
}

static void append(const struct ct_pieces *pieces, struct ct_sum *sorted)
{
	for (size_t p = 0; p < pieces->count; p++) {
		memcpy(sorted, pieces->piece[p].records, pieces->piece[p].count * sizeof(*sorted));
		sorted += pieces->piece[p].count;
	}
}

const struct ct_sum *ct_sums_sorted(struct ct_sums *sums, size_t *count)
{
	struct ct_piece piece[CT_SUMS_PARTS];
	struct ct_pieces pieces = {.piece = piece, .record_bytes = sizeof(struct ct_sum)};
	uint64_t *word;

	for (uint32_t part = 0; part < CT_SUMS_PARTS; part++) {
		const struct table *table = &sums->table[part];

		if (!table->count)
			continue;
		piece[pieces.count++] =
		    (struct ct_piece){(unsigned char *)table->sum, table->count};
		pieces.records += table->count;
		while ((size_t)1 << pieces.log2 < table->count)
			pieces.log2++;
	}
	*count = pieces.records;
	if (sums->sorted)
		return sums->sorted;
	word = malloc((2 * pieces.records + 1) * sizeof(*word));
	sums->sorted = malloc((pieces.records + 1) * sizeof(*sums->sorted));
	if (word && sums->sorted && !sort_pieces(&pieces, word, sums->sorted))
		append(&pieces, sums->sorted);
	if (!word) {
		free(sums->sorted);
		sums->sorted = NULL;
	}
	free(word);
	return sums->sorted;
}

static int take_sums(void *user, uint32_t from, const void *data, size_t bytes)
{
	const struct ct_sum *sum = data;
	int err = 0;

	(void)from;
	for (size_t i = 0; err == 0 && i < bytes / sizeof(*sum); i++)
		err = ct_sums_add(user, sum[i].key[0], sum[i].key[1], sum[i].value[0],
				  sum[i].value[1]);
	return err;
}

static void clear(struct ct_sums *sums)
{
	for (uint32_t part = 0; part < CT_SUMS_PARTS; part++) {
		struct table *table = &sums->table[part];

		if (table->place)
			memset(table->place, 0, table->places * sizeof(*table->place));
		table->count = 0;
	}
	free(sums->sorted);
	sums->sorted = NULL;
}

int ct_sums_gather(struct ct_sums *sums, struct ct_ranks *ranks)
{
	const void *data[ranks->size];
	size_t bytes[ranks->size];
	const struct ct_sum *own = NULL;
	bool is_root = ranks->rank == 0;
	size_t count = 0;
	int err;

	if (ranks->size == 1)
		return 0;
	if (!is_root)
		own = ct_sums_sorted(sums, &count);
	err = ct_ranks_agree(ranks, is_root || own ? 0 : -ENOMEM);
	if (err < 0)
		return err;
	for (uint32_t i = 0; i < ranks->size; i++) {
		data[i] = NULL;
		bytes[i] = 0;
	}
	if (!is_root) {
		data[0] = own;
		bytes[0] = count * sizeof(*own);
	}
	err = ranks->trade(ranks, data, bytes, take_sums, sums);
	if (!is_root)
		clear(sums);
	return err;
}
