/* SPDX-License-Identifier: Apache-2.0 */
/* Figures from sums. */
#include "engine.h"
#include "objects.h"
#include "pattern.h"
#include <cudatrace/unit.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define REST(sum) ((sum)->key[0] & ((1ull << 56) - 1))
#define FACT(sum) ((enum ct_fact)((sum)->key[0] >> 56))

/* The sums of one kind. */
struct facts {
	const struct ct_sum *sum;
	size_t count;
};

static struct facts facts_of(const struct ct_sum *all, size_t count, enum ct_fact fact)
{
	size_t low = 0, high = count, first;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (FACT(&all[middle]) < fact)
			low = middle + 1;
		else
			high = middle;
	}
	for (first = low; low < count && FACT(&all[low]) == fact; low++)
		;
	return (struct facts){all + first, low - first};
}

static int make_histogram(struct ct_comm_histogram *histogram, struct facts facts)
{
	histogram->entry = malloc((facts.count + 1) * sizeof(*histogram->entry));
	if (!histogram->entry)
		return -ENOMEM;
	histogram->count = facts.count;
	for (size_t i = 0; i < facts.count; i++)
		histogram->entry[i] =
		    (struct ct_comm_count){facts.sum[i].key[1], facts.sum[i].value[0]};
	return 0;
}

/* CTAs by partners: offset is that of in_degree or out_degree. */
static int make_degrees(struct ct_comm_histogram *histogram, const struct ct_comm_figures *figures,
			bool is_out)
{
	struct ct_sums *sums;
	const struct ct_sum *sorted;
	size_t count;
	int err = ct_sums_open(&sums);

	for (uint64_t i = 0; i < figures->ctas && err == 0; i++)
		err = ct_sums_add(
		    sums, 0, is_out ? figures->cta[i].out_degree : figures->cta[i].in_degree, 1, 0);
	sorted = err == 0 ? ct_sums_sorted(sums, &count) : NULL;
	if (err == 0)
		err = sorted ? make_histogram(histogram, (struct facts){sorted, count}) : -ENOMEM;
	ct_sums_close(sums);
	return err;
}

static void set_degree(struct ct_comm_superstep *of, const struct ct_superstep *superstep,
		       const struct ct_sum *sum)
{
	const uint32_t *grid = superstep->launch->event->grid;
	double ctas = (double)grid[0] * grid[1] * grid[2];
	double mean = (double)sum->value[0] / ctas;
	/* n * sum of squares - square of sum is exact in 128 bits where doubles are not. */
	unsigned __int128 n = (unsigned __int128)grid[0] * grid[1] * grid[2];
	unsigned __int128 spread =
	    n * sum->value[1] - (unsigned __int128)sum->value[0] * sum->value[0];

	of->out_degree_mean = mean;
	of->out_degree_sd = sqrt((double)spread) / ctas;
}

static void set_superstep(struct ct_comm_figures *figures, const struct ct_sum *sum)
{
	struct ct_comm_superstep *of = &figures->of_superstep[REST(sum)];

	switch (FACT(sum)) {
	case CT_FACT_STEP_HOST:
		of->from_host_bytes = sum->value[0];
		of->to_host_bytes = sum->value[1];
		break;
	case CT_FACT_STEP_FLOW:
		of->received_bytes = sum->value[0];
		of->sent_bytes = sum->value[1];
		break;
	case CT_FACT_STEP_VOLUME:
		of->load_bytes = sum->value[0];
		of->store_bytes = sum->value[1];
		break;
	case CT_FACT_STEP_COMMUNICATED:
		of->communicated_load_bytes = sum->value[0];
		of->communicated_store_bytes = sum->value[1];
		break;
	default:
		set_degree(of, &figures->superstep[REST(sum)], sum);
	}
}

static void set_cta(struct ct_comm_figures *figures, const struct ct_sum *sum)
{
	struct ct_comm_cta_figures *cta = &figures->cta[sum->key[1]];

	switch (FACT(sum)) {
	case CT_FACT_CTA_DEGREE:
		cta->in_degree = sum->value[0];
		cta->out_degree = sum->value[1];
		break;
	case CT_FACT_CTA_FLOW:
		cta->received_bytes = sum->value[0];
		cta->sent_bytes = sum->value[1];
		break;
	case CT_FACT_CTA_LOAD_STRIDE:
		cta->load_strides = sum->value[0];
		cta->load_stride_sum = sum->value[1];
		break;
	case CT_FACT_CTA_STORE_STRIDE:
		cta->store_strides = sum->value[0];
		cta->store_stride_sum = sum->value[1];
		break;
	default:
		cta->load_stride_max = sum->value[0];
		cta->store_stride_max = sum->value[1];
	}
}

/* What is one number each, or in an array by superstep or CTA. */
static void set_plain(struct ct_comm_figures *figures, const struct ct_sum *sum)
{
	uint64_t *volume = (uint64_t *)&figures->volume;

	switch (FACT(sum)) {
	case CT_FACT_VOLUME:
		volume[REST(sum)] = sum->value[0];
		break;
	case CT_FACT_STEP_HOST:
	case CT_FACT_STEP_FLOW:
	case CT_FACT_STEP_VOLUME:
	case CT_FACT_STEP_COMMUNICATED:
	case CT_FACT_STEP_DEGREE:
		set_superstep(figures, sum);
		break;
	case CT_FACT_CTA_DEGREE:
	case CT_FACT_CTA_FLOW:
	case CT_FACT_CTA_LOAD_STRIDE:
	case CT_FACT_CTA_STORE_STRIDE:
	case CT_FACT_CTA_STRIDE_MAX:
		set_cta(figures, sum);
		break;
	case CT_FACT_DAMAGE:
		figures->damaged_chunks = sum->value[0];
		figures->spilled_bytes = sum->value[1];
		break;
	default:
		break;
	}
}

static void make_bisection(struct ct_comm_figures *figures, struct facts facts)
{
	uint64_t bytes[4] = {0};

	for (size_t i = 0; i < facts.count; i++)
		bytes[REST(&facts.sum[i])] = facts.sum[i].value[0];
	for (int d = 0; d < 3; d++)
		figures->bisection[d] = (struct ct_comm_bisection){
		    bytes[d], bytes[3] ? (double)bytes[d] / (double)bytes[3] : 0};
}

static int make_density(struct ct_comm_density *density, const struct ct_engine *engine)
{
	uint64_t cells = 0;

	*density = (struct ct_comm_density){
	    .first_cta = engine->options.density_first,
	    .last_cta = engine->options.density_last,
	    .ctas_per_bin = engine->bin_ctas,
	    .bins = engine->bins,
	};
	for (size_t i = 0; i < (size_t)engine->bins * engine->bins; i++)
		cells += engine->cell[i][0] != 0;
	density->cell = malloc((cells + 1) * sizeof(*density->cell));
	if (!density->cell)
		return -ENOMEM;
	for (uint32_t s = 0; s < engine->bins; s++)
		for (uint32_t t = 0; t < engine->bins; t++) {
			const uint64_t *cell = engine->cell[(size_t)s * engine->bins + t];

			if (cell[0])
				density->cell[density->cells++] =
				    (struct ct_comm_cell){s, t, cell[0], cell[1]};
		}
	return 0;
}

static void make_kernels(struct ct_comm_figures *figures, const struct ct_engine *engine)
{
	for (size_t i = 0; i < figures->supersteps; i++) {
		const struct ct_comm_superstep *of = &figures->of_superstep[i];
		struct ct_comm_kernel *kernel;

		if (engine->step[i].kernel == CT_NONE)
			continue;
		kernel = &figures->kernel[engine->step[i].kernel];
		kernel->load_bytes += of->load_bytes;
		kernel->store_bytes += of->store_bytes;
		kernel->communicated_load_bytes += of->communicated_load_bytes;
		kernel->communicated_store_bytes += of->communicated_store_bytes;
		figures->volume.load_bytes += of->load_bytes;
		figures->volume.store_bytes += of->store_bytes;
		figures->volume.communicated_load_bytes += of->communicated_load_bytes;
		figures->volume.communicated_store_bytes += of->communicated_store_bytes;
	}
}

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

static void add_partners(struct ct_comm_figures *figures, struct facts out, struct facts in)
{
	for (size_t i = 0; i < out.count; i++) {
		struct ct_comm_kernel_pair *pair = pair_of(figures, REST(&out.sum[i]));
		uint64_t degree = out.sum[i].value[0];

		pair->sources++;
		pair->partners += degree;
		if (degree > pair->out_degree_max)
			pair->out_degree_max = degree;
	}
	for (size_t i = 0; i < in.count; i++) {
		struct ct_comm_kernel_pair *pair = pair_of(figures, REST(&in.sum[i]));

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
	struct facts facts = facts_of(all, count, CT_FACT_PAIR);
	struct facts self = facts_of(all, count, CT_FACT_PAIR_SELF);
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
		uint64_t key = REST(&facts.sum[i]);
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
		struct ct_comm_kernel_pair *pair = pair_of(figures, REST(&self.sum[i]));

		pair->self_bytes = self.sum[i].value[0];
		pair->distinct_bytes = self.sum[i].value[1];
	}
	add_partners(figures, facts_of(all, count, CT_FACT_PAIR_OUT),
		     facts_of(all, count, CT_FACT_PAIR_IN));
	for (size_t i = 0; i < figures->kernel_pairs; i++)
		figures->kernel_pair[i].pattern = ct_pattern_of(&figures->kernel_pair[i]);
	qsort(figures->kernel_pair, figures->kernel_pairs, sizeof(*figures->kernel_pair),
	      compare_pair);
	free(grid);
	return 0;
}

static int compare_line(const void *a, const void *b)
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

static int make_lines(struct ct_comm_figures *figures, const struct ct_engine *engine,
		      struct facts facts)
{
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
	}
	qsort(figures->line_pair, figures->line_pairs, sizeof(*figures->line_pair), compare_line);
	return 0;
}

static void add_objects(struct ct_comm_figures *figures, struct facts facts)
{
	for (size_t i = 0; i < facts.count; i++) {
		struct ct_comm_object *object = &figures->object[REST(&facts.sum[i])];
		const uint64_t *value = facts.sum[i].value;

		switch (FACT(&facts.sum[i])) {
		case CT_FACT_OBJECT:
			object->load_bytes = value[0];
			object->store_bytes = value[1];
			break;
		case CT_FACT_OBJECT_COMMUNICATED:
			object->communicated_load_bytes = value[0];
			object->communicated_store_bytes = value[1];
			break;
		default:
			object->transferred_bytes = value[0];
		}
	}
}

static int compare_object(const void *a, const void *b)
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
	add_objects(figures, facts_of(all, count, CT_FACT_OBJECT));
	add_objects(figures, facts_of(all, count, CT_FACT_OBJECT_COMMUNICATED));
	add_objects(figures, facts_of(all, count, CT_FACT_OBJECT_FLOW));
	for (uint32_t i = 0; i < groups; i++)
		if (figures->object[i].load_bytes || figures->object[i].store_bytes)
			figures->object[kept++] = figures->object[i];
	figures->objects = kept;
	qsort(figures->object, kept, sizeof(*figures->object), compare_object);
	return 0;
}

static int allocate(struct ct_comm_figures *figures, const struct ct_engine *engine)
{
	figures->superstep = engine->superstep;
	figures->supersteps = engine->supersteps;
	figures->of_superstep = calloc(engine->supersteps + 1, sizeof(*figures->of_superstep));
	figures->ctas = engine->ctas;
	figures->stride_step = engine->stride_step;
	figures->cta = calloc(engine->ctas + 1, sizeof(*figures->cta));
	figures->kernel = malloc((engine->kernels + 1) * sizeof(*figures->kernel));
	figures->kernels = engine->kernels;
	if (!figures->of_superstep || !figures->cta || !figures->kernel)
		return -ENOMEM;
	for (size_t i = 0; i < engine->kernels; i++)
		figures->kernel[i] = engine->kernel[i];
	for (size_t i = 0; i < engine->supersteps; i++)
		figures->of_superstep[i].passes = engine->step[i].passes;
	return 0;
}

static void count_launches(struct ct_comm_figures *figures)
{
	for (size_t i = 0; i < figures->supersteps; i++) {
		const struct ct_launch_info *launch = figures->superstep[i].launch;

		if (!launch || !figures->of_superstep[i].passes)
			continue;
		figures->launches++;
		figures->traced_launches += (launch->event->flags & CT_LAUNCH_TRACED) != 0;
	}
}

static int make_histograms(struct ct_comm_figures *figures, const struct ct_sum *all, size_t count)
{
	int err = make_histogram(&figures->transfer_size, facts_of(all, count, CT_FACT_SIZE));

	if (err == 0)
		err = make_histogram(&figures->distance, facts_of(all, count, CT_FACT_DISTANCE));
	if (err == 0)
		err = make_histogram(&figures->load_stride,
				     facts_of(all, count, CT_FACT_LOAD_STRIDE));
	if (err == 0)
		err = make_histogram(&figures->store_stride,
				     facts_of(all, count, CT_FACT_STORE_STRIDE));
	if (err == 0)
		err = make_degrees(&figures->in_degree, figures, false);
	return err == 0 ? make_degrees(&figures->out_degree, figures, true) : err;
}

int ct_figures_make(struct ct_comm_figures *figures, struct ct_engine *engine)
{
	size_t count;
	const struct ct_sum *all = ct_sums_sorted(engine->sums, &count);
	int err = all ? allocate(figures, engine) : -ENOMEM;

	for (size_t i = 0; i < count && err == 0; i++)
		set_plain(figures, &all[i]);
	if (err == 0)
		err = make_histograms(figures, all, count);
	if (err == 0)
		err = make_density(&figures->density, engine);
	if (err == 0)
		err = make_pairs(figures, engine, all, count);
	if (err == 0)
		err = make_lines(figures, engine, facts_of(all, count, CT_FACT_LINE));
	if (err == 0)
		err = make_objects(figures, engine, all, count);
	if (err < 0)
		return err;
	make_bisection(figures, facts_of(all, count, CT_FACT_BISECTION));
	make_kernels(figures, engine);
	count_launches(figures);
	return 0;
}

void ct_figures_release(struct ct_comm_figures *figures)
{
	free(figures->of_superstep);
	free(figures->cta);
	free(figures->transfer_size.entry);
	free(figures->distance.entry);
	free(figures->in_degree.entry);
	free(figures->out_degree.entry);
	free(figures->load_stride.entry);
	free(figures->store_stride.entry);
	free(figures->density.cell);
	free(figures->kernel);
	free(figures->kernel_pair);
	free(figures->line_pair);
	free(figures->object);
}
