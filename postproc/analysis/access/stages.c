/* SPDX-License-Identifier: Apache-2.0 */
/* Distinct bytes, and addresses that atomics meet at. */
#include "postproc/analysis/access/stages.h"
#include "postproc/analysis/access/held.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCH_HIGH(key1) ((key1) >> (CT_ACCESS_GROUP_BITS + CT_ACCESS_SITE_BITS))

struct ct_access_part {
	const struct ct_access_engine *engine;
	struct ct_sums *sums;
	/* Pieces: the entry at hand, whose value is of its row; and the bytes of its object, and of
	 * its launch, in the block. */
	struct ct_access_entry row;
	bool has_row;
	uint64_t object[2], launch[2];
	/* Atomics: the address at hand, without lanes there is none; the hottest before it. */
	struct ct_access_entry address, hot[CT_ACCESS_HOT];
	uint32_t hots;
	uint64_t lanes, addresses;
};

int ct_access_part_open(struct ct_access_part **out, const struct ct_access_engine *engine)
{
	struct ct_access_part *part = calloc(1, sizeof(*part));

	*out = part;
	if (!part)
		return -ENOMEM;
	part->engine = engine;
	return ct_sums_open(&part->sums);
}

void ct_access_part_close(struct ct_access_part *part)
{
	if (part)
		ct_sums_close(part->sums);
	free(part);
}

const struct ct_sums *ct_access_part_sums(const struct ct_access_part *part)
{
	return part->sums;
}

static void join_bytes(uint64_t to[2], const uint64_t from[2])
{
	to[0] |= from[0];
	to[1] |= from[1];
}

static uint64_t bytes_of(const uint64_t bits[2])
{
	return (uint64_t)(__builtin_popcountll(bits[0]) + __builtin_popcountll(bits[1]));
}

static uint64_t sectors_of(const uint64_t bits[2])
{
	return (uint64_t) !!(uint32_t)bits[0] + !!(bits[0] >> 32) + !!(uint32_t)bits[1] +
	       !!(bits[1] >> 32);
}

/* bytes are those of a row, or of an object if site is of none. */
static int add_fact(struct ct_access_part *part, enum ct_access_fact fact, uint64_t site,
		    const uint64_t bits[2])
{
	const struct ct_access_entry *row = &part->row;
	uint32_t kernel = part->engine->kernels.of_launch[ct_access_entry_launch(row)];

	return ct_sums_add(part->sums, CT_ACCESS_FACT_KEY(fact, kernel, ct_access_entry_group(row)),
			   site, bytes_of(bits), sectors_of(bits));
}

static int end_row(struct ct_access_part *part)
{
	join_bytes(part->object, part->row.value);
	return add_fact(part, CT_ACCESS_FACT_ROW, ct_access_entry_site(&part->row),
			part->row.value);
}

static int end_object(struct ct_access_part *part)
{
	int err = add_fact(part, CT_ACCESS_FACT_OBJECT, 0, part->object);

	join_bytes(part->launch, part->object);
	memset(part->object, 0, sizeof(part->object));
	return err;
}

static int end_launch(struct ct_access_part *part)
{
	const uint64_t *bits = part->launch;
	uint64_t launch = ct_access_entry_launch(&part->row);
	int err = ct_sums_add(part->sums, CT_ACCESS_FACT_KEY(CT_ACCESS_FACT_LAUNCH, 0, launch), 0,
			      bytes_of(bits), sectors_of(bits));

	if (err == 0)
		err = ct_sums_add(part->sums, CT_ACCESS_FACT_KEY(CT_ACCESS_FACT_LINES, 0, launch),
				  0, (uint64_t) !!bits[0] + !!bits[1], 1);
	memset(part->launch, 0, sizeof(part->launch));
	return err;
}

/* Ends what the entry at hand is the last of, before the next one; NULL: there is none. */
static int end_before(struct ct_access_part *part, const struct ct_access_entry *next)
{
	const struct ct_access_entry *row = &part->row;
	bool is_same_launch = next && next->key[0] == row->key[0] &&
			      LAUNCH_HIGH(next->key[1]) == LAUNCH_HIGH(row->key[1]);
	int err = end_row(part);

	if (err == 0 &&
	    (!is_same_launch || ct_access_entry_group(next) != ct_access_entry_group(row)))
		err = end_object(part);
	if (err == 0 && !is_same_launch)
		err = end_launch(part);
	return err;
}

static int take_pieces(void *user, void *records, size_t count)
{
	struct ct_access_part *part = user;
	const struct ct_access_entry *entry = records;
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++, entry++) {
		if (part->has_row && part->row.key[0] == entry->key[0] &&
		    part->row.key[1] == entry->key[1]) {
			join_bytes(part->row.value, entry->value);
			continue;
		}
		if (part->has_row)
			err = end_before(part, entry);
		part->row = *entry;
		part->has_row = true;
	}
	return err;
}

int ct_access_part_take_pieces(struct ct_access_part *part, uint32_t partition)
{
	struct ct_shuffle *pieces = part->engine->pieces;
	int err = ct_shuffle_each(pieces, partition, take_pieces, part);

	if (err == 0 && part->has_row)
		err = end_before(part, NULL);
	part->has_row = false;
	ct_shuffle_drop(pieces, partition);
	return err;
}

bool ct_access_is_hotter(const struct ct_access_entry *a, const struct ct_access_entry *b)
{
	if (a->value[0] != b->value[0])
		return a->value[0] > b->value[0];
	if (a->key[0] != b->key[0])
		return a->key[0] < b->key[0];
	return a->key[1] < b->key[1];
}

static void end_address(struct ct_access_part *part)
{
	struct ct_access_entry *own = &part->address;
	uint32_t at = part->hots;

	if (!own->value[0])
		return;
	part->lanes += own->value[0];
	part->addresses++;
	while (at && ct_access_is_hotter(own, &part->hot[at - 1]))
		at--;
	if (at < CT_ACCESS_HOT) {
		part->hots += part->hots < CT_ACCESS_HOT;
		memmove(&part->hot[at + 1], &part->hot[at],
			(part->hots - 1 - at) * sizeof(*part->hot));
		part->hot[at] = *own;
	}
	own->value[0] = 0;
}

static int take_atomics(void *user, void *records, size_t count)
{
	struct ct_access_part *part = user;
	const struct ct_access_entry *entry = records;

	for (size_t i = 0; i < count; i++, entry++) {
		struct ct_access_entry *own = &part->address;

		if (own->value[0] && own->key[0] == entry->key[0] && own->key[1] == entry->key[1]) {
			ct_access_join_lanes(own->value, entry->value);
			continue;
		}
		end_address(part);
		*own = *entry;
	}
	return 0;
}

int ct_access_part_take_atomics(struct ct_access_part *part, uint32_t partition)
{
	struct ct_shuffle *atomics = part->engine->atomics;
	int err = ct_shuffle_each(atomics, partition, take_atomics, part);

	end_address(part);
	ct_shuffle_drop(atomics, partition);
	return err;
}

int ct_access_part_finish_atomics(struct ct_access_part *part)
{
	int err = 0;

	if (part->addresses)
		err = ct_sums_add(part->sums, CT_ACCESS_FACT_KEY(CT_ACCESS_FACT_ATOMICS, 0, 0), 0,
				  part->lanes, part->addresses);
	for (uint32_t i = 0; i < part->hots && err == 0; i++)
		err = ct_sums_add(
		    part->sums, CT_ACCESS_FACT_KEY(CT_ACCESS_FACT_HOT, 0, part->hot[i].key[0]),
		    part->hot[i].key[1], part->hot[i].value[0], part->hot[i].value[1]);
	return err;
}
