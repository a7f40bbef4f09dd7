/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares what the stages look up: supersteps, kernels, sites, objects, the filter. */
#include "postproc/analysis/comm/base/engine.h"
#include "postproc/facts/filter.h"
#include "postproc/facts/kernel_table.h"
#include "postproc/facts/numbered.h"
#include "postproc/facts/objects.h"
#include "postproc/facts/operation.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DENSITY_BINS 1024u
#define DENSITY_BINS_MAX 4096u
#define STREAMS_TO_FINISH 64u
#define KERNELS_MAX (1u << 24) /* two in the key of a sum */

static uint32_t touch_of(uint32_t operation)
{
	switch (ct_operation_class(operation)) {
	case CT_CLASS_LOAD:
		return CT_TOUCH_READ;
	case CT_CLASS_STORE:
		return CT_TOUCH_WRITE;
	case CT_CLASS_ATOMIC:
		return CT_TOUCH_READ | CT_TOUCH_WRITE;
	default:
		return 0;
	}
}

static int prepare_sites(struct ct_engine *engine)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(engine->trace, &units), at = 0;
	int err = ct_first_sites(engine->trace, &engine->first_site);

	if (err < 0)
		return err;
	engine->sites = engine->first_site[count];
	if (engine->sites >= CT_NO_SITE)
		return -EOVERFLOW;
	engine->site = malloc(((size_t)engine->sites + 1) * sizeof(*engine->site));
	if (!engine->site)
		return -ENOMEM;
	for (uint32_t u = 0; u < count; u++) {
		for (uint32_t s = 0; s < units[u].header->site_count; s++, at++) {
			engine->site[at] = (struct ct_site_of){
			    .unit = u,
			    .site = s,
			    .bytes = units[u].sites[s].bytes,
			    .touch = (uint8_t)touch_of(units[u].sites[s].operation),
			};
			engine->has_atomics |=
			    engine->site[at].touch == (CT_TOUCH_READ | CT_TOUCH_WRITE);
		}
	}
	return 0;
}

static int prepare_kernels(struct ct_engine *engine, struct ct_kernel_table *table)
{
	int err = ct_kernel_table_init(table, engine->trace, NULL);

	if (err < 0)
		return err;
	engine->kernel = calloc(table->count + 1u, sizeof(*engine->kernel));
	if (!engine->kernel)
		return -ENOMEM;
	engine->kernels = table->count;
	for (size_t i = 0; i < engine->kernels; i++)
		engine->kernel[i] = (struct ct_comm_kernel){.name = table->list[i].name,
							    .symbol = table->list[i].symbol};
	return engine->kernels > KERNELS_MAX ? -EOVERFLOW : 0;
}

static uint64_t ctas_of(const struct ct_launch_info *launch)
{
	const uint32_t *grid = launch->event->grid;

	return (uint64_t)grid[0] * grid[1] * grid[2];
}

/* Transfers always pass: they are no CTAs', and shown apart. */
static void fill_steps(struct ct_engine *engine, const uint32_t *kernel_of_launch)
{
	const struct ct_launch_info *first;

	ct_trace_launches(engine->trace, &first);
	for (size_t i = 0; i < engine->supersteps; i++) {
		const struct ct_launch_info *launch = engine->superstep[i].launch;
		struct ct_step *step = &engine->step[i];

		*step = (struct ct_step){
		    .kernel = CT_NONE, .part = engine->superstep[i].part, .passes = 1};
		if (!launch)
			continue;
		step->ctas = ctas_of(launch);
		step->first_cta = engine->launched_ctas;
		engine->launched_ctas += step->ctas;
		step->kernel = kernel_of_launch[launch - first];
		step->passes = ct_filter_launch(engine->filter, launch);
		if (!step->passes)
			continue;
		engine->kernel[step->kernel].launches++;
		if (ctas_of(launch) > engine->ctas)
			engine->ctas = ctas_of(launch);
	}
}

/* Supersteps that are all in one order need no look at clocks. */
static void find_totals(struct ct_engine *engine, size_t first, size_t end)
{
	uint8_t is_total = 1;

	for (size_t i = first + 1; i < end && is_total; i++)
		is_total = ct_order_before(engine->order, (uint32_t)(i - 1), (uint32_t)i);
	for (size_t i = first; i < end; i++) {
		engine->step[i].is_total = is_total;
		engine->step[i].finished = is_total ? (uint32_t)i + 1 : UINT32_MAX;
	}
}

static int compare_stream(const void *a, const void *b, void *user)
{
	const struct ct_superstep *superstep = user;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct ct_superstep *s = &superstep[x], *t = &superstep[y];

	if (s->device != t->device)
		return s->device < t->device ? -1 : 1;
	if (s->stream != t->stream)
		return s->stream < t->stream ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* From the end of the part backwards: member[at] … are one stream's supersteps; those
 * that did not happen before superstep t finish after it at the earliest. */
static void finish_stream(struct ct_engine *engine, const uint32_t *member, size_t count,
			  size_t first, size_t end)
{
	size_t high = count;

	for (size_t t = end; t-- > first && high;) {
		while (high && member[high - 1] >= t) {
			high--; /* it happened before all that come later */
			engine->step[member[high]].finished = member[high] + 1;
		}
		while (high && !ct_order_before(engine->order, member[high - 1], (uint32_t)t))
			engine->step[member[--high]].finished = (uint32_t)t + 1;
	}
}

static int find_finished(struct ct_engine *engine, size_t first, size_t end)
{
	uint32_t *member = malloc((end - first + 1) * sizeof(*member));
	size_t streams = 0, next;

	if (!member)
		return -ENOMEM;
	for (size_t i = first; i < end; i++)
		member[i - first] = (uint32_t)i;
	qsort_r(member, end - first, sizeof(*member), compare_stream,
		(void *)(uintptr_t)engine->superstep);
	for (size_t i = 0; i < end - first && streams < STREAMS_TO_FINISH; i = next) {
		const struct ct_superstep *s = &engine->superstep[member[i]];

		for (next = i + 1; next < end - first; next++) {
			const struct ct_superstep *t = &engine->superstep[member[next]];

			if (t->stream != s->stream || t->device != s->device)
				break;
		}
		finish_stream(engine, member + i, next - i, first, end);
		streams++;
	}
	free(member);
	return 0;
}

static int find_order(struct ct_engine *engine)
{
	size_t end;
	int err = 0;

	for (size_t first = 0; first < engine->supersteps && err == 0; first = end) {
		for (end = first + 1;
		     end < engine->supersteps && engine->step[end].part == engine->step[first].part;
		     end++)
			;
		find_totals(engine, first, end);
		if (!engine->step[first].is_total)
			err = find_finished(engine, first, end);
	}
	return err;
}

static int prepare_steps(struct ct_engine *engine, const uint32_t *kernel_of_launch)
{
	engine->supersteps = ct_order_supersteps(engine->order, &engine->superstep);
	if (engine->supersteps >> CT_SUPERSTEP_BITS)
		return -EOVERFLOW;
	engine->step = calloc(engine->supersteps + 1, sizeof(*engine->step));
	if (!engine->step)
		return -ENOMEM;
	fill_steps(engine, kernel_of_launch);
	return find_order(engine);
}

/* As many bits as each field needs; the last number of a site belongs to none. What is left
 * over is for places in a chunk: an access has a word at least, but records of groups and
 * loops stand for several, of loops for any number. */
int ct_touch_choose_layout(struct ct_touch_layout *layout, const struct ct_touch_limits *limits)
{
	uint64_t last_cta = limits->ctas ? limits->ctas - 1 : 0;
	unsigned chunk_bits = ct_key_bits(limits->chunks), in_chunk_bits, used, room;

	layout->superstep_bits = ct_key_bits(limits->supersteps);
	layout->cta_bits = ct_key_bits(last_cta < UINT32_MAX ? last_cta : UINT32_MAX);
	layout->site_bits = ct_key_bits(limits->sites);
	in_chunk_bits = ct_key_bits(limits->chunk_words | 1);
	if (in_chunk_bits + chunk_bits > CT_ORDER_BITS)
		return -EOVERFLOW;
	used = CT_PAGE_NUMBER_BITS + layout->superstep_bits + layout->cta_bits + layout->site_bits;
	room = used < 64 + CT_TOUCH_REST_BITS ? 64 + CT_TOUCH_REST_BITS - used : 0;
	layout->words = limits->is_wide || in_chunk_bits + chunk_bits > room ? 3 : 2;
	if (layout->words == 3 || room > CT_ORDER_BITS)
		room = CT_ORDER_BITS;
	layout->order_bits = (uint8_t)room;
	layout->in_chunk_bits = (uint8_t)(room - chunk_bits);
	return 0;
}

int ct_engine_choose_layout(struct ct_engine *engine)
{
	struct ct_touch_limits limits = {
	    .supersteps = engine->supersteps, .sites = engine->sites, .is_wide = engine->is_wide};

	ct_trace_record_limits(engine->trace, &limits.chunks, &limits.chunk_words);
	for (size_t i = 0; i < engine->supersteps; i++)
		if (engine->step[i].ctas > limits.ctas)
			limits.ctas = engine->step[i].ctas;
	return ct_touch_choose_layout(&engine->layout, &limits);
}

static int prepare_density(struct ct_engine *engine)
{
	struct ct_comm_options *options = &engine->options;
	uint64_t bins = options->density_bins ? options->density_bins : DENSITY_BINS, ctas;

	if (!options->density_first && !options->density_last)
		options->density_last = engine->ctas ? (uint32_t)(engine->ctas - 1) : 0;
	ctas = (uint64_t)options->density_last - options->density_first + 1;
	if (bins > DENSITY_BINS_MAX)
		bins = DENSITY_BINS_MAX;
	engine->bin_ctas = (ctas + bins - 1) / bins;
	engine->bins = (uint32_t)((ctas + engine->bin_ctas - 1) / engine->bin_ctas);
	engine->cell = calloc((size_t)engine->bins * engine->bins, sizeof(*engine->cell));
	for (uint32_t i = 0; engine->cell && i < CT_CELL_LOCKS; i++)
		pthread_mutex_init(&engine->cell_lock[i], NULL);
	return engine->cell ? 0 : -ENOMEM;
}

int ct_engine_prepare(struct ct_engine *engine)
{
	struct ct_kernel_table kernels = {.list = NULL};
	int err = ct_order_open(&engine->order, engine->trace);

	if (err == 0)
		err = prepare_sites(engine);
	if (err == 0)
		err = prepare_kernels(engine, &kernels);
	if (err == 0)
		err = prepare_steps(engine, kernels.of_launch);
	ct_kernel_table_fini(&kernels);
	if (err == 0)
		err = ct_objects_open(&engine->objects, engine->trace, engine->filter);
	return err == 0 ? prepare_density(engine) : err;
}

void ct_engine_release(struct ct_engine *engine)
{
	ct_objects_close(engine->objects);
	ct_order_close(engine->order);
	for (uint32_t i = 0; engine->cell && i < CT_CELL_LOCKS; i++)
		pthread_mutex_destroy(&engine->cell_lock[i]);
	free(engine->cell);
	free(engine->step);
	free(engine->kernel);
	free(engine->site);
	free(engine->first_site);
}
