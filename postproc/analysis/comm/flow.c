/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers: pieces joined, and what they add to the figures. A partition has
 * all transfers of its source CTAs, sorted by source, target, source superstep
 * and target superstep, so that partners are counted as they change.
 */
#include "postproc/analysis/comm/engine.h"
#include <cudatrace/unit.h>
#include <errno.h>
#include <stdlib.h>

#define SMALL_SIZES 65536u
#define PAIR_SLOTS 256u /* of the table of kernel pairs, to begin with */

/* All launches of one kernel to all of another. */
struct pair {
	uint64_t key; /* CT_PAIR_KEY */
	uint64_t transfers, bytes, self_bytes;
	uint64_t out_degree; /* of the source CTA at hand */
	uint64_t target;     /* CTA + 1 that was counted last */
	uint32_t *in_degree; /* by target CTA; NULL: no memory for them, sums have them */
};

struct ct_flows {
	struct ct_engine *engine;
	struct ct_sums *sums;
	int err;
	struct ct_flow last; /* the transfer before; supersteps 0: none of this source */
	/* By superstep. */
	uint64_t *received, *sent, *degree_sum, *degree_squares;
	uint32_t *degree;  /* of the source CTA at hand */
	uint32_t *touched; /* supersteps whose degree is not 0 */
	size_t touches;
	/* By CTA. */
	uint64_t *cta_received, *in_degree;
	uint64_t out_degree, cta_sent; /* of the source CTA at hand */
	uint64_t *size;                /* transfers, by bytes below SMALL_SIZES */
	uint64_t *distance;            /* bytes, by levels */
	uint64_t levels;
	uint64_t crossing[4];
	struct ct_comm_volume volume;
	struct pair **pair; /* hash table */
	size_t pairs, pair_slots;
	struct pair **used_pair; /* with an out_degree */
	size_t used_pairs;
	uint64_t in_degrees; /* counters that pairs may still have */
};

struct join {
	struct ct_flow flow;
	bool is_open;
	int (*fn)(void *user, const struct ct_flow *flow);
	void *user;
};

static int join_pieces(void *user, void *records, size_t count)
{
	const struct ct_flow_piece *piece = records;
	struct join *join = user;
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		if (join->is_open && piece[i].ctas == join->flow.ctas &&
		    piece[i].supersteps == join->flow.supersteps) {
			join->flow.bytes += piece[i].bytes;
			join->flow.loads += piece[i].loads;
			continue;
		}
		if (join->is_open)
			err = join->fn(join->user, &join->flow);
		join->flow = (struct ct_flow){piece[i].ctas, piece[i].supersteps, piece[i].bytes,
					      piece[i].loads};
		join->is_open = true;
	}
	return err;
}

int ct_flows_each(struct ct_engine *engine, uint32_t partition,
		  int (*fn)(void *user, const struct ct_flow *flow), void *user)
{
	struct join join = {.fn = fn, .user = user};
	int err = ct_shuffle_each(engine->flows, partition, join_pieces, &join);

	return err == 0 && join.is_open ? fn(user, &join.flow) : err;
}

static int allocate(struct ct_flows *flows)
{
	const struct ct_engine *engine = flows->engine;
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
	flows->cta_received = calloc(ctas, sizeof(uint64_t));
	flows->in_degree = calloc(ctas, sizeof(uint64_t));
	flows->size = calloc(SMALL_SIZES, sizeof(uint64_t));
	flows->distance = calloc(flows->levels + 1, sizeof(uint64_t));
	flows->pair = calloc(PAIR_SLOTS, sizeof(*flows->pair));
	flows->used_pair = calloc(PAIR_SLOTS, sizeof(*flows->used_pair));
	flows->pair_slots = PAIR_SLOTS;
	flows->in_degrees = engine->memory_bytes / 16 / engine->threads / sizeof(uint32_t);
	return flows->received && flows->sent && flows->degree_sum && flows->degree_squares &&
		       flows->degree && flows->touched && flows->cta_received && flows->in_degree &&
		       flows->size && flows->distance && flows->pair && flows->used_pair
		   ? 0
		   : -ENOMEM;
}

static void release(struct ct_flows *flows)
{
	for (size_t i = 0; flows->pair && i < flows->pair_slots; i++) {
		if (flows->pair[i])
			free(flows->pair[i]->in_degree);
		free(flows->pair[i]);
	}
	free(flows->used_pair);
	free(flows->pair);
	free(flows->distance);
	free(flows->size);
	free(flows->in_degree);
	free(flows->cta_received);
	free(flows->touched);
	free(flows->degree);
	free(flows->degree_squares);
	free(flows->degree_sum);
	free(flows->sent);
	free(flows->received);
	free(flows);
}

int ct_flows_open(struct ct_flows **out, struct ct_engine *engine, struct ct_sums *sums)
{
	struct ct_flows *flows = calloc(1, sizeof(*flows));

	*out = NULL;
	if (!flows)
		return -ENOMEM;
	flows->engine = engine;
	flows->sums = sums;
	if (allocate(flows) < 0) {
		release(flows);
		return -ENOMEM;
	}
	*out = flows;
	return 0;
}

static void add(struct ct_flows *flows, enum ct_fact fact, uint64_t rest, uint64_t key1,
		uint64_t value0, uint64_t value1)
{
	if (flows->err == 0 && (value0 || value1))
		flows->err =
		    ct_sums_add(flows->sums, CT_FACT_KEY(fact, rest), key1, value0, value1);
}

static struct pair **probe(struct pair **pair, size_t slots, uint64_t key)
{
	size_t i = ct_spread(key) & (slots - 1);

	while (pair[i] && pair[i]->key != key)
		i = (i + 1) & (slots - 1);
	return &pair[i];
}

static bool grow_pairs(struct ct_flows *flows)
{
	size_t slots = 2 * flows->pair_slots;
	struct pair **used = realloc(flows->used_pair, slots * sizeof(struct pair *)), **bigger;

	if (!used)
		return false;
	flows->used_pair = used;
	bigger = calloc(slots, sizeof(struct pair *));
	if (!bigger)
		return false;
	for (size_t i = 0; i < flows->pair_slots; i++)
		if (flows->pair[i])
			*probe(bigger, slots, flows->pair[i]->key) = flows->pair[i];
	free(flows->pair);
	flows->pair = bigger;
	flows->pair_slots = slots;
	return true;
}

static struct pair *make_pair(struct ct_flows *flows, uint64_t key)
{
	uint64_t ctas = flows->engine->ctas;
	struct pair *pair;

	if (2 * flows->pairs >= flows->pair_slots && !grow_pairs(flows))
		return NULL;
	pair = calloc(1, sizeof(*pair));
	if (!pair)
		return NULL;
	pair->key = key;
	if (ctas <= flows->in_degrees)
		pair->in_degree = calloc(ctas, sizeof(*pair->in_degree));
	if (pair->in_degree)
		flows->in_degrees -= ctas;
	*probe(flows->pair, flows->pair_slots, key) = pair;
	flows->pairs++;
	return pair;
}

/* NULL: out of memory */
static struct pair *pair_of(struct ct_flows *flows, uint32_t source, uint32_t target)
{
	const struct ct_step *step = flows->engine->step;
	uint64_t key = CT_PAIR_KEY(step[source].kernel, step[target].kernel);
	struct pair *pair = *probe(flows->pair, flows->pair_slots, key);

	return pair ? pair : make_pair(flows, key);
}

static bool is_upper(uint64_t coordinate, uint32_t extent)
{
	return extent > 1 && 2 * coordinate >= extent;
}

/* Bit d: in the upper half of dimension d. */
static unsigned half_of(const struct ct_engine *engine, uint32_t superstep, uint32_t cta)
{
	const uint32_t *grid = engine->superstep[superstep].launch->event->grid;
	uint32_t rest;

	if (grid[1] == 1 && grid[2] == 1)
		return is_upper(cta, grid[0]);
	rest = cta / grid[0];
	return is_upper(cta % grid[0], grid[0]) | (unsigned)is_upper(rest % grid[1], grid[1]) << 1 |
	       (unsigned)is_upper(rest / grid[1], grid[2]) << 2;
}

static void add_cell(struct ct_engine *engine, uint32_t source, uint32_t target, uint64_t bytes)
{
	uint32_t first = engine->options.density_first, last = engine->options.density_last;
	uint64_t *cell;

	if (source < first || source > last || target < first || target > last)
		return;
	cell = engine->cell[(source - first) / engine->bin_ctas * engine->bins +
			    (target - first) / engine->bin_ctas];
	__atomic_add_fetch(&cell[0], 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&cell[1], bytes, __ATOMIC_RELAXED);
}

/* The source CTA at hand is done. */
static void end_source(struct ct_flows *flows)
{
	uint32_t source = (uint32_t)(flows->last.ctas >> 32);

	for (size_t i = 0; i < flows->touches; i++) {
		uint32_t superstep = flows->touched[i];
		uint64_t degree = flows->degree[superstep];

		flows->degree_sum[superstep] += degree;
		flows->degree_squares[superstep] += degree * degree;
		flows->degree[superstep] = 0;
	}
	for (size_t i = 0; i < flows->used_pairs; i++) {
		struct pair *pair = flows->used_pair[i];

		add(flows, CT_FACT_PAIR_OUT, pair->key, source, pair->out_degree, 0);
		pair->out_degree = 0;
		pair->target = 0;
	}
	add(flows, CT_FACT_CTA_DEGREE, 0, source, 0, flows->out_degree);
	add(flows, CT_FACT_CTA_FLOW, 0, source, 0, flows->cta_sent);
	flows->touches = flows->used_pairs = 0;
	flows->out_degree = flows->cta_sent = 0;
	flows->last.supersteps = 0;
}

/* What is counted once per source and target, or per these and a superstep or kernel pair. */
static void count_partners(struct ct_flows *flows, const struct ct_flow *flow, struct pair *pair)
{
	const struct ct_flow *last = &flows->last;
	bool is_new = !last->supersteps || flow->ctas != last->ctas;
	uint32_t source = (uint32_t)(flow->supersteps >> 32), target = (uint32_t)flow->ctas;

	if (is_new) {
		flows->out_degree++;
		flows->in_degree[target]++;
	}
	if (is_new || flow->supersteps >> 32 != last->supersteps >> 32)
		if (!flows->degree[source]++)
			flows->touched[flows->touches++] = source;
	if (flow->ctas >> 32 == target)
		return;
	if (pair->target != (uint64_t)target + 1) {
		if (!pair->out_degree++)
			flows->used_pair[flows->used_pairs++] = pair;
		if (pair->in_degree)
			pair->in_degree[target]++;
		else
			add(flows, CT_FACT_PAIR_IN, pair->key, target, 1, 0);
		pair->target = (uint64_t)target + 1;
	}
}

static void count_crossing(struct ct_flows *flows, const struct ct_flow *flow)
{
	const struct ct_engine *engine = flows->engine;
	unsigned differ =
	    half_of(engine, (uint32_t)(flow->supersteps >> 32), (uint32_t)(flow->ctas >> 32)) ^
	    half_of(engine, (uint32_t)flow->supersteps, (uint32_t)flow->ctas);

	for (unsigned d = 0; d < 3; d++)
		if (differ >> d & 1)
			flows->crossing[d] += flow->bytes;
	flows->crossing[3] += flow->bytes;
}

static int add_flow(void *user, const struct ct_flow *flow)
{
	struct ct_flows *flows = user;
	struct ct_engine *engine = flows->engine;
	uint32_t source = (uint32_t)(flow->supersteps >> 32), target = (uint32_t)flow->supersteps;
	uint32_t from = (uint32_t)(flow->ctas >> 32), to = (uint32_t)flow->ctas;
	bool is_self = from == to;
	struct pair *pair;

	if (flows->last.supersteps && flows->last.ctas >> 32 != from)
		end_source(flows);
	pair = pair_of(flows, source, target);
	if (!pair)
		return -ENOMEM;
	pair->transfers += !is_self;
	pair->bytes += flow->bytes;
	pair->self_bytes += is_self ? flow->bytes : 0;
	flows->volume.transfers++;
	flows->volume.transferred_bytes += flow->bytes;
	flows->volume.self_transfers += is_self;
	flows->volume.self_bytes += is_self ? flow->bytes : 0;
	flows->sent[source] += flow->bytes;
	flows->received[target] += flow->bytes;
	flows->cta_sent += flow->bytes;
	flows->cta_received[to] += flow->bytes;
	flows->distance[ct_order_distance(engine->order, source, target)] += flow->bytes;
	if (flow->bytes < SMALL_SIZES)
		flows->size[flow->bytes]++;
	else
		add(flows, CT_FACT_SIZE, 0, flow->bytes, 1, 0);
	add_cell(engine, from, to, flow->bytes);
	if (!is_self || engine->options.self) {
		count_partners(flows, flow, pair);
		count_crossing(flows, flow);
	}
	flows->last = *flow;
	return flows->err;
}

int ct_flows_take(struct ct_flows *flows, uint32_t partition)
{
	int err = ct_flows_each(flows->engine, partition, add_flow, flows);

	if (err == 0 && flows->last.supersteps)
		end_source(flows);
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
		add(flows, CT_FACT_CTA_DEGREE, 0, i, flows->in_degree[i], 0);
		add(flows, CT_FACT_CTA_FLOW, 0, i, flows->cta_received[i], 0);
	}
}

static void add_pairs(struct ct_flows *flows)
{
	for (size_t i = 0; i < flows->pair_slots; i++) {
		const struct pair *pair = flows->pair[i];

		if (!pair)
			continue;
		add(flows, CT_FACT_PAIR, pair->key, 0, pair->transfers, pair->bytes);
		add(flows, CT_FACT_PAIR_SELF, pair->key, 0, pair->self_bytes, 0);
		for (uint64_t cta = 0; pair->in_degree && cta < flows->engine->ctas; cta++)
			add(flows, CT_FACT_PAIR_IN, pair->key, cta, pair->in_degree[cta], 0);
	}
}

int ct_flows_close(struct ct_flows *flows)
{
	const uint64_t *word;
	int err;

	if (!flows)
		return 0;
	word = (const uint64_t *)&flows->volume;
	add_by_superstep(flows);
	add_by_cta(flows);
	add_pairs(flows);
	for (uint64_t i = 0; i < SMALL_SIZES; i++)
		add(flows, CT_FACT_SIZE, 0, i, flows->size[i], 0);
	for (uint64_t i = 0; i <= flows->levels; i++)
		add(flows, CT_FACT_DISTANCE, 0, i, flows->distance[i], 0);
	for (uint64_t i = 0; i < 4; i++)
		add(flows, CT_FACT_BISECTION, i, 0, flows->crossing[i], 0);
	for (uint64_t i = 0; i < sizeof(flows->volume) / sizeof(*word); i++)
		add(flows, CT_FACT_VOLUME, i, 0, word[i], 0);
	err = flows->err;
	release(flows);
	return err;
}
