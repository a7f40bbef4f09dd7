/* SPDX-License-Identifier: Apache-2.0 */
/* The communication analysis as one of the scan engine's: the scan fills shuffles, and each stage
 * takes partitions out of one, into sums and further shuffles. */
#include "postproc/analysis/comm/analysis.h"
#include "postproc/analysis/comm/flows/dense.h"
#include "postproc/analysis/comm/flows/views.h"
#include "postproc/analysis/comm/pages/pieces.h"
#include "postproc/shuffle/stage.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STRIDE_TOUCHES (1ull << 22) /* of CTAs whose strides are looked at, about */

/* Flows get the memory that touches give back. */
static int open_shuffles(struct ct_engine *engine, const struct ct_room *room)
{
	uint64_t memory = room->memory_bytes, touch[2];
	int err;

	ct_touch_key(&engine->layout, touch);
	err = ct_stage_shuffle(&engine->touches, room, engine->layout.words * sizeof(uint64_t),
			       CT_TOUCH_PARTITIONS, memory / 4 * 3, touch);
	if (err == 0)
		err = ct_stage_shuffle(&engine->flows, room, sizeof(struct ct_flow_piece),
				       CT_FLOW_PARTITIONS, memory / 4 * 3, ct_stage_all_of_key);
	if (err == 0)
		err = ct_stage_shuffle(&engine->runs, room, sizeof(struct ct_run),
				       CT_RUN_PARTITIONS, memory / 16, ct_stage_all_of_key);
	if (err == 0)
		err = ct_products_open(&engine->products, memory / 16);
	if (err == 0 && engine->options.deliveries)
		err = ct_products_open(&engine->deliveries, memory / 8);
	if (err == 0)
		err = ct_stage_shuffle(&engine->volumes, room, sizeof(struct ct_volume),
				       CT_VOLUME_PARTITIONS, memory / 16, ct_stage_first_of_key);
	return err;
}

void ct_engine_close_shuffles(struct ct_engine *engine)
{
	ct_shuffle_close(engine->touches);
	ct_shuffle_close(engine->flows);
	ct_shuffle_close(engine->runs);
	ct_shuffle_close(engine->volumes);
	ct_products_close(engine->products);
	ct_products_close(engine->deliveries);
	ct_dense_close(engine->dense);
	ct_views_close(engine->views);
	ct_sums_close(engine->sums);
	ct_page_pieces_close(engine->pieces);
	engine->pieces = NULL;
	engine->touches = engine->flows = engine->runs = engine->volumes = NULL;
	engine->products = engine->deliveries = NULL;
	engine->deliveries_cut = false;
	engine->dense = NULL;
	engine->views = NULL;
	engine->sums = NULL;
	if (engine->has_figures)
		ct_figures_release(&engine->figures);
	engine->has_figures = false;
	engine->figures = (struct ct_comm_figures){.supersteps = 0};
}

static int wants(void *job, struct ct_wants *wants)
{
	(void)job;
	*wants = (struct ct_wants){.what = CT_WANT_ACCESSES};
	return 0;
}

static int begin(void *job, const struct ct_room *room)
{
	struct ct_engine *engine = job;
	int err = ct_engine_choose_layout(engine);

	ct_engine_close_shuffles(engine);
	engine->threads = room->threads;
	engine->memory_bytes = room->memory_bytes;
	engine->options.directory = room->directory;
	engine->has_invalid_transfers = false;
	engine->touch_count = 0;
	if (err == 0)
		err = ct_sums_open(&engine->sums);
	if (err == 0)
		err = open_shuffles(engine, room);
	if (err == 0 && engine->options.views)
		err = ct_views_open(&engine->views, engine);
	if (err == 0 && engine->options.ranks->rank == 0)
		err = ct_touches_add_transfers(engine);
	return err;
}

static int open_touches(void **state, void *job, const struct ct_worker *worker)
{
	return ct_touches_open((struct ct_touches **)state, job, worker->number);
}

static int add_access(void *state, const struct ct_access *access)
{
	return ct_touches_add(state, access);
}

static int finish_touches(void *state)
{
	return ct_touches_finish(state);
}

static int join_touches(void *state, void *from)
{
	ct_touches_join(state, from);
	return 0;
}

static int pack_touches(const void *state, struct ct_buffer *bytes)
{
	uint8_t is_invalid = ct_touches_are_invalid(state);

	return ct_buffer_append(bytes, &is_invalid, sizeof(is_invalid)) ? 0 : -ENOMEM;
}

static int unpack_touches(void *state, const void *bytes, size_t count)
{
	const uint8_t *is_invalid = bytes;

	if (count && *is_invalid)
		ct_touches_note_invalid(state);
	return 0;
}

static void close_touches(void *state)
{
	ct_touches_close(state);
}

/* A thread has this of a stage. */
struct part {
	struct ct_stage_part all;
	struct ct_pages *pages;
	struct ct_flows *flows;
};

static int open_part(void **state, void *job, const struct ct_worker *worker)
{
	(void)worker;
	return ct_stage_open(state, sizeof(struct part), job);
}

static int open_pages(void **state, void *job, const struct ct_worker *worker)
{
	int err = open_part(state, job, worker);
	struct part *part = *state;

	return err == 0 ? ct_pages_open(&part->pages, job, part->all.sums, worker->number) : err;
}

static int open_flows(void **state, void *job, const struct ct_worker *worker)
{
	int err = open_part(state, job, worker);
	struct part *part = *state;

	return err == 0 ? ct_flows_open(&part->flows, job, part->all.sums, worker->number) : err;
}

static uint32_t count_pieces(void *job)
{
	return ct_page_pieces_count(((struct ct_engine *)job)->pieces);
}

static int take_pages(void *state, uint32_t piece)
{
	return ct_pages_take(((struct part *)state)->pages, piece);
}

static int take_flows(void *state, uint32_t partition)
{
	return ct_flows_take(((struct part *)state)->flows, partition);
}

static int take_strides(void *state, uint32_t partition)
{
	struct part *part = state;

	return ct_strides_take(part->all.job, part->all.sums, partition);
}

static int take_volumes(void *state, uint32_t partition)
{
	struct part *part = state;

	return ct_volumes_take(part->all.job, part->all.sums, partition);
}

/* Sums that pages and flows keep are added when they are closed. */
static int finish_part(void *state)
{
	struct part *part = state;
	int err = ct_pages_close(part->pages), flows_err = ct_flows_close(part->flows);

	part->pages = NULL;
	part->flows = NULL;
	return err == 0 ? flows_err : err;
}

static int join_parts(void *job, void *const *states, uint32_t count, uint32_t part)
{
	return ct_stage_join(((struct ct_engine *)job)->sums, states, count, part);
}

static void close_part(void *state)
{
	if (state)
		finish_part(state);
	ct_stage_close(state);
}

static int add_count(void *user, uint32_t from, const void *data, size_t bytes)
{
	uint64_t *sum = user, count;

	(void)from;
	memcpy(&count, data, bytes < sizeof(count) ? bytes : sizeof(count));
	*sum += count;
	return 0;
}

/* Counts the touches of all ranks together. */
static int count_touches(const struct ct_engine *engine, uint64_t *sum)
{
	struct ct_ranks *ranks = engine->options.ranks;
	const void *data[ranks->size];
	size_t bytes[ranks->size];
	uint64_t count = engine->touch_count;

	for (uint32_t i = 0; i < ranks->size; i++) {
		data[i] = &count;
		bytes[i] = sizeof(count);
	}
	*sum = 0;
	return ranks->trade(ranks, data, bytes, add_count, sum);
}

/* Strides need all of a CTA's accesses side by side, which costs as much as all
 * else: of large traces, some CTAs' must do. */
static int choose_strides(struct ct_engine *engine)
{
	uint64_t touches, step;
	int err = count_touches(engine, &touches);

	step = touches / STRIDE_TOUCHES + 1;
	engine->stride_step =
	    (uint32_t)(step < engine->ctas || !engine->ctas ? step : engine->ctas);
	return err;
}

static int begin_pages(void *job)
{
	struct ct_engine *engine = job;
	int err = ct_shuffle_finish(engine->touches);

	if (err == 0)
		err = choose_strides(engine);
	return err == 0 ? ct_page_pieces_open(&engine->pieces, engine) : err;
}

/* Cut on one rank is cut on all. */
static int finish_deliveries(struct ct_engine *engine)
{
	struct ct_ranks *ranks = engine->options.ranks;

	if (!engine->options.deliveries)
		return 0;
	if (ranks->greatest(ranks, engine->deliveries_cut)) {
		engine->deliveries_cut = true;
		return 0;
	}
	return ct_products_finish(engine->deliveries, ranks);
}

static int finish_products(struct ct_engine *engine)
{
	int err = ct_products_finish(engine->products, engine->options.ranks);

	if (err == 0)
		err = finish_deliveries(engine);
	if (err == 0)
		err = ct_dense_open(&engine->dense, engine);
	if (err == 0 && engine->options.ranks->rank == 0)
		err = ct_dense_count(engine, engine->dense);
	return ct_engine_agree(engine, err);
}

static int begin_flows(void *job)
{
	struct ct_engine *engine = job;
	int err = finish_products(engine);

	if (err == 0)
		err = ct_shuffle_finish(engine->flows);
	return err == 0 ? ct_shuffle_finish(engine->runs) : err;
}

static int begin_volumes(void *job)
{
	return ct_shuffle_finish(((struct ct_engine *)job)->volumes);
}

static const struct ct_stage stages[] = {
    {.name = "pages",
     .weight = 87,
     .begin = begin_pages,
     .pieces = count_pieces,
     .open = open_pages,
     .take = take_pages,
     .finish = finish_part,
     .join = join_parts,
     .parts = CT_SUMS_PARTS,
     .close = close_part},
    {.name = "flows",
     .partitions = CT_FLOW_PARTITIONS,
     .weight = 37,
     .begin = begin_flows,
     .open = open_flows,
     .take = take_flows,
     .finish = finish_part,
     .join = join_parts,
     .parts = CT_SUMS_PARTS,
     .close = close_part},
    {.name = "strides",
     .partitions = CT_RUN_PARTITIONS,
     .weight = 18,
     .open = open_part,
     .take = take_strides,
     .join = join_parts,
     .parts = CT_SUMS_PARTS,
     .close = close_part},
    {.name = "volumes",
     .partitions = CT_VOLUME_PARTITIONS,
     .weight = 5,
     .begin = begin_volumes,
     .open = open_part,
     .take = take_volumes,
     .join = join_parts,
     .parts = CT_SUMS_PARTS,
     .close = close_part},
};

static int add_cells(const struct ct_engine *engine)
{
	size_t cells = (size_t)engine->bins * engine->bins;
	size_t words = engine->views ? engine->views->views * engine->views->words : 0;
	int err = 0;

	for (size_t i = 0; i < cells && err == 0; i++)
		/* Transfers that rank 0 counts as products may have bytes only. */
		if (engine->cell[i][0] || engine->cell[i][1])
			err = ct_sums_add(engine->sums, CT_FACT_KEY(CT_FACT_CELL, 0), i,
					  engine->cell[i][0], engine->cell[i][1]);
	for (size_t i = 0; i < words && err == 0; i++)
		if (engine->views->word[i])
			err = ct_sums_add(engine->sums, CT_FACT_KEY(CT_FACT_VIEW, 0), i,
					  engine->views->word[i], 0);
	return err;
}

/* The density map and views are counted in place; ranks bring theirs together as sums. */
static int gather_cells(struct ct_engine *engine, bool is_before)
{
	const struct ct_sum *sum;
	size_t count;

	if (engine->options.ranks->size == 1)
		return 0;
	if (is_before)
		return add_cells(engine);
	sum = ct_sums_sorted(engine->sums, &count);
	if (!sum)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (sum[i].key[0] == CT_FACT_KEY(CT_FACT_CELL, 0))
			for (int v = 0; v < 2; v++)
				engine->cell[sum[i].key[1]][v] = sum[i].value[v];
		else if (sum[i].key[0] == CT_FACT_KEY(CT_FACT_VIEW, 0))
			engine->views->word[sum[i].key[1]] = sum[i].value[0];
	return 0;
}

static void count_losses(struct ct_engine *engine)
{
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(engine->trace, &losses);

	for (size_t i = 0; i < count; i++)
		engine->figures.lost_chunks +=
		    losses[i].event->chunks == UINT64_MAX ? 1 : losses[i].event->chunks;
}

static int make_figures(struct ct_engine *engine)
{
	int err;

	ct_shuffle_close(engine->touches);
	ct_shuffle_close(engine->runs);
	engine->touches = engine->runs = NULL;
	err = ct_figures_make(&engine->figures, engine);
	engine->has_figures = true;
	if (err == 0)
		count_losses(engine);
	return ct_engine_agree(engine, err);
}

/* Rank 0 has the state of all ranks, and so counts what it says. */
static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	struct ct_engine *engine = job;
	uint64_t spilled = ct_shuffle_spilled(engine->touches) + ct_shuffle_spilled(engine->flows) +
			   ct_shuffle_spilled(engine->runs) + ct_shuffle_spilled(engine->volumes);
	uint64_t damaged = scanned->damaged_chunks + engine->has_invalid_transfers +
			   ct_touches_are_invalid(*state);
	int err = ct_sums_add(engine->sums, CT_FACT_KEY(CT_FACT_DAMAGE, 0), 0,
			      engine->options.ranks->rank == 0 ? damaged : 0, spilled);

	if (err == 0)
		err = gather_cells(engine, true);
	err = ct_engine_agree(engine, err);
	if (err == 0)
		err = ct_sums_gather(engine->sums, engine->options.ranks);
	if (err == 0)
		err = gather_cells(engine, false);
	return ct_engine_agree(engine, err) == 0 ? make_figures(engine) : err;
}

/* An access has a larger place in its chunk than the layout has room for, or lies where a hot page
 * was cut. */
static int again(void *job, int err)
{
	struct ct_engine *engine = job;
	bool *is_other = err == -ERANGE ? &engine->is_wide : &engine->is_whole;

	if ((err != -ERANGE && err != -EDOM) || *is_other)
		return 0;
	*is_other = true;
	return 1;
}

const struct ct_analysis ct_comm_analysis = {
    .name = "comm",
    .memory = 4,
    .wants = wants,
    .begin = begin,
    .open = open_touches,
    .access = add_access,
    .finish = finish_touches,
    .join = join_touches,
    .pack = pack_touches,
    .unpack = unpack_touches,
    .close = close_touches,
    .stages = stages,
    .stage_count = sizeof(stages) / sizeof(stages[0]),
    .conclude = conclude,
    .again = again,
};
