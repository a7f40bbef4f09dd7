/* SPDX-License-Identifier: Apache-2.0 */
/* Races of all launches of a kernel together, by the two lines. */
#include "postproc/analysis/races/pairs.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct ct_races_access *ct_races_other_of(const struct ct_race *race)
{
	return race->is_update ? &race->store : &race->other;
}

bool ct_races_is_store(const struct ct_races_access *access)
{
	return ct_operation_class(access->unit->sites[access->site].operation) == CT_CLASS_STORE;
}

static struct ct_place place_of(const struct ct_races_access *access)
{
	return ct_place_of(access->unit, &access->unit->sites[access->site]);
}

/* A line without a place is a copy of none. */
static int compare_accesses(const struct ct_races_access *a, const struct ct_races_access *b)
{
	struct ct_place x = place_of(a), y = place_of(b);
	int files = strcmp(x.file, y.file);

	if (ct_races_is_store(a) != ct_races_is_store(b))
		return ct_races_is_store(a) ? -1 : 1;
	if (files)
		return files;
	if (x.line != y.line)
		return x.line < y.line ? -1 : 1;
	if (x.line)
		return 0;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

/* It does not matter which of two lines that store is first. */
static const struct ct_races_access *ordered(const struct ct_race *race, bool is_first)
{
	const struct ct_races_access *other = ct_races_other_of(race);

	return (compare_accesses(&race->store, other) <= 0) == is_first ? &race->store : other;
}

static int compare_pairs(const void *left, const void *right)
{
	const struct ct_race *a = ((const struct ct_races_pair *)left)->race,
			     *b = ((const struct ct_races_pair *)right)->race;
	int order = strcmp(a->launch->kernel_name, b->launch->kernel_name);

	if (!order)
		order = compare_accesses(ordered(a, true), ordered(b, true));
	return order ? order : compare_accesses(ordered(a, false), ordered(b, false));
}

/* The same, and among equals the first launch first. */
static int compare_races(const void *left, const void *right)
{
	const struct ct_race *a = ((const struct ct_races_pair *)left)->race,
			     *b = ((const struct ct_races_pair *)right)->race;
	int pairs = compare_pairs(left, right);

	return pairs ? pairs : a < b ? -1 : a > b;
}

static int compare_weight(const void *left, const void *right)
{
	const struct ct_races_pair *a = left, *b = right;
	bool a_is_same = a->values == CT_RACES_VALUES_SAME,
	     b_is_same = b->values == CT_RACES_VALUES_SAME;

	if (a_is_same != b_is_same)
		return a_is_same ? 1 : -1;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return compare_races(left, right);
}

static enum ct_races_values join_values(enum ct_races_values a, enum ct_races_values b)
{
	if (a == b)
		return a;
	return a == CT_RACES_VALUES_DIFFER || b == CT_RACES_VALUES_DIFFER ? CT_RACES_VALUES_DIFFER
									  : CT_RACES_VALUES_UNKNOWN;
}

static struct ct_races_pair pair_of(const struct ct_race *race)
{
	return (struct ct_races_pair){
	    .race = race,
	    .bytes = race->bytes,
	    .launches = 1,
	    .last_bytes = race->bytes,
	    .last = race->launch,
	    .values = race->values,
	    .are_ctas = race->between == CT_RACES_CTAS,
	    .are_warps = race->between == CT_RACES_WARPS,
	};
}

/* Races of a launch stand together. */
static void join(struct ct_races_pair *to, const struct ct_race *race)
{
	bool is_new = to->last != race->launch;

	if (is_new || race->bytes > to->last_bytes) {
		to->bytes += race->bytes - (is_new ? 0 : to->last_bytes);
		to->last_bytes = race->bytes;
	}
	to->launches += is_new;
	to->last = race->launch;
	to->values = join_values(to->values, race->values);
	if (race->between == CT_RACES_CTAS && !to->are_ctas)
		to->race = race;
	to->are_ctas |= race->between == CT_RACES_CTAS;
	to->are_warps |= race->between == CT_RACES_WARPS;
}

int ct_races_pairs(struct ct_races_pair **out, size_t *count,
		   const struct ct_races_results *results)
{
	struct ct_races_pair *pair = calloc(results->races + 1, sizeof(*pair));
	size_t pairs = 0;

	*out = pair;
	*count = 0;
	if (!pair)
		return -ENOMEM;
	for (size_t i = 0; i < results->races; i++)
		pair[i] = pair_of(&results->race[i]);
	qsort(pair, results->races, sizeof(*pair), compare_races);
	for (size_t i = 0; i < results->races; i++) {
		if (!i || compare_pairs(&pair[pairs - 1], &pair[i]))
			pair[pairs++] = pair[i];
		else
			join(&pair[pairs - 1], pair[i].race);
	}
	qsort(pair, pairs, sizeof(*pair), compare_weight);
	*count = pairs;
	return 0;
}

bool ct_races_is_one_line(const struct ct_race *race)
{
	return !compare_accesses(&race->store, ct_races_other_of(race));
}

const char *ct_races_who(const struct ct_races_pair *pair)
{
	return !pair->are_warps  ? "different blocks"
	       : !pair->are_ctas ? "different warps of a block"
				 : "different warps, of one block and of several";
}

const char *ct_races_fix(const struct ct_races_pair *pair)
{
	bool stores = ct_races_is_store(&pair->race->other);

	if (pair->values == CT_RACES_VALUES_SAME)
		return "Let one of them alone store it, unless it is sure that they store the same "
		       "with any input.";
	if (pair->race->is_update)
		return "Update it by an atomic (atomicAdd, atomicMax, ...), or let one thread "
		       "alone update each element.";
	if (!pair->are_ctas)
		return stores ? "Let one warp alone store each element, or put a __syncthreads() "
				"between the stores."
			      : "Put a __syncthreads() between the store and the load.";
	return stores ? "Let one block alone store each element, or combine what they store by an "
			"atomic."
		      : "Load from a copy that the launch does not store to (two arrays in turns), "
			"or end the kernel between the two.";
}
