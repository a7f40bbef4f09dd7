/* SPDX-License-Identifier: Apache-2.0 */
/* The stage that counts the values of sets. */
#include "postproc/analysis/values/sets.h"
#include "postproc/analysis/values/entries.h"
#include "postproc/analysis/values/facts.h"
#include "postproc/analysis/values/numbers.h"

#include <errno.h>
#include <stdlib.h>

struct top {
	uint64_t value, elements;
};

struct ct_value_sets {
	struct ct_value_engine *engine;
	struct ct_sums *sums;
	uint64_t set; /* as in entries; of the value at hand */
	uint64_t value;
	bool has_value;
	uint64_t elements, launches; /* of that value; launches that have it */
	/* Of the set in this partition. */
	uint64_t all, launch_distinct, distinct, zeros, near_zeros;
	uint32_t widths;               /* those that have held all values so far */
	struct top top[CT_VALUES_TOP]; /* the most frequent first */
	uint32_t tops;
	uint32_t *seen; /* by superstep: number of the last value that it had */
	uint32_t number;
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
	sets->widths = UINT32_MAX;
	sets->seen = calloc(engine->steps + 1, sizeof(*sets->seen));
	return sets->seen ? 0 : -ENOMEM;
}

void ct_value_sets_close(struct ct_value_sets *sets)
{
	if (sets)
		free(sets->seen);
	free(sets);
}

static int add(struct ct_value_sets *sets, uint32_t fact, uint64_t second, uint64_t a, uint64_t b)
{
	if (!a && !b)
		return 0;
	return ct_sums_add(sets->sums, CT_VALUE_FACT_KEY(fact, sets->set & ~CT_VALUE_ENTRY_KINDS),
			   second, a, b);
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
	return err;
}

static int end_slopes(struct ct_value_sets *sets)
{
	bool is_slope = sets->set & CT_VALUE_ENTRY_SLOPE;
	int err = add(sets, CT_VALUE_FACT_DISTINCT, 0, 0, sets->all);

	for (uint32_t i = 0; i < sets->tops && is_slope && err == 0; i++)
		err = add(sets, CT_VALUE_FACT_SLOPE, sets->top[i].value, sets->top[i].elements, 0);
	return err;
}

static int end_set(struct ct_value_sets *sets)
{
	int err = 0;

	if (sets->all)
		err = sets->set & CT_VALUE_ENTRY_KINDS ? end_slopes(sets) : end_values(sets);
	sets->all = sets->launch_distinct = sets->distinct = 0;
	sets->zeros = sets->near_zeros = 0;
	sets->widths = UINT32_MAX;
	sets->tops = 0;
	return err;
}

/* Equally frequent values stand by their bits. */
static void rank_value(struct ct_value_sets *sets)
{
	struct top own = {sets->value, sets->elements};
	uint32_t at = sets->tops;

	while (at && sets->top[at - 1].elements < own.elements)
		at--;
	if (at == CT_VALUES_TOP)
		return;
	sets->tops += sets->tops < CT_VALUES_TOP;
	for (uint32_t i = sets->tops - 1; i > at; i--)
		sets->top[i] = sets->top[i - 1];
	sets->top[at] = own;
}

static void end_value(struct ct_value_sets *sets)
{
	unsigned type = sets->set & ((1u << CT_VALUE_TYPE_BITS) - 1);

	if (!sets->has_value)
		return;
	sets->has_value = false;
	sets->all += sets->elements;
	sets->launch_distinct += sets->launches;
	rank_value(sets);
	if (sets->set & CT_VALUE_ENTRY_KINDS)
		return;
	sets->distinct++;
	sets->zeros += ct_element_is_zero(type, sets->value) ? sets->elements : 0;
	sets->near_zeros += ct_element_is_near_zero(type, sets->value) ? sets->elements : 0;
	if (sets->widths)
		sets->widths &= ct_element_widths(type, sets->value);
}

static int take_entries(void *user, void *records, size_t count)
{
	struct ct_value_sets *sets = user;
	const struct ct_value_entry *entry = records;
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++, entry++) {
		if (!sets->has_value || entry->set != sets->set || entry->value != sets->value) {
			end_value(sets);
			if (entry->set != sets->set)
				err = end_set(sets);
			sets->set = entry->set;
			sets->value = entry->value;
			sets->has_value = true;
			sets->elements = sets->launches = 0;
			sets->number++;
		}
		sets->elements += entry->elements;
		sets->launches += sets->seen[entry->step] != sets->number;
		sets->seen[entry->step] = sets->number;
	}
	return err;
}

int ct_value_sets_take(struct ct_value_sets *sets, uint32_t partition)
{
	struct ct_shuffle *entries = sets->engine->entries;
	int err = entries ? ct_shuffle_each(entries, partition, take_entries, sets) : 0;

	end_value(sets);
	if (entries)
		ct_shuffle_drop(entries, partition);
	return err == 0 ? end_set(sets) : err;
}
