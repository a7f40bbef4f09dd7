/* SPDX-License-Identifier: Apache-2.0 */
/* The communication analysis from the trace to the figures. */
#include "postproc/analysis/comm/comm.h"
#include "postproc/analysis/comm/base/engine.h"
#include "postproc/analysis/comm/flows/dense.h"
#include "postproc/facts/counted.h"
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEMORY_LEAST (64ull << 20)
#define MANY_CTAS 10000000u

struct ct_comm {
	struct ct_engine engine;
	struct ct_comm_figures figures;
	bool has_figures;
};

static uint64_t memory_of(const struct ct_comm_options *options)
{
	uint64_t bytes = options->memory_bytes;

	if (!bytes)
		bytes = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4;
	return bytes > MEMORY_LEAST ? bytes : MEMORY_LEAST;
}

static uint32_t threads_of(const struct ct_comm_options *options)
{
	uint32_t threads = options->threads;
	cpu_set_t set;

	if (!threads)
		threads =
		    sched_getaffinity(0, sizeof(set), &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
	return threads < CT_THREADS_MAX ? threads : CT_THREADS_MAX;
}

static int open_shuffle(struct ct_engine *engine, struct ct_shuffle **out, size_t record_bytes,
			uint32_t partitions, uint64_t memory_bytes, const uint64_t mask[2])
{
	const struct ct_shuffle_options options = {
	    .record_bytes = record_bytes,
	    .partitions = partitions,
	    .writers = engine->threads,
	    .readers = engine->threads,
	    .memory_bytes = memory_bytes,
	    .key_mask = {mask[0], mask[1]},
	    .directory = engine->options.directory,
	    .ranks = engine->options.ranks,
	};

	return ct_shuffle_open(out, &options);
}

/* Flows get the memory that touches give back. */
static int open_shuffles(struct ct_engine *engine)
{
	static const uint64_t both[2] = {UINT64_MAX, UINT64_MAX}, first[2] = {UINT64_MAX, 0};
	uint64_t memory = engine->memory_bytes, touch[2];
	int err;

	ct_touch_key(&engine->layout, touch);
	err = open_shuffle(engine, &engine->touches, engine->layout.words * sizeof(uint64_t),
			   CT_TOUCH_PARTITIONS, memory / 4 * 3, touch);
	if (err == 0)
		err = open_shuffle(engine, &engine->flows, sizeof(struct ct_flow_piece),
				   CT_FLOW_PARTITIONS, memory / 4 * 3, both);
	if (err == 0)
		err = open_shuffle(engine, &engine->runs, sizeof(struct ct_run), CT_RUN_PARTITIONS,
				   memory / 16, both);
	if (err == 0)
		err = ct_products_open(&engine->products, memory / 16);
	if (err == 0)
		err = open_shuffle(engine, &engine->volumes, sizeof(struct ct_volume),
				   CT_VOLUME_PARTITIONS, memory / 16, first);
	return err;
}

/* The density map is counted in place; ranks bring theirs together as sums. */
static int gather_cells(struct ct_engine *engine, bool is_before)
{
	size_t cells = (size_t)engine->bins * engine->bins, count;
	const struct ct_sum *sum;
	int err = 0;

	if (engine->options.ranks->size == 1)
		return 0;
	if (is_before) {
		for (size_t i = 0; i < cells && err == 0; i++)
			/* Of transfers that rank 0 counts as products there may be bytes only. */
			if (engine->cell[i][0] || engine->cell[i][1])
				err = ct_sums_add(engine->sums, CT_FACT_KEY(CT_FACT_CELL, 0), i,
						  engine->cell[i][0], engine->cell[i][1]);
		return err;
	}
	sum = ct_sums_sorted(engine->sums, &count);
	if (!sum)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (sum[i].key[0] == CT_FACT_KEY(CT_FACT_CELL, 0))
			for (int v = 0; v < 2; v++)
				engine->cell[sum[i].key[1]][v] = sum[i].value[v];
	return 0;
}

static int gather(struct ct_engine *engine)
{
	uint64_t spilled = ct_shuffle_spilled(engine->touches) + ct_shuffle_spilled(engine->flows) +
			   ct_shuffle_spilled(engine->runs) + ct_shuffle_spilled(engine->volumes);
	int err = ct_sums_add(engine->sums, CT_FACT_KEY(CT_FACT_DAMAGE, 0), 0, 0, spilled);

	if (err == 0)
		err = gather_cells(engine, true);
	err = ct_engine_agree(engine, err);
	if (err == 0)
		err = ct_sums_gather(engine->sums, engine->options.ranks);
	return err == 0 ? gather_cells(engine, false) : err;
}

static void count_losses(struct ct_comm *comm)
{
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(comm->engine.trace, &losses);

	for (size_t i = 0; i < count; i++)
		comm->figures.lost_chunks +=
		    losses[i].event->chunks == UINT64_MAX ? 1 : losses[i].event->chunks;
}

/* If nothing in it has addresses. */
static int refuse_counts(const struct ct_engine *engine, char *why, size_t why_bytes)
{
	if (!ct_counted_launches(engine->trace) || ct_counted_has_others(engine->trace))
		return 0;
	if (why_bytes)
		snprintf(why, why_bytes,
			 "%s: tier counts has no addresses, only ctpost info can show it; trace "
			 "again with ctrun --tier=full",
			 engine->directory);
	return -ENODATA;
}

static int analyse(struct ct_comm *comm, char *why, size_t why_bytes)
{
	struct ct_engine *engine = &comm->engine;
	int err = ct_trace_open(&engine->trace, engine->directory, why, why_bytes);

	if (err == 0)
		err = refuse_counts(engine, why, why_bytes);
	if (err == 0)
		err = ct_engine_prepare(engine, why, why_bytes);
	if (err == 0)
		err = ct_sums_open(&engine->sums);
	if (err == 0)
		err = open_shuffles(engine);
	err = ct_engine_agree(engine, err);
	if (err == 0)
		err = ct_engine_run(engine);
	if (err == 0)
		err = gather(engine);
	ct_shuffle_close(engine->touches);
	ct_shuffle_close(engine->runs);
	engine->touches = engine->runs = NULL;
	if (err == 0)
		err = ct_figures_make(&comm->figures, engine);
	comm->has_figures = true;
	if (err == 0)
		count_losses(comm);
	return ct_engine_agree(engine, err);
}

static int open_comm(struct ct_comm **out, const char *directory,
		     const struct ct_comm_options *options, bool is_wide, char *why,
		     size_t why_bytes)
{
	struct ct_comm *comm = calloc(1, sizeof(*comm));
	const char *temporary = getenv("TMPDIR");
	int err;

	*out = NULL;
	if (why_bytes)
		*why = '\0';
	if (!comm)
		return -ENOMEM;
	comm->engine.options = *options;
	if (!options->directory)
		comm->engine.options.directory = temporary && *temporary ? temporary : "/tmp";
	comm->engine.directory = directory;
	comm->engine.memory_bytes = memory_of(options);
	comm->engine.threads = threads_of(options);
	comm->engine.is_wide = is_wide;
	comm->engine.many = options->many_ctas ? options->many_ctas : 64;
	err = analyse(comm, why, why_bytes);
	if (err) {
		if (err == -ENOMEM && comm->engine.ctas > MANY_CTAS && why_bytes)
			snprintf(why, why_bytes,
				 "%s: out of memory: figures are kept by CTA, and a grid has %llu; "
				 "choose other launches (--launches, --kernels)",
				 directory, (unsigned long long)comm->engine.ctas);
		if (why_bytes && !*why)
			snprintf(why, why_bytes, "%s: %s", directory, ct_strerror(err));
		ct_comm_close(comm);
		return err;
	}
	*out = comm;
	return 0;
}

int ct_comm_open(struct ct_comm **out, const char *directory, const struct ct_comm_options *options,
		 char *why, size_t why_bytes)
{
	int err = open_comm(out, directory, options, false, why, why_bytes);

	if (err != -ERANGE)
		return err;
	return open_comm(out, directory, options, true, why, why_bytes);
}

void ct_comm_close(struct ct_comm *comm)
{
	if (!comm)
		return;
	if (comm->has_figures)
		ct_figures_release(&comm->figures);
	ct_shuffle_close(comm->engine.touches);
	ct_shuffle_close(comm->engine.flows);
	ct_shuffle_close(comm->engine.runs);
	ct_shuffle_close(comm->engine.volumes);
	ct_products_close(comm->engine.products);
	ct_dense_close(comm->engine.dense);
	ct_sums_close(comm->engine.sums);
	ct_engine_release(&comm->engine);
	ct_trace_close(comm->engine.trace);
	free(comm);
}

const struct ct_comm_figures *ct_comm_figures(const struct ct_comm *comm)
{
	return &comm->figures;
}

struct ct_trace *ct_comm_trace(struct ct_comm *comm)
{
	return comm->engine.trace;
}

const struct ct_order *ct_comm_order(const struct ct_comm *comm)
{
	return comm->engine.order;
}

uint32_t ct_comm_kernel_of(const struct ct_comm *comm, uint32_t superstep)
{
	return comm->engine.step[superstep].kernel;
}

struct each_transfer {
	int (*fn)(void *user, const struct ct_comm_transfer *transfer);
	void *user;
};

static int hand_flow(void *user, const struct ct_flow *flow)
{
	const struct each_transfer *each = user;
	const struct ct_comm_transfer transfer = {
	    .source_cta = (uint32_t)(flow->ctas >> 32),
	    .source_superstep = (uint32_t)(flow->supersteps >> 32),
	    .target_cta = (uint32_t)flow->ctas,
	    .target_superstep = (uint32_t)flow->supersteps,
	    .bytes = flow->bytes,
	    .loads = flow->loads,
	};

	return each->fn(each->user, &transfer);
}

int ct_comm_each_transfer(struct ct_comm *comm,
			  int (*fn)(void *user, const struct ct_comm_transfer *transfer),
			  void *user)
{
	struct each_transfer each = {fn, user};
	int err = 0;

	for (uint32_t p = 0; p < CT_FLOW_PARTITIONS && err == 0; p++)
		if (ct_shuffle_is_mine(comm->engine.flows, p))
			err = ct_flows_each(&comm->engine, p, hand_flow, &each);
	return err;
}

struct each_cta {
	int (*fn)(void *user, const struct ct_comm_cta *cta);
	void *user;
};

static int hand_volume(void *user, const struct ct_volume *volume)
{
	const struct each_cta *each = user;
	const struct ct_comm_cta cta = {
	    .superstep = (uint32_t)(volume->who >> 32),
	    .cta = (uint32_t)volume->who,
	    .sm = (uint32_t)volume->sm,
	    .load_bytes = volume->load_bytes,
	    .store_bytes = volume->store_bytes,
	    .communicated_load_bytes = volume->communicated_load_bytes,
	    .communicated_store_bytes = volume->communicated_store_bytes,
	};

	return each->fn(each->user, &cta);
}

int ct_comm_each_cta(struct ct_comm *comm, int (*fn)(void *user, const struct ct_comm_cta *cta),
		     void *user)
{
	struct each_cta each = {fn, user};
	int err = 0;

	for (uint32_t p = 0; p < CT_VOLUME_PARTITIONS && err == 0; p++)
		if (ct_shuffle_is_mine(comm->engine.volumes, p))
			err = ct_volumes_each(&comm->engine, p, hand_volume, &each);
	return err;
}
