/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of kernels, and how many partners their CTAs have. */
#include "postproc/analysis/comm/flows/kernel_pairs.h"
#include "postproc/analysis/comm/flows/dense.h"
#include "postproc/analysis/comm/flows/flows.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>

void ct_kernel_pairs_init(struct ct_kernel_pairs *pairs, const struct ct_engine *engine)
{
	*pairs = (struct ct_kernel_pairs){
	    .engine = engine,
	    .in_degrees = engine->memory_bytes / 16 / engine->threads / sizeof(uint32_t),
	};
}

void ct_kernel_pairs_fini(struct ct_kernel_pairs *pairs)
{
	for (struct ct_map_entry *entry = ct_map_next(&pairs->pairs, NULL); entry;
	     entry = ct_map_next(&pairs->pairs, entry)) {
		struct ct_kernel_pair *pair = entry->value.pointer;

		if (pair)
			free(pair->in_degree);
		free(pair);
	}
	ct_map_fini(&pairs->pairs);
	free(pairs->used);
	*pairs = (struct ct_kernel_pairs){.engine = NULL};
}

static struct ct_kernel_pair *make(struct ct_kernel_pairs *pairs, uint64_t key)
{
	uint64_t ctas = pairs->engine->ctas;
	struct ct_kernel_pair *pair = calloc(1, sizeof(*pair));

	if (!pair)
		return NULL;
	pair->key = key;
	pair->cover = ct_cover_of_pair(&pairs->engine->dense->covers, key);
	if (ctas <= pairs->in_degrees)
		pair->in_degree = calloc(ctas, sizeof(*pair->in_degree));
	if (pair->in_degree)
		pairs->in_degrees -= ctas;
	return pair;
}

struct ct_kernel_pair *ct_kernel_pairs_find(struct ct_kernel_pairs *pairs, uint64_t key)
{
	union ct_map_value *value = ct_map_put(&pairs->pairs, key, 0);

	if (value && !value->pointer)
		value->pointer = make(pairs, key);
	pairs->last = value ? value->pointer : NULL;
	return pairs->last;
}

int ct_kernel_pairs_use(struct ct_kernel_pairs *pairs, struct ct_kernel_pair *pair)
{
	if (pair->is_used)
		return 0;
	if (ct_array_reserve(&pairs->used, &pairs->used_room, pairs->used_count + 1,
			     sizeof(struct ct_kernel_pair *)) < 0)
		return -ENOMEM;
	pair->is_used = true;
	pairs->used[pairs->used_count++] = pair;
	return 0;
}

int ct_kernel_pairs_end_source(struct ct_kernel_pairs *pairs, struct ct_sums *sums, uint32_t source)
{
	int err = 0;

	for (size_t i = 0; i < pairs->used_count; i++) {
		struct ct_kernel_pair *pair = pairs->used[i];

		if (err == 0)
			err = ct_fact_add(sums, CT_FACT_PAIR_OUT, pair->key, source,
					  pair->out_degree, 0);
		pair->out_degree = 0;
		pair->target = 0;
		pair->is_used = false;
	}
	pairs->used_count = 0;
	return err;
}

static int add(const struct ct_kernel_pair *pair, struct ct_sums *sums, uint64_t ctas)
{
	int err = ct_fact_add(sums, CT_FACT_PAIR, pair->key, 0, pair->transfers, pair->bytes);

	if (err == 0)
		err = ct_fact_add(sums, CT_FACT_PAIR_SELF, pair->key, 0, pair->self_bytes, 0);
	for (uint64_t cta = 0; pair->in_degree && cta < ctas && err == 0; cta++)
		err = ct_fact_add(sums, CT_FACT_PAIR_IN, pair->key, cta, pair->in_degree[cta], 0);
	return err;
}

int ct_kernel_pairs_add(const struct ct_kernel_pairs *pairs, struct ct_sums *sums)
{
	int err = 0;

	for (const struct ct_map_entry *entry = ct_map_next(&pairs->pairs, NULL); entry && err == 0;
	     entry = ct_map_next(&pairs->pairs, entry))
		if (entry->value.pointer)
			err = add(entry->value.pointer, sums, pairs->engine->ctas);
	return err;
}
