/* SPDX-License-Identifier: Apache-2.0 */
/* Products made ready: what is too tangled taken apart, sources listed, covers made. */
#include "postproc/analysis/comm/flows/dense.h"
#include "postproc/analysis/comm/flows/overlap.h"
#include <errno.h>
#include <stdlib.h>

/* A piece has 32 bits for bytes. */
static int put_flow(struct ct_engine *engine, const struct ct_product *product, uint32_t source,
		    uint32_t target)
{
	int err = 0;

	for (uint64_t left = product->bytes, bytes; left && err == 0; left -= bytes) {
		struct ct_flow_piece piece = {
		    .ctas = (uint64_t)source << 32 | target,
		    .supersteps = (uint64_t)product->source << 32 | product->target,
		};

		bytes = left < UINT32_MAX ? left : UINT32_MAX;
		piece.bytes = (uint32_t)bytes;
		err = ct_shuffle_put(engine->flows, 0, ct_flow_partition(source), &piece);
	}
	return err;
}

/* One by one, as flows. */
static int expand(struct ct_engine *engine, const struct ct_product *product)
{
	const struct ct_cta_set *sources = ct_product_sources(engine->products, product);
	const struct ct_cta_set *targets = ct_product_targets(engine->products, product);
	int err = 0;

	for (uint32_t s = 0; s < sources->count; s++)
		for (uint32_t t = 0; t < targets->count && err == 0; t++)
			err = put_flow(engine, product, sources->cta[s], targets->cta[t]);
	return err;
}

static uint64_t pairs_of(const struct ct_products *products, const struct ct_product *product)
{
	return (uint64_t)ct_product_sources(products, product)->count *
	       ct_product_targets(products, product)->count;
}

/* All but the product of most pairs. */
static int untangle_group(struct ct_engine *engine, struct ct_product_group *group)
{
	struct ct_product *product = &engine->products->product[group->first], kept;
	size_t largest = 0;
	int err = 0;

	for (size_t i = 1; i < group->count; i++)
		if (pairs_of(engine->products, &product[i]) >
		    pairs_of(engine->products, &product[largest]))
			largest = i;
	for (size_t i = 0; i < group->count && err == 0; i++)
		if (i != largest && engine->options.ranks->rank == 0)
			err = expand(engine, &product[i]);
	kept = product[largest];
	for (size_t i = 0; i < group->count; i++)
		product[i].bytes = 0;
	*product = kept;
	group->count = 1;
	return err;
}

/* Products without bytes are those that were taken apart. */
static void drop_expanded(struct ct_products *products)
{
	size_t kept = 0, at = 0;

	for (size_t g = 0; g < products->groups; g++) {
		struct ct_product_group *group = &products->group[g];

		for (at = group->first; at < group->first + group->count; at++)
			products->product[kept++] = products->product[at];
		group->first = kept - group->count;
	}
	products->count = kept;
}

static int untangle(struct ct_engine *engine)
{
	struct ct_products *products = engine->products;
	int err = 0;

	for (size_t g = 0; g < products->groups && err == 0; g++) {
		struct ct_overlap overlap;

		if (products->group[g].count == 1)
			continue;
		err = ct_overlap_init(&overlap, products, &products->group[g]);
		if (err == -E2BIG)
			err = untangle_group(engine, &products->group[g]);
		else if (err == 0)
			ct_overlap_fini(&overlap);
	}
	drop_expanded(products);
	return err;
}

static int list_sources(struct ct_dense *dense, const struct ct_engine *engine)
{
	const struct ct_products *products = engine->products;
	bool *is_source = calloc(engine->ctas + 1, sizeof(*is_source));
	size_t count = 0, at[CT_FLOW_PARTITIONS];

	if (!is_source)
		return -ENOMEM;
	for (size_t i = 0; i < products->count; i++) {
		const struct ct_cta_set *set = ct_product_sources(products, &products->product[i]);

		for (uint32_t c = 0; c < set->count; c++)
			is_source[set->cta[c]] = true;
	}
	for (uint64_t cta = 0; cta < engine->ctas; cta++)
		if (is_source[cta])
			dense->first[ct_flow_partition((uint32_t)cta) + 1]++;
	for (uint32_t p = 0; p < CT_FLOW_PARTITIONS; p++) {
		dense->first[p + 1] += dense->first[p];
		at[p] = dense->first[p];
	}
	count = dense->first[CT_FLOW_PARTITIONS];
	dense->source = malloc((count + 1) * sizeof(*dense->source));
	for (uint64_t cta = 0; dense->source && cta < engine->ctas; cta++)
		if (is_source[cta])
			dense->source[at[ct_flow_partition((uint32_t)cta)]++] = (uint32_t)cta;
	free(is_source);
	return dense->source ? 0 : -ENOMEM;
}

static int list_keys(struct ct_dense *dense, const struct ct_engine *engine)
{
	const struct ct_covers *covers = &dense->covers;

	dense->step = malloc((engine->supersteps + 1) * sizeof(*dense->step));
	dense->reader = malloc((engine->supersteps + 1) * sizeof(*dense->reader));
	dense->pair = malloc((covers->of_pair.count + 1) * sizeof(*dense->pair));
	if (!dense->step || !dense->reader || !dense->pair)
		return -ENOMEM;
	for (uint32_t s = 0; s < engine->supersteps; s++) {
		if (covers->of_step[s] != CT_NO_COVER)
			dense->step[dense->steps++] = s;
		if (covers->of_reader[s] != CT_NO_COVER)
			dense->reader[dense->readers++] = s;
	}
	for (const struct ct_map_entry *entry = ct_map_next(&covers->of_pair, NULL); entry;
	     entry = ct_map_next(&covers->of_pair, entry))
		dense->pair[dense->pairs++] = ct_map_key(entry, 0);
	return 0;
}

int ct_dense_open(struct ct_dense **out, struct ct_engine *engine)
{
	struct ct_dense *dense = calloc(1, sizeof(*dense));
	int err = dense ? untangle(engine) : -ENOMEM;

	if (err == 0)
		err = list_sources(dense, engine);
	if (err == 0)
		err = ct_covers_init(&dense->covers, engine);
	if (err == 0)
		err = list_keys(dense, engine);
	err = ct_engine_agree(engine, err);
	if (err < 0) {
		ct_dense_close(dense);
		dense = NULL;
	}
	*out = dense;
	return err;
}

void ct_dense_close(struct ct_dense *dense)
{
	if (!dense)
		return;
	ct_covers_fini(&dense->covers);
	free(dense->source);
	free(dense->step);
	free(dense->reader);
	free(dense->pair);
	free(dense);
}

uint64_t ct_dense_bytes(const struct ct_engine *engine, uint64_t ctas, uint64_t supersteps)
{
	const struct ct_products *products = engine->products;
	const struct ct_product_group *group = ct_products_between(products, supersteps);
	uint64_t bytes = 0;

	for (size_t i = 0; group && i < group->count; i++) {
		const struct ct_product *product = &products->product[group->first + i];

		if (ct_cta_set_has(ct_product_sources(products, product), (uint32_t)(ctas >> 32)) &&
		    ct_cta_set_has(ct_product_targets(products, product), (uint32_t)ctas))
			bytes += product->bytes;
	}
	return bytes;
}
