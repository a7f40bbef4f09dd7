/* SPDX-License-Identifier: Apache-2.0 */
/* Distinct bytes, and addresses that atomics meet at. */
#include "postproc/analysis/access/stages.h"
#include "postproc/analysis/access/held.h"
#include "postproc/analysis/access/touched.h"
#include "postproc/shuffle/stage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCH_HIGH(key1) ((key1) >> CT_ACCESS_LAUNCH_SHIFT)
#define OWNER(key1) ((key1) >> CT_ACCESS_PART_BITS)

/* Sums to be: blocks one after another mostly add to the same few. */
#define TALLIES_EACH 16u /* of a fact */
#define TALLIES (8 * TALLIES_EACH)

struct ct_access_part {
	struct ct_stage_part all;
	const struct ct_access_engine *engine;
	struct ct_sum tally[TALLIES]; /* of those whose keys are alike in the low bits the last */
	/* Pieces: the entry at hand; what its row, its object and its launch touched of the block.
	 */
	struct ct_access_entry at;
	bool has_row;
	struct ct_access_touched row, object, launch;
	struct ct_access_touched_sums object_sums, launch_sums; /* of what joined them last */
	uint32_t rows, objects;                                 /* that joined them */
	/* Atomics: the address at hand, without lanes there is none; the hottest before it. */
	struct ct_access_entry address, hot[CT_ACCESS_HOT];
	uint32_t hots;
	uint64_t lanes, addresses;
};

int ct_access_part_open(void **state, struct ct_access_engine *engine)
{
	int err = ct_stage_open(state, sizeof(struct ct_access_part), engine);

	if (*state)
		((struct ct_access_part *)*state)->engine = engine;
	return err;
}

static int pass_on(struct ct_access_part *part, struct ct_sum *tally)
{
	int err = 0;

	if (tally->value[0] | tally->value[1])
		err = ct_sums_add(part->all.sums, tally->key[0], tally->key[1], tally->value[0],
				  tally->value[1]);
	*tally = (struct ct_sum){.key = {0}};
	return err;
}

static int add_sum(struct ct_access_part *part, uint64_t key0, uint64_t key1, uint64_t value0,
		   uint64_t value1)
{
	uint64_t at = CT_ACCESS_FACT_OF(key0) * TALLIES_EACH + (key0 + key1) % TALLIES_EACH;
	struct ct_sum *tally = &part->tally[at];
	int err = 0;

	if (tally->key[0] != key0 || tally->key[1] != key1) {
		err = pass_on(part, tally);
		tally->key[0] = key0;
		tally->key[1] = key1;
	}
	tally->value[0] += value0;
	tally->value[1] += value1;
	return err;
}

static int pass_all_on(struct ct_access_part *part)
{
	int err = 0;

	for (uint32_t i = 0; i < TALLIES && err == 0; i++)
		err = pass_on(part, &part->tally[i]);
	return err;
}

/* Adds a fact of a row, or of an object if site is of none. */
static int add_fact(struct ct_access_part *part, enum ct_access_fact fact, uint64_t site,
		    const struct ct_access_touched_sums *sums)
{
	uint32_t kernel = part->engine->kernels.of_launch[ct_access_entry_launch(&part->at)];

	return add_sum(part, CT_ACCESS_FACT_KEY(fact, kernel, ct_access_entry_group(&part->at)),
		       site, sums->bytes, sums->sectors);
}

/* Most objects have one row in a block, and most launches one object: their sums are the same. */
static void join(struct ct_access_touched *to, struct ct_access_touched_sums *to_sums,
		 uint32_t *joined, struct ct_access_touched *from,
		 const struct ct_access_touched_sums *from_sums)
{
	*to_sums = *from_sums;
	++*joined;
	ct_access_touched_join(to, from);
	ct_access_touched_clear(from);
}

static int end_row(struct ct_access_part *part)
{
	struct ct_access_touched_sums sums = ct_access_touched_sums(&part->row);
	int err = add_fact(part, CT_ACCESS_FACT_ROW, ct_access_entry_site(&part->at), &sums);

	join(&part->object, &part->object_sums, &part->rows, &part->row, &sums);
	return err;
}

static int end_object(struct ct_access_part *part)
{
	struct ct_access_touched_sums sums =
	    part->rows == 1 ? part->object_sums : ct_access_touched_sums(&part->object);
	int err = add_fact(part, CT_ACCESS_FACT_OBJECT, 0, &sums);

	join(&part->launch, &part->launch_sums, &part->objects, &part->object, &sums);
	part->rows = 0;
	return err;
}

static int end_launch(struct ct_access_part *part)
{
	struct ct_access_touched_sums sums =
	    part->objects == 1 ? part->launch_sums : ct_access_touched_sums(&part->launch);
	uint64_t launch = ct_access_entry_launch(&part->at);
	int err = add_sum(part, CT_ACCESS_FACT_KEY(CT_ACCESS_FACT_LAUNCH, 0, launch), 0, sums.bytes,
			  sums.sectors);

	if (err == 0)
		err = add_sum(part, CT_ACCESS_FACT_KEY(CT_ACCESS_FACT_LINES, 0, launch), 0,
			      sums.lines[0], sums.lines[1]);
	ct_access_touched_clear(&part->launch);
	part->objects = 0;
	return err;
}

/* Ends what the entry at hand is the last of, before the next one; NULL: there is none. */
static int end_before(struct ct_access_part *part, const struct ct_access_entry *next)
{
	const struct ct_access_entry *at = &part->at;
	bool is_same_launch = next && next->key[0] == at->key[0] &&
			      LAUNCH_HIGH(next->key[1]) == LAUNCH_HIGH(at->key[1]);
	int err = end_row(part);

	if (err == 0 &&
	    (!is_same_launch || ct_access_entry_group(next) != ct_access_entry_group(at)))
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
		if (part->has_row && (part->at.key[0] != entry->key[0] ||
				      OWNER(part->at.key[1]) != OWNER(entry->key[1])))
			err = end_before(part, entry);
		part->at = *entry;
		part->has_row = true;
		ct_access_touched_add(&part->row, entry);
	}
	return err;
}

int ct_access_part_take_pieces(void *state, uint32_t partition)
{
	struct ct_access_part *part = state;
	struct ct_shuffle *pieces = part->engine->pieces;
	int err = ct_shuffle_each(pieces, partition, take_pieces, part);

	if (err == 0 && part->has_row)
		err = end_before(part, NULL);
	if (err == 0)
		err = pass_all_on(part);
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

int ct_access_part_take_atomics(void *state, uint32_t partition)
{
	struct ct_access_part *part = state;
	struct ct_shuffle *atomics = part->engine->atomics;
	int err = ct_shuffle_each(atomics, partition, take_atomics, part);

	end_address(part);
	ct_shuffle_drop(atomics, partition);
	return err;
}

int ct_access_part_finish_atomics(void *state)
{
	struct ct_access_part *part = state;
	int err = 0;

	if (part->addresses)
		err = ct_sums_add(part->all.sums, CT_ACCESS_FACT_KEY(CT_ACCESS_FACT_ATOMICS, 0, 0),
				  0, part->lanes, part->addresses);
	for (uint32_t i = 0; i < part->hots && err == 0; i++)
		err = ct_sums_add(
		    part->all.sums, CT_ACCESS_FACT_KEY(CT_ACCESS_FACT_HOT, 0, part->hot[i].key[0]),
		    part->hot[i].key[1], part->hot[i].value[0], part->hot[i].value[1]);
	return err;
}
