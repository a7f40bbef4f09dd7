/* SPDX-License-Identifier: Apache-2.0 */
/* The stage that counts the values of sets. */
#include "postproc/analysis/values/sets/sets.h"
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/base/numbers.h"
#include "postproc/analysis/values/scan/entries.h"
#include "postproc/analysis/values/sets/tally.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct top {
	uint64_t value, elements;
};

/* Values of a set that did not fit. */
struct rest {
	uint64_t set;
	uint32_t level, part;
};

struct ct_value_sets {
	struct ct_value_engine *engine;
	struct ct_sums *sums;
	uint64_t set; /* as in bundles; the one at hand */
	bool has_set;
	struct ct_value_tally tally;
	/* Counts of its values in this partition. */
	uint64_t all, launch_distinct, distinct, zeros, near_zeros;
	uint32_t widths;               /* those that have held all values so far */
	uint64_t first, differ;        /* one of the values, and bits that others have otherwise */
	struct top top[CT_VALUES_TOP]; /* the most frequent first */
	uint32_t tops;
	uint32_t level, part; /* of the values that are counted in this pass */
	struct rest *rest;    /* still to be counted */
	size_t rests;
};

int ct_value_sets_open(struct ct_value_sets **out, struct ct_value_engine *engine,
		       struct ct_sums *sums)
{
	struct ct_value_sets *sets = calloc(1, sizeof(*sets));

	*out = sets;
	if (!sets)
		return -ENOMEM;
	sets->engine = engine;
	sets->sums = sums;
	return ct_value_tally_init(&sets->tally, engine->tally_bytes);
}

void ct_value_sets_close(struct ct_value_sets *sets)
{
	if (!sets)
		return;
	ct_value_tally_fini(&sets->tally);
	free(sets->rest);
	free(sets);
}

static int add(struct ct_value_sets *sets, uint32_t fact, uint64_t second, uint64_t a, uint64_t b)
{
	if (!a && !b)
		return 0;
	return ct_sums_add(sets->sums, CT_VALUE_FACT_KEY(fact, sets->set & ~CT_VALUE_ENTRY_KINDS),
			   second, a, b);
}

/* Levels of precision at which the values are one. */
static int end_cuts(struct ct_value_sets *sets)
{
	unsigned type = sets->set & ((1u << CT_VALUE_TYPE_BITS) - 1);
	int err = 0;

	for (unsigned level = CT_VALUES_PRECISION_MAX; level && err == 0; level--) {
		uint64_t mask = ct_values_precision_mask(type, level);

		if (mask == UINT64_MAX || sets->differ & mask)
			break;
		err = add(sets, CT_VALUE_FACT_CUT, CT_VALUE_CUT(sets->first & mask, level),
			  sets->all, 0);
	}
	return err;
}

static int end_values(struct ct_value_sets *sets)
{
	int err = add(sets, CT_VALUE_FACT_SET, 0, sets->all, sets->launch_distinct);

	if (err == 0)
		err = add(sets, CT_VALUE_FACT_DISTINCT, 0, sets->distinct, 0);
	if (err == 0)
		err = add(sets, CT_VALUE_FACT_ZEROS, 0, sets->zeros, sets->near_zeros);
	for (uint32_t w = 0; w < CT_VALUES_WIDTHS && err == 0; w++)
		err = add(sets, CT_VALUE_FACT_HELD, w, sets->widths >> w & 1 ? sets->all : 0, 0);
	for (uint32_t i = 0; i < sets->tops && err == 0; i++)
		err = add(sets, CT_VALUE_FACT_TOP, sets->top[i].value, sets->top[i].elements, 0);
	if (err == 0)
		err = end_cuts(sets);
	return err;
}

static int end_slopes(struct ct_value_sets *sets)
{
	bool is_slope = sets->set & CT_VALUE_ENTRY_SLOPE;
	int err;

	if (sets->set & CT_VALUE_ENTRY_LINE)
		return add(sets, CT_VALUE_FACT_LINE, sets->top[0].value, sets->top[0].elements, 0);
	err = add(sets, CT_VALUE_FACT_DISTINCT, 0, 0, sets->all);
	for (uint32_t i = 0; i < sets->tops && is_slope && err == 0; i++)
		err = add(sets, CT_VALUE_FACT_SLOPE, sets->top[i].value, sets->top[i].elements, 0);
	return err;
}

/* Equally frequent values stand by their bits. */
static bool is_before(const struct top *a, const struct top *b)
{
	return a->elements != b->elements ? a->elements > b->elements : a->value < b->value;
}

static void rank_value(struct ct_value_sets *sets, const struct top *own)
{
	uint32_t at = sets->tops;

	while (at && is_before(own, &sets->top[at - 1]))
		at--;
	if (at == CT_VALUES_TOP)
		return;
	sets->tops += sets->tops < CT_VALUES_TOP;
	for (uint32_t i = sets->tops - 1; i > at; i--)
		sets->top[i] = sets->top[i - 1];
	sets->top[at] = *own;
}

static void end_value(struct ct_value_sets *sets, const struct ct_value_tally_entry *entry)
{
	unsigned type = sets->set & ((1u << CT_VALUE_TYPE_BITS) - 1);

	sets->all += entry->elements;
	sets->launch_distinct += entry->launches;
	rank_value(sets, &(struct top){entry->value, entry->elements});
	if (sets->set & CT_VALUE_ENTRY_KINDS)
		return;
	sets->first = sets->distinct++ ? sets->first : entry->value;
	sets->differ |= entry->value ^ sets->first;
	sets->zeros += ct_element_is_zero(type, entry->value) ? entry->elements : 0;
	sets->near_zeros += ct_element_is_near_zero(type, entry->value) ? entry->elements : 0;
	if (sets->widths)
		sets->widths &= ct_element_widths(type, entry->value);
}

static int end_set(struct ct_value_sets *sets)
{
	const struct ct_value_tally *tally = &sets->tally;
	int err = 0;

	if (!sets->has_set)
		return 0;
	sets->has_set = false;
	sets->all = sets->launch_distinct = sets->distinct = 0;
	sets->zeros = sets->near_zeros = 0;
	sets->widths = UINT32_MAX;
	sets->differ = 0;
	sets->tops = 0;
	for (size_t i = 0; i < tally->entries && tally->count; i++)
		if (tally->entry[i].elements)
			end_value(sets, &tally->entry[i]);
	if (sets->all)
		err = sets->set & CT_VALUE_ENTRY_KINDS ? end_slopes(sets) : end_values(sets);
	return err;
}

/* The other half of the values waits. */
static int grow(struct ct_value_sets *sets)
{
	struct ct_value_tally *tally = &sets->tally;
	struct rest rest = {sets->set, tally->level + 1, tally->part | 1u << tally->level};

	ct_value_tally_grow(tally);
	if (tally->level != rest.level)
		return 0;
	if (ct_array_grow(&sets->rest, sets->rests, sizeof(*sets->rest)) < 0)
		return -ENOMEM;
	sets->rest[sets->rests++] = rest;
	return 0;
}

/* Room for so many values more. */
static int make_room(struct ct_value_sets *sets, size_t values)
{
	const struct ct_value_tally *tally = &sets->tally;
	int err = 0;

	while (2 * (tally->count + values) > tally->entries && err == 0)
		err = grow(sets);
	return err;
}

/* There is room. Bundles come by superstep, so the value's last one tells whether this one is
 * new. */
static inline void count(struct ct_value_tally *tally, uint64_t hash, uint64_t value,
			 uint64_t elements, uint32_t step)
{
	struct ct_value_tally_entry *entry;

	if (tally->level && !ct_value_tally_takes(tally, hash))
		return;
	entry = ct_value_tally_at(tally, hash, value);
	if (entry->elements) {
		entry->elements += elements;
		entry->launches += entry->last != step + 1;
		entry->last = step + 1;
		return;
	}
	*entry = (struct ct_value_tally_entry){value, elements, step + 1, 1};
	tally->count++;
}

/* Values side by side; their places are fetched before the first is looked at. */
static inline __attribute__((always_inline)) void
count_values(struct ct_value_tally *tally, const struct ct_value_bundle *bundle, uint32_t bytes)
{
	uint64_t value[CT_VALUE_BUNDLE_BYTES], hash[CT_VALUE_BUNDLE_BYTES];
	uint32_t values = bundle->values;

	for (uint32_t i = 0; i < values; i++) {
		uint64_t own = 0;

		memcpy(&own, bundle->payload.byte + (size_t)i * bytes, bytes);
		value[i] = own;
		hash[i] = ct_value_hash(own);
		__builtin_prefetch(&tally->entry[hash[i] & (tally->entries - 1)], 1);
	}
	for (uint32_t i = 0; i < values; i++)
		count(tally, hash[i], value[i], 1, bundle->step);
}

static int count_bundle(struct ct_value_sets *sets, const struct ct_value_bundle *bundle)
{
	struct ct_value_tally *tally = &sets->tally;
	uint32_t bytes = ct_value_bundle_bytes(bundle->set);
	int err = make_room(sets, bundle->values ? bundle->values : 1);

	if (err < 0)
		return err;
	if (!bundle->values)
		count(tally, ct_value_hash(bundle->payload.word[0]), bundle->payload.word[0],
		      bundle->payload.word[1], bundle->step);
	else if (bytes == 4)
		count_values(tally, bundle, 4);
	else if (bytes == 8)
		count_values(tally, bundle, 8);
	else if (bytes == 2)
		count_values(tally, bundle, 2);
	else
		count_values(tally, bundle, 1);
	return 0;
}

/* At least so many values of the set come, if all differ: tables that have grown to that many are
 * made so at once. */
static size_t values_ahead(const struct ct_value_bundle *bundle, size_t bundles)
{
	size_t values = 0;

	for (size_t i = 0; i < bundles && bundle[i].set == bundle->set; i++)
		values += bundle[i].values;
	return values;
}

static int take_bundles(void *user, void *records, size_t bundles)
{
	struct ct_value_sets *sets = user;
	const struct ct_value_bundle *bundle = records;
	int err = 0;

	for (size_t i = 0; i < bundles && err == 0; i++, bundle++) {
		if (!sets->has_set || bundle->set != sets->set) {
			err = end_set(sets);
			ct_value_tally_begin(&sets->tally, sets->level, sets->part,
					     values_ahead(bundle, bundles - i));
			sets->set = bundle->set;
			sets->has_set = true;
		}
		if (err == 0)
			err = count_bundle(sets, bundle);
	}
	return err;
}

static bool is_of_set(const void *user, const void *record)
{
	return ((const struct ct_value_bundle *)record)->set == *(const uint64_t *)user;
}

/* Takes what did not fit, part by part. */
static int take_rest(struct ct_value_sets *sets, uint32_t partition)
{
	int err = 0;

	while (sets->rests && err == 0) {
		struct rest rest = sets->rest[--sets->rests];
		const struct ct_shuffle_choice of_set = {is_of_set, &rest.set};

		sets->level = rest.level;
		sets->part = rest.part;
		err = ct_shuffle_each_of(sets->engine->entries, partition, &of_set, take_bundles,
					 sets);
		if (err == 0)
			err = end_set(sets);
	}
	sets->level = sets->part = 0;
	return err;
}

int ct_value_sets_take(struct ct_value_sets *sets, uint32_t partition)
{
	struct ct_shuffle *entries = sets->engine->entries;
	int err = entries ? ct_shuffle_each(entries, partition, take_bundles, sets) : 0;

	if (err == 0)
		err = end_set(sets);
	if (err == 0)
		err = take_rest(sets, partition);
	if (entries)
		ct_shuffle_drop(entries, partition);
	return err;
}
