/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What transfers add to the figures. A partition has
 * all transfers of its source CTAs, sorted by source, target, source superstep
 * and target superstep, so that partners are counted as they change. Transfers that
 * products make, too, are these with more bytes.
 */
#include "postproc/analysis/comm/flows/cells.h"
#include "postproc/analysis/comm/flows/dense.h"
#include "postproc/analysis/comm/flows/flows.h"
#include "postproc/analysis/comm/flows/kernel_pairs.h"
#include "postproc/analysis/comm/flows/selves.h"
#include "postproc/analysis/comm/flows/senders.h"
#include "postproc/analysis/comm/flows/views.h"

#include <errno.h>
#include <stdlib.h>

#define AHEAD 16u /* pieces whose counters are fetched early */

/* Sums the transfers of a CTA. What is counted by target lies together, for these come in no
 * order that caches like. */
struct by_target {
	uint64_t received, in_degree;
};

struct by_source {
	uint64_t sent, out_degree;
};

struct ct_flows {
	struct ct_engine *engine;
	struct ct_sums *sums;
	int err;
	struct ct_flow joined; /* whose pieces come; supersteps 0: none */
	struct ct_flow last;   /* the transfer before; supersteps 0: none of this source */
	bool has_source;
	uint32_t source;               /* CTA at hand */
	bool is_dense;                 /* products have it as a source */
	struct ct_cover_cursor cursor; /* at it */
	size_t next_dense, end_dense;  /* in ct_dense.source */
	/* By superstep. */
	uint64_t *received, *sent, *degree_sum, *degree_squares;
	uint32_t *degree;  /* of the source CTA at hand */
	uint32_t *touched; /* supersteps whose degree is not 0 */
	size_t touches;
	/* The couple of CTAs at hand; by superstep, the last one that it was a reader of. */
	uint64_t couple, *read_by;
	struct ct_senders senders;
	struct by_target *by_target; /* by CTA */
	struct by_source *by_source; /* likewise */
	struct ct_cell_row row;      /* of the source CTA at hand */
	uint64_t *size;              /* transfers, by bytes below CT_SMALL_SIZES */
	uint64_t *distance;          /* bytes, by levels */
	struct ct_selves selves;     /* of all these, self messages */
	uint64_t levels;
	uint64_t crossing[4];
	struct ct_comm_volume volume;
	struct ct_kernel_pairs pairs;
};

static int allocate(struct ct_flows *flows)
{
	struct ct_engine *engine = flows->engine;
	size_t steps = engine->supersteps + 1, ctas = engine->ctas + 1;

	for (size_t i = 0; i < engine->supersteps; i++)
		if (engine->superstep[i].level >= flows->levels)
			flows->levels = engine->superstep[i].level + 1;
	flows->received = calloc(steps, sizeof(uint64_t));
	flows->sent = calloc(steps, sizeof(uint64_t));
	flows->degree_sum = calloc(steps, sizeof(uint64_t));
	flows->degree_squares = calloc(steps, sizeof(uint64_t));
	flows->degree = calloc(steps, sizeof(uint32_t));
	flows->touched = calloc(steps, sizeof(uint32_t));
	flows->read_by = calloc(steps, sizeof(uint64_t));
	flows->by_target = calloc(ctas, sizeof(*flows->by_target));
	flows->by_source = calloc(ctas, sizeof(*flows->by_source));
	flows->size = calloc(CT_SMALL_SIZES, sizeof(uint64_t));
	flows->distance = calloc(flows->levels + 1, sizeof(uint64_t));
	ct_kernel_pairs_init(&flows->pairs, engine);
	if (!flows->received || !flows->sent || !flows->degree_sum || !flows->degree_squares ||
	    !flows->degree || !flows->touched || !flows->read_by || !flows->by_target ||
	    !flows->by_source || !flows->size || !flows->distance ||
	    ct_selves_init(&flows->selves, engine, flows->levels) < 0 ||
	    ct_cell_row_init(&flows->row, engine) < 0)
		return -ENOMEM;
	return ct_cover_cursor_init(&flows->cursor, &engine->dense->covers, ctas, false);
}

static void release(struct ct_flows *flows)
{
	ct_kernel_pairs_fini(&flows->pairs);
	ct_cover_cursor_fini(&flows->cursor);
	ct_cell_row_fini(&flows->row);
	ct_selves_fini(&flows->selves);
	free(flows->distance);
	free(flows->size);
	free(flows->by_source);
	free(flows->by_target);
	free(flows->touched);
	free(flows->read_by);
	ct_senders_fini(&flows->senders);
	free(flows->degree);
	free(flows->degree_squares);
	free(flows->degree_sum);
	free(flows->sent);
	free(flows->received);
	free(flows);
}

int ct_flows_open(struct ct_flows **out, struct ct_engine *engine, struct ct_sums *sums,
		  uint32_t writer)
{
	struct ct_flows *flows = calloc(1, sizeof(*flows));

	*out = NULL;
	if (!flows)
		return -ENOMEM;
	flows->engine = engine;
	flows->sums = sums;
	if (allocate(flows) < 0 || ct_senders_init(&flows->senders, engine, writer) < 0) {
		release(flows);
		return -ENOMEM;
	}
	*out = flows;
	return 0;
}

static void add(struct ct_flows *flows, enum ct_fact fact, uint64_t rest, uint64_t key1,
		uint64_t value0, uint64_t value1)
{
	if (flows->err == 0)
		flows->err = ct_fact_add(flows->sums, fact, rest, key1, value0, value1);
}

/* The partners that products give a source. */
static int begin_dense(struct ct_flows *flows)
{
	const struct ct_dense *dense = flows->engine->dense;
	const struct ct_covers *covers = &dense->covers;
	bool with_itself = flows->engine->options.self;

	ct_cover_cursor_move(&flows->cursor, flows->source);
	flows->by_source[flows->source].out_degree +=
	    ct_cover_partners(&flows->cursor, covers->of_all, with_itself);
	for (size_t i = 0; i < dense->steps; i++) {
		uint32_t step = dense->step[i];

		flows->degree[step] =
		    (uint32_t)ct_cover_partners(&flows->cursor, covers->of_step[step], with_itself);
		if (flows->degree[step])
			flows->touched[flows->touches++] = step;
	}
	for (size_t i = 0; i < dense->pairs; i++) {
		struct ct_kernel_pair *pair = ct_kernel_pair_of(&flows->pairs, dense->pair[i]);

		if (!pair || ct_kernel_pairs_use(&flows->pairs, pair) < 0)
			return -ENOMEM;
		pair->out_degree = ct_cover_partners(&flows->cursor, pair->cover, false);
	}
	return 0;
}

static int begin_source(struct ct_flows *flows, uint32_t source, bool is_dense)
{
	flows->has_source = true;
	flows->source = source;
	flows->is_dense = is_dense;
	return is_dense ? begin_dense(flows) : 0;
}

/* The source CTA at hand is done. */
static void end_source(struct ct_flows *flows)
{
	for (size_t i = 0; i < flows->touches; i++) {
		uint32_t superstep = flows->touched[i];
		uint64_t degree = flows->degree[superstep];

		flows->degree_sum[superstep] += degree;
		flows->degree_squares[superstep] += degree * degree;
		flows->degree[superstep] = 0;
	}
	if (flows->err == 0)
		flows->err = ct_kernel_pairs_end_source(&flows->pairs, flows->sums, flows->source);
	ct_cell_row_flush(&flows->row);
	flows->touches = 0;
	flows->last.supersteps = 0;
	flows->has_source = false;
}

/* Do products make the target a partner of the source at hand? */
static bool is_covered(const struct ct_flows *flows, uint32_t cover, uint32_t target)
{
	return flows->is_dense && ct_cover_has(&flows->cursor, cover, target);
}

/* The CTAs of a flow, once in a reading superstep. */
static int count_sender(struct ct_flows *flows, const struct ct_flow *flow)
{
	uint32_t reader = (uint32_t)flow->supersteps, target = (uint32_t)flow->ctas;

	if (flows->read_by[reader] == flows->couple)
		return 0;
	flows->read_by[reader] = flows->couple;
	if (is_covered(flows, flows->engine->dense->covers.of_reader[reader], target))
		return 0;
	return ct_senders_add(&flows->senders, reader, target, 1);
}

/* Counts what is counted once per source and target, or per these and a superstep or kernel pair.
 */
static int count_partners(struct ct_flows *flows, const struct ct_flow *flow,
			  struct ct_kernel_pair *pair)
{
	const struct ct_covers *covers = &flows->engine->dense->covers;
	const struct ct_flow *last = &flows->last;
	bool is_new = !last->supersteps || flow->ctas != last->ctas;
	uint32_t source = (uint32_t)(flow->supersteps >> 32), target = (uint32_t)flow->ctas;
	int err;

	flows->couple += is_new;
	err = count_sender(flows, flow);
	if (err < 0)
		return err;
	if (is_new && !is_covered(flows, covers->of_all, target)) {
		flows->by_source[flow->ctas >> 32].out_degree++;
		flows->by_target[target].in_degree++;
	}
	if ((is_new || flow->supersteps >> 32 != last->supersteps >> 32) &&
	    !is_covered(flows, covers->of_step[source], target))
		if (!flows->degree[source]++)
			flows->touched[flows->touches++] = source;
	if (flow->ctas >> 32 == target || pair->target == (uint64_t)target + 1)
		return 0;
	pair->target = (uint64_t)target + 1;
	if (is_covered(flows, pair->cover, target))
		return ct_kernel_pairs_use(&flows->pairs, pair);
	pair->out_degree++;
	if (pair->in_degree)
		pair->in_degree[target]++;
	else
		add(flows, CT_FACT_PAIR_IN, pair->key, target, 1, 0);
	return ct_kernel_pairs_use(&flows->pairs, pair);
}

static void count_crossing(struct ct_flows *flows, const struct ct_flow *flow)
{
	const struct ct_engine *engine = flows->engine;
	unsigned differ =
	    ct_half_of(ct_grid_of(engine, (uint32_t)(flow->supersteps >> 32)),
		       (uint32_t)(flow->ctas >> 32)) ^
	    ct_half_of(ct_grid_of(engine, (uint32_t)flow->supersteps), (uint32_t)flow->ctas);

	for (unsigned d = 0; d < 3; d++)
		if (differ >> d & 1)
			flows->crossing[d] += flow->bytes;
	flows->crossing[3] += flow->bytes;
}

static void count_size(struct ct_flows *flows, uint64_t bytes, uint64_t transfers, bool is_self)
{
	if (bytes < CT_SMALL_SIZES) {
		flows->size[bytes] += transfers;
		flows->selves.size[bytes] += is_self ? transfers : 0;
		return;
	}
	add(flows, CT_FACT_SIZE, 0, bytes, transfers, 0);
	if (is_self)
		add(flows, CT_FACT_SELF_SIZE, 0, bytes, transfers, 0);
}

/* A transfer that products have counted adds only bytes. Sums may run below 0 meanwhile, as they
 * are taken modulo 2^64. */
static uint64_t count_transfer(struct ct_flows *flows, const struct ct_flow *flow)
{
	bool is_self = flow->ctas >> 32 == (uint32_t)flow->ctas;
	uint64_t dense =
	    flows->is_dense ? ct_dense_bytes(flows->engine, flow->ctas, flow->supersteps) : 0;

	if (dense)
		count_size(flows, dense, UINT64_MAX, is_self);
	count_size(flows, dense + flow->bytes, 1, is_self);
	return dense == 0;
}

static void count_cell(struct ct_flows *flows, const struct ct_flow *flow, uint64_t transfers)
{
	uint32_t source = ct_bin_of(flows->engine, (uint32_t)(flow->ctas >> 32));
	uint32_t target = ct_bin_of(flows->engine, (uint32_t)flow->ctas);

	if (source == UINT32_MAX || target == UINT32_MAX)
		return;
	ct_cell_row_add(&flows->row, source, target, transfers, flow->bytes);
	if (flows->engine->views)
		ct_views_add_cell(flows->engine, flow->supersteps, source, target, transfers,
				  flow->bytes);
}

/* The sources of products that come before that one, or all that are left. */
static int pass_dense(struct ct_flows *flows, uint64_t source)
{
	const struct ct_dense *dense = flows->engine->dense;
	int err = 0;

	for (; flows->next_dense < flows->end_dense && err == 0 &&
	       dense->source[flows->next_dense] < source;
	     flows->next_dense++) {
		err = begin_source(flows, dense->source[flows->next_dense], true);
		end_source(flows);
	}
	return err;
}

static int go_to(struct ct_flows *flows, uint32_t source)
{
	bool is_dense;
	int err;

	if (flows->has_source && flows->source == source)
		return 0;
	if (flows->has_source)
		end_source(flows);
	err = pass_dense(flows, source);
	is_dense = flows->next_dense < flows->end_dense &&
		   flows->engine->dense->source[flows->next_dense] == source;
	flows->next_dense += is_dense;
	return err == 0 ? begin_source(flows, source, is_dense) : err;
}

static int add_flow(struct ct_flows *flows, const struct ct_flow *flow)
{
	struct ct_engine *engine = flows->engine;
	uint32_t source = (uint32_t)(flow->supersteps >> 32), target = (uint32_t)flow->supersteps;
	bool is_self = flow->ctas >> 32 == (uint32_t)flow->ctas;
	uint64_t transfers;
	struct ct_kernel_pair *pair;
	int err = go_to(flows, (uint32_t)(flow->ctas >> 32));

	pair = ct_kernel_pair_of(
	    &flows->pairs, CT_PAIR_KEY(engine->step[source].kernel, engine->step[target].kernel));
	if (err < 0 || !pair)
		return err < 0 ? err : -ENOMEM;
	transfers = count_transfer(flows, flow);
	pair->transfers += is_self ? 0 : transfers;
	pair->bytes += flow->bytes;
	pair->self_bytes += is_self ? flow->bytes : 0;
	flows->volume.transfers += transfers;
	flows->volume.transferred_bytes += flow->bytes;
	flows->volume.self_transfers += is_self ? transfers : 0;
	flows->volume.self_bytes += is_self ? flow->bytes : 0;
	if (is_self)
		ct_selves_count(&flows->selves, engine, flow, transfers);
	flows->sent[source] += flow->bytes;
	flows->received[target] += flow->bytes;
	flows->by_source[flow->ctas >> 32].sent += flow->bytes;
	flows->by_target[(uint32_t)flow->ctas].received += flow->bytes;
	flows->distance[ct_order_distance(engine->order, source, target)] += flow->bytes;
	count_cell(flows, flow, transfers);
	if (engine->views)
		ct_views_add_distance(engine, source, target, flow->bytes);
	if (!is_self || engine->options.self) {
		err = count_partners(flows, flow, pair);
		count_crossing(flows, flow);
	}
	flows->last = *flow;
	return err < 0 ? err : flows->err;
}

/* Inlined by force: GCC drops calls of functions that do nothing but prefetch. */
static inline __attribute__((always_inline)) void expect(const struct ct_flows *flows,
							 const struct ct_flow_piece *piece)
{
	uint32_t target = (uint32_t)piece->ctas;

	__builtin_prefetch(&flows->by_target[target], 1);
	ct_senders_expect(&flows->senders, (uint32_t)piece->supersteps, target);
	if (flows->pairs.last && flows->pairs.last->in_degree)
		__builtin_prefetch(&flows->pairs.last->in_degree[target], 1);
}

static int take_pieces(void *user, void *records, size_t count)
{
	const struct ct_flow_piece *piece = records;
	struct ct_flows *flows = user;
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		if (i + AHEAD < count)
			expect(flows, &piece[i + AHEAD]);
		if (ct_flow_join(&flows->joined, &piece[i]))
			continue;
		if (flows->joined.supersteps)
			err = add_flow(flows, &flows->joined);
		flows->joined = (struct ct_flow){piece[i].ctas, piece[i].supersteps, piece[i].bytes,
						 piece[i].loads};
	}
	return err;
}

int ct_flows_take(struct ct_flows *flows, uint32_t partition)
{
	int err;

	flows->next_dense = flows->engine->dense->first[partition];
	flows->end_dense = flows->engine->dense->first[partition + 1];
	err = ct_shuffle_each(flows->engine->flows, partition, take_pieces, flows);
	if (err == 0 && flows->joined.supersteps)
		err = add_flow(flows, &flows->joined);
	flows->joined.supersteps = 0;
	if (flows->has_source)
		end_source(flows);
	if (err == 0)
		err = pass_dense(flows, UINT64_MAX);
	return err == 0 ? flows->err : err;
}

static void add_by_superstep(struct ct_flows *flows)
{
	for (uint64_t i = 0; i < flows->engine->supersteps; i++) {
		add(flows, CT_FACT_STEP_FLOW, i, 0, flows->received[i], flows->sent[i]);
		add(flows, CT_FACT_STEP_DEGREE, i, 0, flows->degree_sum[i],
		    flows->degree_squares[i]);
	}
}

static void add_by_cta(struct ct_flows *flows)
{
	for (uint64_t i = 0; i < flows->engine->ctas; i++) {
		add(flows, CT_FACT_CTA_DEGREE, 0, i, flows->by_target[i].in_degree,
		    flows->by_source[i].out_degree);
		add(flows, CT_FACT_CTA_FLOW, 0, i, flows->by_target[i].received,
		    flows->by_source[i].sent);
	}
}

int ct_flows_close(struct ct_flows *flows)
{
	const uint64_t *word;
	int err;

	if (!flows)
		return 0;
	word = (const uint64_t *)&flows->volume;
	if (flows->err == 0)
		flows->err = ct_senders_flush(&flows->senders);
	add_by_superstep(flows);
	add_by_cta(flows);
	if (flows->err == 0)
		flows->err = ct_kernel_pairs_add(&flows->pairs, flows->sums);
	for (uint64_t i = 0; i < CT_SMALL_SIZES; i++)
		add(flows, CT_FACT_SIZE, 0, i, flows->size[i], 0);
	for (uint64_t i = 0; i <= flows->levels; i++)
		add(flows, CT_FACT_DISTANCE, 0, i, flows->distance[i], 0);
	if (flows->err == 0)
		flows->err = ct_selves_add(&flows->selves, flows->engine, flows->sums);
	for (uint64_t i = 0; i < 4; i++)
		add(flows, CT_FACT_BISECTION, i, 0, flows->crossing[i], 0);
	for (uint64_t i = 0; i < sizeof(flows->volume) / sizeof(*word); i++)
		add(flows, CT_FACT_VOLUME, i, 0, word[i], 0);
	err = flows->err;
	release(flows);
	return err;
}
