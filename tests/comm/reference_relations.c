/* SPDX-License-Identifier: Apache-2.0 */
/* The naive analysis by pairs of kernels and lines, and by object. */
#include "tests/comm/reference.h"

#include <stdlib.h>

/* Ids of CTAs that take part in a pair's messages to others. */
struct ends {
	struct bag degrees;  /* kernels, side, CTA -> partners */
	struct bag partners; /* kernels, source, target */
};

static void relate_transfer(struct reference *r, struct bag *pairs, struct ends *ends,
			    const struct bag_entry *transfer)
{
	uint64_t source = r->kernel[transfer->key[0]], target = r->kernel[transfer->key[2]];
	uint64_t bytes = transfer->value[0], index;
	struct ct_comm_kernel_pair *pair;
	struct bag_entry *entry = bag_at(pairs, source, target, 0, 0);

	if (!entry->value[0])
		entry->value[0] = pairs->count;
	index = entry->value[0] - 1;
	pair = &r->figures.kernel_pair[index];
	pair->source = (uint32_t)source;
	pair->target = (uint32_t)target;
	pair->bytes += bytes;
	if (transfer->key[1] == transfer->key[3]) {
		pair->self_bytes += bytes;
		return;
	}
	pair->transfers++;
	if (!bag_add(&ends->partners, index, transfer->key[1], transfer->key[3], 0))
		return;
	pair->partners++;
	for (int side = 0; side < 2; side++) {
		uint64_t *degree =
		    &bag_at(&ends->degrees, index, (uint64_t)side, transfer->key[side ? 3 : 1], 0)
			 ->value[0];
		uint64_t *max = side ? &pair->in_degree_max : &pair->out_degree_max;

		*(side ? &pair->targets : &pair->sources) += ++*degree == 1;
		*max = *max > *degree ? *max : *degree;
	}
}

static uint64_t largest_grid(const struct reference *r, uint32_t kernel)
{
	uint64_t largest = 0;

	for (uint32_t s = 0; s < r->before.steps; s++) {
		const struct ct_launch_info *launch = before_step(&r->before, s)->launch;
		uint64_t ctas;

		if (!launch || r->kernel[s] != kernel || !r->passes[s])
			continue;
		ctas = (uint64_t)launch->event->grid[0] * launch->event->grid[1] *
		       launch->event->grid[2];
		largest = largest > ctas ? largest : ctas;
	}
	return largest;
}

static void relate_kernels(struct reference *r)
{
	struct ct_comm_figures *f = &r->figures;
	struct bag pairs = {0};
	struct ends ends = {0};

	f->kernel_pair = must_have(f->kernels * f->kernels, sizeof(*f->kernel_pair));
	for (size_t i = 0; i < r->transfers.count; i++)
		relate_transfer(r, &pairs, &ends, &r->transfers.entry[i]);
	for (size_t i = 0; i < r->received.count; i++) {
		const uint64_t *key = r->received.entry[i].key;
		const struct bag_entry *pair = bag_find(&pairs, key[2], r->kernel[key[0]], 0, 0);

		f->kernel_pair[pair->value[0] - 1].distinct_bytes++;
	}
	f->kernel_pairs = pairs.count;
	for (size_t i = 0; i < pairs.count; i++) {
		f->kernel_pair[i].source_ctas = largest_grid(r, f->kernel_pair[i].source);
		f->kernel_pair[i].target_ctas = largest_grid(r, f->kernel_pair[i].target);
	}
	bag_fini(&pairs);
	bag_fini(&ends.degrees);
	bag_fini(&ends.partners);
}

static void relate_lines(struct reference *r)
{
	struct ct_comm_figures *f = &r->figures;

	f->line_pair = must_have(r->lines.count, sizeof(*f->line_pair));
	f->line_pairs = r->lines.count;
	for (size_t i = 0; i < r->lines.count; i++) {
		const struct bag_entry *line = &r->lines.entry[i];
		const struct bag_entry *self = bag_find(&r->self_lines, line->key[0], line->key[1],
							line->key[2], line->key[3]);

		f->line_pair[i] = (struct ct_comm_line_pair){
		    .source_unit = (const struct ct_unit *)(uintptr_t)line->key[0],
		    .source_site = (uint32_t)line->key[1],
		    .target_unit = (const struct ct_unit *)(uintptr_t)line->key[2],
		    .target_site = (uint32_t)line->key[3],
		    .bytes = line->value[0],
		    .loaded_bytes = line->value[1],
		    .self_bytes = self ? self->value[0] : 0,
		    .self_loaded_bytes = self ? self->value[1] : 0,
		};
	}
}

static uint64_t of_object(const struct reference *r, uint64_t group, uint64_t kind, int value)
{
	const struct bag_entry *entry = bag_find(&r->objects, group, kind, 0, 0);

	return entry ? entry->value[value] : 0;
}

static void relate_objects(struct reference *r)
{
	struct ct_comm_figures *f = &r->figures;
	const struct ct_object_info *objects;
	size_t count = ct_trace_objects(r->trace, &objects);

	f->object = must_have(count + 1, sizeof(*f->object));
	for (size_t i = 0; i <= count; i++) {
		uint64_t group = i < count ? i : NO_OBJECT, same = 0;

		if (i < count && reference_group_of(r, &objects[i]) != i)
			continue;
		for (size_t j = i; j < count; j++)
			same += reference_group_of(r, &objects[j]) == i;
		f->object[f->objects++] = (struct ct_comm_object){
		    .object = i < count ? &objects[i] : NULL,
		    .objects = same,
		    .load_bytes = of_object(r, group, 0, 0),
		    .store_bytes = of_object(r, group, 0, 1),
		    .communicated_load_bytes = of_object(r, group, 1, 0),
		    .communicated_store_bytes = of_object(r, group, 1, 1),
		    .others_load_bytes = of_object(r, group, 3, 0),
		    .others_store_bytes = of_object(r, group, 3, 1),
		    .transferred_bytes = of_object(r, group, 2, 0),
		    .self_bytes = of_object(r, group, 4, 0),
		};
	}
}

void reference_relate(struct reference *r)
{
	relate_kernels(r);
	relate_lines(r);
	relate_objects(r);
}
