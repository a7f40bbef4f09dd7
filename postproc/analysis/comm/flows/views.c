/* SPDX-License-Identifier: Apache-2.0 */
/* Density and distance by launches that read, and by pair of kernels. */
#include "postproc/analysis/comm/flows/views.h"
#include <errno.h>
#include <stdlib.h>

#define SLOTS_MAX 32u
#define KERNELS_MAX 16u
#define BINS_MAX 64u
#define NO_VIEW SIZE_MAX

/* Launches that pass, dealt out to slots in their order. */
static void choose_slots(struct ct_views *views, const struct ct_engine *engine)
{
	uint64_t launches = 0, per_slot, at = 0;

	for (size_t s = 0; s < engine->supersteps; s++)
		launches += engine->step[s].kernel != CT_NONE && engine->step[s].passes;
	per_slot = (launches + SLOTS_MAX - 1) / SLOTS_MAX;
	for (size_t s = 0; s < engine->supersteps; s++) {
		bool counts = engine->step[s].kernel != CT_NONE && engine->step[s].passes;

		views->slot[s] = counts ? (uint32_t)(at++ / per_slot) : CT_NONE;
	}
	views->slots = launches ? (uint32_t)((launches - 1) / per_slot + 1) : 0;
}

/* The kernels that launch most CTAs; of two that launch as many, the first. */
static void choose_kernels(struct ct_views *views, const struct ct_engine *engine, uint64_t *ctas)
{
	for (size_t k = 0; k < engine->kernels; k++)
		views->place[k] = CT_NONE;
	for (size_t s = 0; s < engine->supersteps; s++)
		if (engine->step[s].kernel != CT_NONE && engine->step[s].passes)
			ctas[engine->step[s].kernel] += engine->step[s].ctas;
	while (views->kernels < KERNELS_MAX) {
		size_t most = engine->kernels;

		for (size_t k = 0; k < engine->kernels; k++)
			if (views->place[k] == CT_NONE && ctas[k] &&
			    (most == engine->kernels || ctas[k] > ctas[most]))
				most = k;
		if (most == engine->kernels)
			return;
		views->place[most] = views->kernels++;
	}
}

int ct_views_open(struct ct_views **out, const struct ct_engine *engine)
{
	struct ct_views *views = calloc(1, sizeof(*views));
	uint64_t *ctas = calloc(engine->kernels + 1, sizeof(*ctas));

	*out = views;
	if (!views || !ctas)
		goto no_memory;
	views->merged = (engine->bins + BINS_MAX - 1) / BINS_MAX;
	views->bins = (engine->bins + views->merged - 1) / views->merged;
	views->slot = malloc((engine->supersteps + 1) * sizeof(*views->slot));
	views->place = malloc((engine->kernels + 1) * sizeof(*views->place));
	if (!views->slot || !views->place)
		goto no_memory;
	choose_slots(views, engine);
	choose_kernels(views, engine, ctas);
	views->words = 2 * (size_t)views->bins * views->bins + CT_COMM_VIEW_DISTANCES;
	views->views = views->slots + (size_t)views->kernels * views->kernels;
	views->word = calloc(views->views * views->words + 1, sizeof(*views->word));
	free(ctas);
	if (views->word)
		return 0;
	ctas = NULL;

no_memory:
	free(ctas);
	ct_views_close(views);
	*out = NULL;
	return -ENOMEM;
}

void ct_views_close(struct ct_views *views)
{
	if (!views)
		return;
	free(views->slot);
	free(views->place);
	free(views->word);
	free(views);
}

/* The views that transfers between two supersteps belong to. */
static void find(const struct ct_engine *engine, uint32_t source, uint32_t target, size_t view[2])
{
	const struct ct_views *views = engine->views;
	uint32_t from = views->place[engine->step[source].kernel];
	uint32_t to = views->place[engine->step[target].kernel];

	view[0] = views->slot[target] == CT_NONE ? NO_VIEW : views->slot[target];
	view[1] = from == CT_NONE || to == CT_NONE
		      ? NO_VIEW
		      : views->slots + (size_t)from * views->kernels + to;
}

static uint64_t *words_of(const struct ct_views *views, size_t view)
{
	return views->word + view * views->words;
}

static size_t cells_of(const struct ct_views *views)
{
	return (size_t)views->bins * views->bins;
}

/* 0, 1, then from one power of two to the next. */
static unsigned distance_bin(uint64_t distance)
{
	return distance ? 64 - (unsigned)__builtin_clzll(distance) : 0;
}

void ct_views_add_distance(const struct ct_engine *engine, uint32_t source, uint32_t target,
			   uint64_t bytes)
{
	unsigned bin;
	size_t view[2];

	if (!engine->views)
		return;
	bin = distance_bin(ct_order_distance(engine->order, source, target));
	find(engine, source, target, view);
	for (int i = 0; i < 2; i++)
		if (view[i] != NO_VIEW)
			__atomic_add_fetch(words_of(engine->views, view[i]) +
					       2 * cells_of(engine->views) + bin,
					   bytes, __ATOMIC_RELAXED);
}

void ct_views_add_cell(const struct ct_engine *engine, uint64_t supersteps, uint32_t source,
		       uint32_t target, uint64_t transfers, uint64_t bytes)
{
	const struct ct_views *views = engine->views;
	size_t cell, view[2];

	if (!views)
		return;
	cell = (size_t)(source / views->merged) * views->bins + target / views->merged;
	find(engine, (uint32_t)(supersteps >> 32), (uint32_t)supersteps, view);
	for (int i = 0; i < 2; i++) {
		uint64_t *word;

		if (view[i] == NO_VIEW)
			continue;
		word = words_of(views, view[i]) + 2 * cell;
		__atomic_add_fetch(&word[0], transfers, __ATOMIC_RELAXED);
		__atomic_add_fetch(&word[1], bytes, __ATOMIC_RELAXED);
	}
}

uint64_t *ct_views_cells(const struct ct_engine *engine)
{
	return engine->views ? calloc(2 * cells_of(engine->views) + 1, sizeof(uint64_t)) : NULL;
}

void ct_views_gather(const struct ct_engine *engine, uint64_t *cells, uint32_t source,
		     uint32_t target, uint64_t transfers, uint64_t bytes)
{
	const struct ct_views *views = engine->views;
	size_t cell;

	if (!cells)
		return;
	cell = (size_t)(source / views->merged) * views->bins + target / views->merged;
	cells[2 * cell] += transfers;
	cells[2 * cell + 1] += bytes;
}

void ct_views_add_cells(const struct ct_engine *engine, uint32_t source, uint32_t target,
			const uint64_t *cells)
{
	const struct ct_views *views = engine->views;
	size_t view[2];

	find(engine, source, target, view);
	for (int i = 0; i < 2; i++)
		for (size_t w = 0; view[i] != NO_VIEW && w < 2 * cells_of(views); w++)
			if (cells[w])
				__atomic_add_fetch(&words_of(views, view[i])[w], cells[w],
						   __ATOMIC_RELAXED);
}

static int make_view(struct ct_comm_view *view, const struct ct_views *views, size_t number)
{
	const uint64_t *word = words_of(views, number);
	size_t cells = cells_of(views), count = 0;

	for (size_t i = 0; i < cells; i++)
		count += word[2 * i] != 0;
	view->cell = malloc((count + 1) * sizeof(*view->cell));
	if (!view->cell)
		return -ENOMEM;
	for (size_t i = 0; i < cells; i++)
		if (word[2 * i])
			view->cell[view->cells++] = (struct ct_comm_cell){
			    (uint32_t)(i / views->bins), (uint32_t)(i % views->bins), word[2 * i],
			    word[2 * i + 1]};
	for (size_t d = 0; d < CT_COMM_VIEW_DISTANCES; d++) {
		view->distance[d] = word[2 * cells + d];
		view->bytes += view->distance[d];
	}
	return 0;
}

static void name_slots(struct ct_comm_views *made, const struct ct_engine *engine)
{
	const struct ct_views *views = engine->views;

	for (size_t s = engine->supersteps; s-- > 0;)
		if (views->slot[s] != CT_NONE) {
			struct ct_comm_view *view = &made->view[views->slot[s]];

			view->last = view->launches ? view->last : (uint32_t)s;
			view->first = (uint32_t)s;
			view->launches++;
		}
}

static void name_pairs(struct ct_comm_views *made, const struct ct_engine *engine)
{
	const struct ct_views *views = engine->views;

	for (uint32_t k = 0; k < engine->kernels; k++)
		for (uint32_t l = 0; l < engine->kernels; l++)
			if (views->place[k] != CT_NONE && views->place[l] != CT_NONE) {
				struct ct_comm_view *view =
				    &made->view[views->slots + views->place[k] * views->kernels +
						views->place[l]];

				view->first = k;
				view->last = l;
			}
}

int ct_views_make(struct ct_comm_figures *figures, const struct ct_engine *engine)
{
	const struct ct_views *views = engine->views;
	struct ct_comm_views *made = &figures->views;
	int err = 0;

	if (!views)
		return 0;
	made->view = calloc(views->views + 1, sizeof(*made->view));
	if (!made->view)
		return -ENOMEM;
	made->count = views->views;
	made->slots = views->slots;
	made->kernels = views->kernels;
	made->bins = views->bins;
	made->ctas_per_bin = engine->bin_ctas * views->merged;
	for (size_t i = 0; i < views->views && err == 0; i++)
		err = make_view(&made->view[i], views, i);
	name_slots(made, engine);
	name_pairs(made, engine);
	return err;
}
