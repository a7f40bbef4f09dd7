/* SPDX-License-Identifier: Apache-2.0 */
/* Products gathered, from threads and from ranks, and put in order. */
#include "postproc/analysis/comm/flows/products.h"

#include "base/array.h"
#include "base/buffer.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int ct_products_open(struct ct_products **out, uint64_t memory_bytes)
{
	struct ct_products *products = calloc(1, sizeof(*products));

	*out = products;
	if (!products)
		return -ENOMEM;
	pthread_mutex_init(&products->lock, NULL);
	ct_cta_sets_init(&products->sets, memory_bytes);
	return 0;
}

void ct_products_close(struct ct_products *products)
{
	if (!products)
		return;
	ct_map_fini(&products->of_steps);
	ct_cta_sets_fini(&products->sets);
	pthread_mutex_destroy(&products->lock);
	free(products->group);
	free(products->product);
	free(products);
}

static int add(struct ct_products *products, struct ct_product product, const uint32_t *source,
	       uint32_t sources, const uint32_t *target, uint32_t targets)
{
	uint64_t *left = &products->sets.bytes_left;
	int err = ct_cta_sets_add(&products->sets, source, sources, &product.sources);

	if (err == 0)
		err = ct_cta_sets_add(&products->sets, target, targets, &product.targets);
	if (err == 0 && *left < sizeof(product))
		err = -ENOMEM;
	if (err == 0)
		err = ct_array_reserve(&products->product, &products->room, products->count + 1,
				       sizeof(product));
	if (err == 0)
		products->product[products->count++] = product;
	if (err == 0 && *left != UINT64_MAX)
		*left -= sizeof(product);
	return err;
}

int ct_products_add(struct ct_products *products, const struct ct_product *product,
		    const uint32_t *source, uint32_t sources, const uint32_t *target,
		    uint32_t targets)
{
	int err;

	pthread_mutex_lock(&products->lock);
	err = add(products, *product, source, sources, target, targets);
	pthread_mutex_unlock(&products->lock);
	return err;
}

/* A product on its way to another rank; the CTAs follow it. */
struct packed {
	uint64_t bytes;
	uint32_t source, target;
	uint32_t sources, targets; /* how many */
};

static bool pack(struct ct_buffer *buffer, const struct ct_products *products,
		 const struct ct_product *product)
{
	const struct ct_cta_set *sources = ct_product_sources(products, product);
	const struct ct_cta_set *targets = ct_product_targets(products, product);
	const struct packed packed = {product->bytes, product->source, product->target,
				      sources->count, targets->count};

	return ct_buffer_append(buffer, &packed, sizeof(packed)) &&
	       ct_buffer_append(buffer, sources->cta, sources->count * sizeof(uint32_t)) &&
	       ct_buffer_append(buffer, targets->cta, targets->count * sizeof(uint32_t));
}

static int unpack(void *user, uint32_t from, const void *data, size_t bytes)
{
	struct ct_products *products = user;
	const char *at = data, *end = at + bytes;
	int err = 0;

	(void)from;
	while (err == 0 && at < end) {
		struct ct_product product;
		const uint32_t *cta;
		struct packed packed;

		memcpy(&packed, at, sizeof(packed));
		cta = (const uint32_t *)(const void *)(at + sizeof(packed));
		product = (struct ct_product){
		    .source = packed.source, .target = packed.target, .bytes = packed.bytes};
		err = add(products, product, cta, packed.sources, cta + packed.sources,
			  packed.targets);
		at = (const char *)(cta + packed.sources + packed.targets);
	}
	return err;
}

/* Sends what this rank has to those from first to end, which add it to theirs. */
static int send(struct ct_products *products, struct ct_ranks *ranks, uint32_t first, uint32_t end)
{
	struct ct_buffer buffer = {0};
	const void *data[ranks->size];
	size_t bytes[ranks->size];
	bool is_packed = true;
	int err;

	for (size_t i = 0; first < end && i < products->count && is_packed; i++)
		is_packed = pack(&buffer, products, &products->product[i]);
	for (uint32_t i = 0; i < ranks->size; i++) {
		data[i] = buffer.bytes;
		bytes[i] = i >= first && i < end ? buffer.size : 0;
	}
	err = ct_ranks_agree(ranks, is_packed ? 0 : -ENOMEM);
	if (err == 0)
		err = ranks->trade(ranks, data, bytes, unpack, products);
	ct_buffer_fini(&buffer);
	return err;
}

/* By way of rank 0, so that all ranks have the same in the same order. */
static int share(struct ct_products *products, struct ct_ranks *ranks)
{
	bool is_first = ranks->rank == 0;
	int err;

	products->sets.bytes_left = UINT64_MAX; /* they were bounded on each rank alone */
	err = send(products, ranks, 0, !is_first);
	if (!is_first) {
		ct_cta_sets_fini(&products->sets);
		ct_cta_sets_init(&products->sets, UINT64_MAX);
		products->count = 0;
	}
	return err == 0 ? send(products, ranks, 1, is_first ? ranks->size : 0) : err;
}

static int compare(const void *a, const void *b)
{
	const struct ct_product *x = a, *y = b;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	if (x->sources != y->sources)
		return x->sources < y->sources ? -1 : 1;
	return x->targets < y->targets ? -1 : x->targets > y->targets;
}

/* Products of the same sets and supersteps are one. */
static void join(struct ct_products *products)
{
	size_t kept = 0;

	for (size_t i = 0; i < products->count; i++) {
		struct ct_product *product = &products->product[i];

		if (kept && compare(product, &products->product[kept - 1]) == 0)
			products->product[kept - 1].bytes += product->bytes;
		else
			products->product[kept++] = *product;
	}
	products->count = kept;
}

static int add_group(struct ct_products *products, size_t first, size_t count)
{
	const struct ct_product *product = &products->product[first];
	union ct_map_value *value =
	    ct_map_put(&products->of_steps, (uint64_t)product->source << 32 | product->target, 0);

	if (!value || ct_array_reserve(&products->group, &products->group_room,
				       products->groups + 1, sizeof(*products->group)) < 0)
		return -ENOMEM;
	products->group[products->groups++] = (struct ct_product_group){first, count};
	value->number = products->groups;
	return 0;
}

static int make_groups(struct ct_products *products)
{
	int err = 0;

	for (size_t i = 0, end; i < products->count && err == 0; i = end) {
		const struct ct_product *first = &products->product[i];

		for (end = i + 1;
		     end < products->count && products->product[end].source == first->source &&
		     products->product[end].target == first->target;
		     end++)
			;
		err = add_group(products, i, end - i);
	}
	return err;
}

int ct_products_finish(struct ct_products *products, struct ct_ranks *ranks)
{
	int err = ranks->size > 1 ? share(products, ranks) : 0;

	if (err == 0 && products->count) {
		qsort(products->product, products->count, sizeof(*products->product), compare);
		join(products);
		err = make_groups(products);
	}
	return ct_ranks_agree(ranks, err);
}
