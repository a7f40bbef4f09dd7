/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of CTAs, by the sets that they are in. */
#include "postproc/analysis/comm/flows/overlap.h"

#include <errno.h>
#include <stdlib.h>

#define CLASS_PAIRS_MAX (1u << 22)

/* A CTA and the sets that it is in. */
struct member {
	uint64_t sets;
	uint32_t cta;
};

/* Numbers the different sets of a group, of one side. */
struct numbers {
	uint32_t set[CT_OVERLAP_SETS];
	uint32_t count;
};

static int find(const struct numbers *numbers, uint32_t set)
{
	for (uint32_t i = 0; i < numbers->count; i++)
		if (numbers->set[i] == set)
			return (int)i;
	return -1;
}

static int collect(struct numbers *numbers, uint32_t set)
{
	if (find(numbers, set) >= 0)
		return 0;
	if (numbers->count == CT_OVERLAP_SETS)
		return -E2BIG;
	numbers->set[numbers->count++] = set;
	return 0;
}

static int by_cta(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return x->cta < y->cta ? -1 : x->cta > y->cta;
}

static int by_sets(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->sets != y->sets)
		return x->sets < y->sets ? -1 : 1;
	return by_cta(a, b);
}

/* All CTAs of the sets, each once, by the sets that it is in. */
static size_t list_members(struct member *member, const struct ct_cta_sets *sets,
			   const struct numbers *numbers)
{
	size_t count = 0, kept = 0;

	for (uint32_t i = 0; i < numbers->count; i++) {
		const struct ct_cta_set *set = &sets->set[numbers->set[i]];

		for (uint32_t c = 0; c < set->count; c++)
			member[count++] = (struct member){1ull << i, set->cta[c]};
	}
	if (numbers->count > 1)
		qsort(member, count, sizeof(*member), by_cta);
	for (size_t i = 0; i < count; i++)
		if (kept && member[kept - 1].cta == member[i].cta)
			member[kept - 1].sets |= member[i].sets;
		else
			member[kept++] = member[i];
	if (numbers->count > 1)
		qsort(member, kept, sizeof(*member), by_sets);
	return kept;
}

static int make_side(struct ct_overlap_side *side, const struct ct_cta_sets *sets,
		     const struct numbers *numbers)
{
	struct member *member;
	size_t count = 0;

	for (uint32_t i = 0; i < numbers->count; i++)
		count += sets->set[numbers->set[i]].count;
	member = malloc((count + 1) * sizeof(*member));
	if (!member)
		return -ENOMEM;
	count = list_members(member, sets, numbers);
	side->cta = malloc((count + 1) * sizeof(*side->cta));
	side->sets = malloc((count + 1) * sizeof(*side->sets));
	side->first = malloc((count + 1) * sizeof(*side->first));
	for (size_t i = 0; side->cta && side->sets && side->first && i < count; i++) {
		if (!i || member[i].sets != member[i - 1].sets) {
			side->sets[side->classes] = member[i].sets;
			side->first[side->classes++] = (uint32_t)i;
		}
		side->cta[i] = member[i].cta;
		side->first[side->classes] = (uint32_t)i + 1;
	}
	free(member);
	return side->cta && side->sets && side->first ? 0 : -ENOMEM;
}

static void add_product(struct ct_overlap *overlap, uint64_t source, uint64_t target,
			uint64_t bytes)
{
	for (uint32_t s = 0; s < overlap->source.classes; s++)
		for (uint32_t t = 0;
		     overlap->source.sets[s] & source && t < overlap->target.classes; t++)
			if (overlap->target.sets[t] & target)
				overlap->bytes[(size_t)s * overlap->target.classes + t] += bytes;
}

static int make(struct ct_overlap *overlap, const struct ct_products *products,
		const struct ct_product_group *group)
{
	const struct ct_product *product = &products->product[group->first];
	struct numbers sources = {.count = 0}, targets = {.count = 0};
	int err = 0;

	for (size_t i = 0; i < group->count && err == 0; i++) {
		err = collect(&sources, product[i].sources);
		if (err == 0)
			err = collect(&targets, product[i].targets);
	}
	if (err == 0)
		err = make_side(&overlap->source, &products->sets, &sources);
	if (err == 0)
		err = make_side(&overlap->target, &products->sets, &targets);
	if (err < 0)
		return err;
	if ((uint64_t)overlap->source.classes * overlap->target.classes > CLASS_PAIRS_MAX)
		return -E2BIG;
	overlap->bytes = calloc((size_t)overlap->source.classes * overlap->target.classes + 1,
				sizeof(*overlap->bytes));
	if (!overlap->bytes)
		return -ENOMEM;
	for (size_t i = 0; i < group->count; i++)
		add_product(overlap, 1ull << find(&sources, product[i].sources),
			    1ull << find(&targets, product[i].targets), product[i].bytes);
	return 0;
}

int ct_overlap_init(struct ct_overlap *overlap, const struct ct_products *products,
		    const struct ct_product_group *group)
{
	int err;

	*overlap = (struct ct_overlap){.bytes = NULL};
	err = make(overlap, products, group);
	if (err < 0)
		ct_overlap_fini(overlap);
	return err;
}

static void free_side(struct ct_overlap_side *side)
{
	free(side->cta);
	free(side->sets);
	free(side->first);
}

void ct_overlap_fini(struct ct_overlap *overlap)
{
	free_side(&overlap->source);
	free_side(&overlap->target);
	free(overlap->bytes);
	*overlap = (struct ct_overlap){.bytes = NULL};
}
