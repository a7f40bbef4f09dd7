/* SPDX-License-Identifier: Apache-2.0 */
/* Figures from sums. */
#include "postproc/analysis/comm/figures/facts.h"
#include "postproc/analysis/comm/flows/views.h"
#include <cudatrace/unit.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

static int make_histogram(struct ct_comm_histogram *histogram, struct ct_facts facts)
{
	histogram->entry = malloc((facts.count + 1) * sizeof(*histogram->entry));
	if (!histogram->entry)
		return -ENOMEM;
	for (size_t i = 0; i < facts.count; i++)
		if (facts.sum[i].value[0])
			histogram->entry[histogram->count++] =
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
		err =
		    sorted ? make_histogram(histogram, (struct ct_facts){sorted, count}) : -ENOMEM;
	ct_sums_close(sums);
	return err;
}

/* Mean and deviation of what the CTAs of a grid have; the sum has theirs and their squares'. */
static void set_spread(double *mean, double *deviation, const struct ct_superstep *superstep,
		       const struct ct_sum *sum)
{
	const uint32_t *grid = superstep->launch->event->grid;
	double ctas = (double)grid[0] * grid[1] * grid[2];
	/* n * sum of squares - square of sum is exact in 128 bits where doubles are not. */
	unsigned __int128 n = (unsigned __int128)grid[0] * grid[1] * grid[2];
	unsigned __int128 spread =
	    n * sum->value[1] - (unsigned __int128)sum->value[0] * sum->value[0];

	*mean = (double)sum->value[0] / ctas;
	*deviation = sqrt((double)spread) / ctas;
}

static void set_superstep(struct ct_comm_figures *figures, const struct ct_sum *sum)
{
	struct ct_comm_superstep *of = &figures->of_superstep[CT_FACT_REST(sum)];
	const struct ct_superstep *superstep = &figures->superstep[CT_FACT_REST(sum)];

	switch (CT_FACT_OF(sum)) {
	case CT_FACT_STEP_CROSSED:
		of->crossed_bytes = sum->value[0];
		break;
	case CT_FACT_STEP_HOST:
		of->from_host_bytes = sum->value[0];
		of->to_host_bytes = sum->value[1];
		break;
	case CT_FACT_STEP_FLOW:
		of->received_bytes = sum->value[0];
		of->sent_bytes = sum->value[1];
		break;
	case CT_FACT_STEP_SELF:
		of->self_received_bytes = sum->value[0];
		of->self_sent_bytes = sum->value[1];
		break;
	case CT_FACT_STEP_OTHERS:
		of->others_load_bytes = sum->value[0];
		of->others_store_bytes = sum->value[1];
		break;
	case CT_FACT_STEP_VOLUME:
		of->load_bytes = sum->value[0];
		of->store_bytes = sum->value[1];
		break;
	case CT_FACT_STEP_COMMUNICATED:
		of->communicated_load_bytes = sum->value[0];
		of->communicated_store_bytes = sum->value[1];
		break;
	case CT_FACT_STEP_DEGREE:
		set_spread(&of->out_degree_mean, &of->out_degree_sd, superstep, sum);
		break;
	default:
		set_spread(&of->in_degree_mean, &of->in_degree_sd, superstep, sum);
	}
}

static void set_cta(struct ct_comm_figures *figures, const struct ct_sum *sum)
{
	struct ct_comm_cta_figures *cta = &figures->cta[sum->key[1]];

	switch (CT_FACT_OF(sum)) {
	case CT_FACT_CTA_DEGREE:
		cta->in_degree = sum->value[0];
		cta->out_degree = sum->value[1];
		break;
	case CT_FACT_CTA_FLOW:
		cta->received_bytes = sum->value[0];
		cta->sent_bytes = sum->value[1];
		break;
	case CT_FACT_CTA_SELF:
		cta->self_bytes = sum->value[0];
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

/* Sets what is one number each, or in an array by superstep or CTA. */
static void set_plain(struct ct_comm_figures *figures, const struct ct_sum *sum)
{
	uint64_t *volume = (uint64_t *)&figures->volume;

	switch (CT_FACT_OF(sum)) {
	case CT_FACT_VOLUME:
		volume[CT_FACT_REST(sum)] = sum->value[0];
		break;
	case CT_FACT_STEP_HOST:
	case CT_FACT_STEP_CROSSED:
	case CT_FACT_STEP_FLOW:
	case CT_FACT_STEP_SELF:
	case CT_FACT_STEP_OTHERS:
	case CT_FACT_STEP_VOLUME:
	case CT_FACT_STEP_COMMUNICATED:
	case CT_FACT_STEP_DEGREE:
	case CT_FACT_STEP_IN_DEGREE:
		set_superstep(figures, sum);
		break;
	case CT_FACT_CTA_DEGREE:
	case CT_FACT_CTA_FLOW:
	case CT_FACT_CTA_SELF:
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

static void make_bisection(struct ct_comm_figures *figures, struct ct_facts facts)
{
	uint64_t bytes[4] = {0};

	for (size_t i = 0; i < facts.count; i++)
		bytes[CT_FACT_REST(&facts.sum[i])] = facts.sum[i].value[0];
	for (int d = 0; d < 3; d++)
		figures->bisection[d] = (struct ct_comm_bisection){
		    bytes[d], bytes[3] ? (double)bytes[d] / (double)bytes[3] : 0};
}

static int make_density(struct ct_comm_density *density, const struct ct_engine *engine,
			struct ct_facts self)
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
	density->self = calloc(engine->bins + 1, sizeof(*density->self));
	if (!density->cell || !density->self)
		return -ENOMEM;
	for (size_t i = 0; i < self.count; i++)
		for (int v = 0; v < 2; v++)
			density->self[self.sum[i].key[1]][v] = self.sum[i].value[v];
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
		kernel->others_load_bytes += of->others_load_bytes;
		kernel->others_store_bytes += of->others_store_bytes;
		figures->volume.others_load_bytes += of->others_load_bytes;
		figures->volume.others_store_bytes += of->others_store_bytes;
		figures->volume.load_bytes += of->load_bytes;
		figures->volume.store_bytes += of->store_bytes;
		figures->volume.communicated_load_bytes += of->communicated_load_bytes;
		figures->volume.communicated_store_bytes += of->communicated_store_bytes;
	}
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
	int err = make_histogram(&figures->transfer_size, ct_facts_of(all, count, CT_FACT_SIZE));

	if (err == 0)
		err = make_histogram(&figures->distance, ct_facts_of(all, count, CT_FACT_DISTANCE));
	if (err == 0)
		err =
		    make_histogram(&figures->self_size, ct_facts_of(all, count, CT_FACT_SELF_SIZE));
	if (err == 0)
		err = make_histogram(&figures->self_distance,
				     ct_facts_of(all, count, CT_FACT_SELF_DISTANCE));
	if (err == 0)
		err = make_histogram(&figures->load_stride,
				     ct_facts_of(all, count, CT_FACT_LOAD_STRIDE));
	if (err == 0)
		err = make_histogram(&figures->store_stride,
				     ct_facts_of(all, count, CT_FACT_STORE_STRIDE));
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
		err = make_density(&figures->density, engine,
				   ct_facts_of(all, count, CT_FACT_SELF_CELL));
	if (err == 0)
		err = ct_views_make(figures, engine);
	if (err == 0)
		err = ct_figures_lists(figures, engine, all, count);
	if (err < 0)
		return err;
	make_bisection(figures, ct_facts_of(all, count, CT_FACT_BISECTION));
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
	free(figures->self_size.entry);
	free(figures->self_distance.entry);
	free(figures->in_degree.entry);
	free(figures->out_degree.entry);
	free(figures->load_stride.entry);
	free(figures->store_stride.entry);
	free(figures->density.cell);
	free(figures->density.self);
	for (size_t i = 0; i < figures->views.count; i++)
		free(figures->views.view[i].cell);
	free(figures->views.view);
	free(figures->kernel);
	free(figures->kernel_pair);
	free(figures->line_pair);
	free(figures->object);
}
