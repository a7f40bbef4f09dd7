/* SPDX-License-Identifier: Apache-2.0 */
/* Figures that are lists: kernel pairs, pairs of lines, objects. */
#include "postproc/analysis/comm/figures/facts.h"
#include "postproc/analysis/comm/figures/pattern.h"
#include "postproc/facts/objects.h"
#include <errno.h>
#include <stdlib.h>

static struct ct_comm_kernel_pair *pair_of(struct ct_comm_figures *figures, uint64_t key)
{
	uint32_t source = (uint32_t)(key >> 24), target = (uint32_t)(key & 0xffffff);
	size_t low = 0, high = figures->kernel_pairs;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct ct_comm_kernel_pair *pair = &figures->kernel_pair[middle];

		if (CT_PAIR_KEY(pair->source, pair->target) < CT_PAIR_KEY(source, target))
			low = middle + 1;
		else
			high = middle;
	}
	return &figures->kernel_pair[low];
}

static void add_partners(struct ct_comm_figures *figures, struct ct_facts out, struct ct_facts in)
{
	for (size_t i = 0; i < out.count; i++) {
		struct ct_comm_kernel_pair *pair = pair_of(figures, CT_FACT_REST(&out.sum[i]));
		uint64_t degree = out.sum[i].value[0];

		pair->sources++;
		pair->partners += degree;
		if (degree > pair->out_degree_max)
			pair->out_degree_max = degree;
	}
	for (size_t i = 0; i < in.count; i++) {
		struct ct_comm_kernel_pair *pair = pair_of(figures, CT_FACT_REST(&in.sum[i]));

		pair->targets++;
		if (in.sum[i].value[0] > pair->in_degree_max)
			pair->in_degree_max = in.sum[i].value[0];
	}
}

static uint64_t largest_grid(const struct ct_engine *engine, uint32_t kernel)
{
	uint64_t ctas, most = 0;

	for (size_t i = 0; i < engine->supersteps; i++) {
		const uint32_t *grid;

		if (engine->step[i].kernel != kernel || !engine->step[i].passes)
			continue;
		grid = engine->superstep[i].launch->event->grid;
		ctas = (uint64_t)grid[0] * grid[1] * grid[2];
		most = ctas > most ? ctas : most;
	}
	return most;
}

static int compare_pair(const void *a, const void *b)
{
	const struct ct_comm_kernel_pair *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return x->target < y->target ? -1 : x->target > y->target;
}

static int make_pairs(struct ct_comm_figures *figures, const struct ct_engine *engine,
		      const struct ct_sum *all, size_t count)
{
	struct ct_facts facts = ct_facts_of(all, count, CT_FACT_PAIR);
	struct ct_facts self = ct_facts_of(all, count, CT_FACT_PAIR_SELF);
	uint64_t *grid = malloc((engine->kernels + 1) * sizeof(*grid));

	figures->kernel_pair = calloc(facts.count + 1, sizeof(*figures->kernel_pair));
	if (!figures->kernel_pair || !grid) {
		free(grid);
		return -ENOMEM;
	}
	for (uint32_t k = 0; k < engine->kernels; k++)
		grid[k] = largest_grid(engine, k);
	figures->kernel_pairs = facts.count;
	for (size_t i = 0; i < facts.count; i++) {
		uint64_t key = CT_FACT_REST(&facts.sum[i]);
		uint32_t source = (uint32_t)(key >> 24), target = (uint32_t)(key & 0xffffff);

		figures->kernel_pair[i] = (struct ct_comm_kernel_pair){
		    .source = source,
		    .target = target,
		    .transfers = facts.sum[i].value[0],
		    .bytes = facts.sum[i].value[1],
		    .source_ctas = grid[source],
		    .target_ctas = grid[target],
		};
	}
	for (size_t i = 0; i < self.count; i++) {
		struct ct_comm_kernel_pair *pair = pair_of(figures, CT_FACT_REST(&self.sum[i]));

		pair->self_bytes = self.sum[i].value[0];
		pair->distinct_bytes = self.sum[i].value[1];
	}
	add_partners(figures, ct_facts_of(all, count, CT_FACT_PAIR_OUT),
		     ct_facts_of(all, count, CT_FACT_PAIR_IN));
	for (size_t i = 0; i < figures->kernel_pairs; i++)
		figures->kernel_pair[i].pattern = ct_pattern_of(&figures->kernel_pair[i]);
	qsort(figures->kernel_pair, figures->kernel_pairs, sizeof(*figures->kernel_pair),
	      compare_pair);
	free(grid);
	return 0;
}

int ct_compare_lines(const void *a, const void *b)
{
	const struct ct_comm_line_pair *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	if (x->source_unit != y->source_unit)
		return x->source_unit < y->source_unit ? -1 : 1;
	if (x->source_site != y->source_site)
		return x->source_site < y->source_site ? -1 : 1;
	if (x->target_unit != y->target_unit)
		return x->target_unit < y->target_unit ? -1 : 1;
	return x->target_site < y->target_site ? -1 : x->target_site > y->target_site;
}

/* Both ascend by site; self messages are of lines that are there. */
static int make_lines(struct ct_comm_figures *figures, const struct ct_engine *engine,
		      struct ct_facts facts, struct ct_facts self)
{
	size_t s = 0;
	const struct ct_unit *units;

	ct_trace_units(engine->trace, &units);
	figures->line_pair = malloc((facts.count + 1) * sizeof(*figures->line_pair));
	if (!figures->line_pair)
		return -ENOMEM;
	figures->line_pairs = facts.count;
	for (size_t i = 0; i < facts.count; i++) {
		const struct ct_site_of *source = &engine->site[facts.sum[i].key[1] >> 32];
		const struct ct_site_of *target = &engine->site[(uint32_t)facts.sum[i].key[1]];

		figures->line_pair[i] = (struct ct_comm_line_pair){
		    .source_unit = &units[source->unit],
		    .target_unit = &units[target->unit],
		    .source_site = source->site,
		    .target_site = target->site,
		    .bytes = facts.sum[i].value[0],
		    .loaded_bytes = facts.sum[i].value[1],
		};
		if (s == self.count || self.sum[s].key[1] != facts.sum[i].key[1])
			continue;
		figures->line_pair[i].self_bytes = self.sum[s].value[0];
		figures->line_pair[i].self_loaded_bytes = self.sum[s++].value[1];
	}
	qsort(figures->line_pair, figures->line_pairs, sizeof(*figures->line_pair),
	      ct_compare_lines);
	return 0;
}

static void add_objects(struct ct_comm_figures *figures, struct ct_facts facts)
{
	for (size_t i = 0; i < facts.count; i++) {
		struct ct_comm_object *object = &figures->object[CT_FACT_REST(&facts.sum[i])];
		const uint64_t *value = facts.sum[i].value;

		switch (CT_FACT_OF(&facts.sum[i])) {
		case CT_FACT_OBJECT:
			object->load_bytes = value[0];
			object->store_bytes = value[1];
			break;
		case CT_FACT_OBJECT_COMMUNICATED:
			object->communicated_load_bytes = value[0];
			object->communicated_store_bytes = value[1];
			break;
		case CT_FACT_OBJECT_OTHERS:
			object->others_load_bytes = value[0];
			object->others_store_bytes = value[1];
			break;
		case CT_FACT_OBJECT_SELF:
			object->self_bytes = value[0];
			break;
		default:
			object->transferred_bytes = value[0];
		}
	}
}

int ct_compare_objects(const void *a, const void *b)
{
	const struct ct_comm_object *x = a, *y = b;

	if (x->transferred_bytes != y->transferred_bytes)
		return x->transferred_bytes > y->transferred_bytes ? -1 : 1;
	return x->object < y->object ? -1 : x->object > y->object;
}

static int make_objects(struct ct_comm_figures *figures, const struct ct_engine *engine,
			const struct ct_sum *all, size_t count)
{
	uint32_t groups = ct_objects_groups(engine->objects);
	size_t kept = 0;

	figures->object = calloc(groups, sizeof(*figures->object));
	if (!figures->object)
		return -ENOMEM;
	for (uint32_t i = 0; i < groups; i++)
		figures->object[i].object =
		    ct_objects_of_group(engine->objects, i, &figures->object[i].objects);
	add_objects(figures, ct_facts_of(all, count, CT_FACT_OBJECT));
	add_objects(figures, ct_facts_of(all, count, CT_FACT_OBJECT_COMMUNICATED));
	add_objects(figures, ct_facts_of(all, count, CT_FACT_OBJECT_FLOW));
	add_objects(figures, ct_facts_of(all, count, CT_FACT_OBJECT_OTHERS));
	add_objects(figures, ct_facts_of(all, count, CT_FACT_OBJECT_SELF));
	for (uint32_t i = 0; i < groups; i++)
		if (figures->object[i].load_bytes || figures->object[i].store_bytes)
			figures->object[kept++] = figures->object[i];
	figures->objects = kept;
	qsort(figures->object, kept, sizeof(*figures->object), ct_compare_objects);
	return 0;
}

int ct_figures_lists(struct ct_comm_figures *figures, const struct ct_engine *engine,
		     const struct ct_sum *all, size_t count)
{
	int err = make_pairs(figures, engine, all, count);

	if (err == 0)
		err = make_lines(figures, engine, ct_facts_of(all, count, CT_FACT_LINE),
				 ct_facts_of(all, count, CT_FACT_LINE_SELF));
	return err == 0 ? make_objects(figures, engine, all, count) : err;
}
