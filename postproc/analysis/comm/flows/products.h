/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers of many CTAs to many: each CTA of one set has sent the same number of
 * bytes to each of another, from one superstep to a later one. There may be
 * billions of such pairs (a counter that all CTAs add to), so they are counted
 * by sets.
 *
 *   add, add … (any thread)  ->  finish (once)  ->  everything else (any thread)
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FLOWS_PRODUCTS_H
#define CT_POSTPROC_ANALYSIS_COMM_FLOWS_PRODUCTS_H

#include "postproc/analysis/comm/flows/sets.h"
#include "postproc/base/ranks.h"

struct ct_product {
	uint32_t source, target;   /* supersteps */
	uint32_t sources, targets; /* sets */
	uint64_t bytes;            /* from each to each */
};

/* Products of the same supersteps, one after another in ct_products.product. */
struct ct_product_group {
	size_t first, count;
};

struct ct_products {
	pthread_mutex_t lock;
	struct ct_cta_sets sets;
	struct ct_product *product; /* finished: by source, target, sets; each once */
	size_t count, room;
	struct ct_product_group *group; /* finished: by source, then target superstep */
	size_t groups, group_room;
	struct ct_map of_steps; /* finished: superstep << 32 | superstep: 1 + group */
};

/* memory_bytes: for all that is added. */
int ct_products_open(struct ct_products **out, uint64_t memory_bytes);
void ct_products_close(struct ct_products *products); /* NULL is allowed */

/* CTAs ascend; the product's sets are theirs. -ENOMEM: there is no room, and nothing was
 * added. */
int ct_products_add(struct ct_products *products, const struct ct_product *product,
		    const uint32_t *source, uint32_t sources, const uint32_t *target,
		    uint32_t targets);

/* Collective: every rank has the products of all of them. */
int ct_products_finish(struct ct_products *products, struct ct_ranks *ranks);

/* Those of a pair of supersteps; NULL if there are none. */
static inline const struct ct_product_group *ct_products_between(const struct ct_products *products,
								 uint64_t supersteps)
{
	const union ct_map_value *value = ct_map_find(&products->of_steps, supersteps, 0);

	return value ? &products->group[value->number - 1] : NULL;
}

static inline const struct ct_cta_set *ct_product_sources(const struct ct_products *products,
							  const struct ct_product *product)
{
	return &products->sets.set[product->sources];
}

static inline const struct ct_cta_set *ct_product_targets(const struct ct_products *products,
							  const struct ct_product *product)
{
	return &products->sets.set[product->targets];
}

#endif
