/* SPDX-License-Identifier: Apache-2.0 */
/* The communication analysis from the trace to the figures: stages on all threads and ranks. */
#include "engine.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WHY_BYTES 512
#define PARTS 1000u /* of progress */
#define MEMORY_LEAST (64ull << 20)
#define WRITERS_MAX 256u
#define STRIDE_TOUCHES (1ull << 22) /* of CTAs whose strides are looked at, about */

struct ct_comm {
	struct ct_engine engine;
	struct ct_comm_figures figures;
	bool has_figures;
};

/* One thread's share of a stage. */
struct worker {
	struct stage *stage;
	uint32_t number;
	struct ct_sums *sums;
	struct ct_trace *trace; /* of a scan on another thread */
	int err;
	pthread_t thread;
};

struct stage {
	struct ct_engine *engine;
	int (*run)(struct worker *worker);
	uint32_t partitions;
	uint32_t next; /* partition that nobody has taken */
	uint64_t damaged;
	int stop; /* the first error, or what progress returned */
	uint32_t progress_from, progress_to;
	struct worker worker[WRITERS_MAX];
};

static void stop(struct stage *stage, int err)
{
	int none = 0;

	if (err)
		__atomic_compare_exchange_n(&stage->stop, &none, err, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
}

static int stopped(struct stage *stage)
{
	return __atomic_load_n(&stage->stop, __ATOMIC_RELAXED);
}

/* Told by the calling thread only, which is worker 0. */
static int tell(const struct worker *worker, double part)
{
	const struct stage *stage = worker->stage;
	const struct ct_comm_options *options = &stage->engine->options;
	double from = stage->progress_from, to = stage->progress_to;

	if (worker->number || !options->progress)
		return 0;
	return options->progress(options->user, (uint64_t)(from + part * (to - from)), PARTS);
}

/* The next partition of this rank, or stage->partitions. */
static uint32_t next_partition(struct worker *worker)
{
	struct stage *stage = worker->stage;
	const struct ct_ranks *ranks = stage->engine->options.ranks;
	uint32_t at;

	stop(stage, tell(worker, (double)__atomic_load_n(&stage->next, __ATOMIC_RELAXED) /
				     stage->partitions));
	do
		at = __atomic_fetch_add(&stage->next, 1, __ATOMIC_RELAXED);
	while (at < stage->partitions && at % ranks->size != ranks->rank);
	return stopped(stage) || at > stage->partitions ? stage->partitions : at;
}

static void *run_worker(void *argument)
{
	struct worker *worker = argument;

	worker->err = worker->stage->run(worker);
	stop(worker->stage, worker->err);
	return NULL;
}

/* Any rank's error is all ranks' error; what progress returned stays with its rank. */
static int agree(const struct ct_engine *engine, int err)
{
	int all = ct_ranks_agree(engine->options.ranks, err > 0 ? -ECANCELED : err);

	return err > 0 ? err : all;
}

/* Run a stage on all threads; their sums go to the engine's. */
static int run_stage(struct stage *stage)
{
	struct ct_engine *engine = stage->engine;
	uint32_t threads = engine->threads, started = 1;
	int err = 0;

	for (uint32_t i = 0; i < threads && err == 0; i++) {
		stage->worker[i] = (struct worker){.stage = stage, .number = i};
		err = ct_sums_open(&stage->worker[i].sums);
	}
	stop(stage, err);
	for (; err == 0 && started < threads; started++) {
		err = -pthread_create(&stage->worker[started].thread, NULL, run_worker,
				      &stage->worker[started]);
		if (err)
			break;
	}
	stop(stage, err);
	if (err == 0)
		run_worker(&stage->worker[0]);
	for (uint32_t i = 1; i < started; i++)
		pthread_join(stage->worker[i].thread, NULL);
	err = stopped(stage);
	for (uint32_t i = 1; i < started; i++)
		if (stage->worker[i].trace) {
			ct_trace_join_warnings(engine->trace, stage->worker[i].trace);
			ct_trace_close(stage->worker[i].trace);
		}
	for (uint32_t i = 0; i < threads; i++) {
		if (err == 0)
			err = ct_sums_merge(engine->sums, stage->worker[i].sums);
		ct_sums_close(stage->worker[i].sums);
	}
	return agree(engine, err);
}

static int scan_progress(void *user, uint64_t done, uint64_t total)
{
	const struct worker *worker = user;

	stop(worker->stage, tell(worker, total ? (double)done / (double)total : 1));
	return stopped(worker->stage);
}

/* Readers are not shared: every thread but the first opens the trace itself. */
static int open_again(const struct ct_engine *engine, struct ct_trace **out)
{
	const struct ct_launch_info *launches;
	const struct ct_unit *units;
	char why[WHY_BYTES];
	int err = ct_trace_open(out, engine->directory, why, sizeof(why));

	if (err == 0 &&
	    (ct_trace_launches(*out, &launches) < ct_trace_launches(engine->trace, &launches) ||
	     ct_trace_units(*out, &units) < ct_trace_units(engine->trace, &units))) {
		ct_trace_close(*out);
		err = -ESTALE; /* written anew meanwhile */
	}
	return err;
}

static int run_scan(struct worker *worker)
{
	struct stage *stage = worker->stage;
	struct ct_engine *engine = stage->engine;
	struct ct_trace *trace = engine->trace;
	uint64_t damaged = 0;
	int err = worker->number ? open_again(engine, &trace) : 0;

	if (err < 0)
		return err;
	if (!worker->number && !engine->options.ranks->rank)
		err = ct_touch_transfers(engine, worker->number);
	if (err == 0)
		err = ct_touch_scan(engine, trace, worker->number, &damaged, scan_progress, worker);
	__atomic_add_fetch(&stage->damaged, damaged, __ATOMIC_RELAXED);
	if (worker->number)
		worker->trace = trace;
	return err;
}

static int run_pages(struct worker *worker)
{
	struct stage *stage = worker->stage;
	struct ct_pages *pages;
	int err = ct_pages_open(&pages, stage->engine, worker->sums, worker->number), close_err;
	uint32_t partition;

	while (err == 0 && (partition = next_partition(worker)) < stage->partitions)
		err = ct_pages_take(pages, partition);
	close_err = ct_pages_close(pages);
	return err == 0 ? close_err : err;
}

static int run_flows(struct worker *worker)
{
	struct stage *stage = worker->stage;
	struct ct_flows *flows;
	int err = ct_flows_open(&flows, stage->engine, worker->sums), close_err;
	uint32_t partition;

	while (err == 0 && (partition = next_partition(worker)) < stage->partitions)
		err = ct_flows_take(flows, partition);
	close_err = ct_flows_close(flows);
	return err == 0 ? close_err : err;
}

static int run_strides(struct worker *worker)
{
	uint32_t partition;
	int err = 0;

	while (err == 0 && (partition = next_partition(worker)) < worker->stage->partitions)
		err = ct_strides_take(worker->stage->engine, worker->sums, partition);
	return err;
}

static int run_volumes(struct worker *worker)
{
	uint32_t partition;
	int err = 0;

	while (err == 0 && (partition = next_partition(worker)) < worker->stage->partitions)
		err = ct_volumes_take(worker->stage->engine, worker->sums, partition);
	return err;
}

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
	return threads < WRITERS_MAX ? threads : WRITERS_MAX;
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
		err = open_shuffle(engine, &engine->volumes, sizeof(struct ct_volume),
				   CT_VOLUME_PARTITIONS, memory / 16, first);
	return err;
}

static int run(struct ct_engine *engine, int (*fn)(struct worker *worker), uint32_t partitions,
	       uint32_t from, uint32_t to)
{
	struct stage stage = {
	    .engine = engine,
	    .run = fn,
	    .partitions = partitions,
	    .progress_from = from,
	    .progress_to = to,
	};
	int err = run_stage(&stage);

	if (err == 0 && stage.damaged)
		err =
		    ct_sums_add(engine->sums, CT_FACT_KEY(CT_FACT_DAMAGE, 0), 0, stage.damaged, 0);
	return err;
}

static int add_count(void *user, uint32_t from, const void *data, size_t bytes)
{
	uint64_t *sum = user, count;

	(void)from;
	memcpy(&count, data, bytes < sizeof(count) ? bytes : sizeof(count));
	*sum += count;
	return 0;
}

/* Of all ranks together. */
static int count_touches(const struct ct_engine *engine, uint64_t *sum)
{
	struct ct_ranks *ranks = engine->options.ranks;
	const void *data[ranks->size];
	size_t bytes[ranks->size];
	uint64_t count = 0;

	for (uint32_t p = 0; p < CT_TOUCH_PARTITIONS; p++)
		if (ct_shuffle_is_mine(engine->touches, p))
			count += ct_shuffle_bytes(engine->touches, p) /
				 (engine->layout.words * sizeof(uint64_t));
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

static int run_all(struct ct_engine *engine)
{
	int err = run(engine, run_scan, 1, 0, 400);

	if (err == 0)
		err = ct_shuffle_settle(engine->touches);
	if (err == 0)
		err = choose_strides(engine);
	if (err == 0)
		err = run(engine, run_pages, CT_TOUCH_PARTITIONS, 400, 750);
	if (err == 0)
		err = ct_shuffle_settle(engine->flows);
	if (err == 0)
		err = ct_shuffle_settle(engine->runs);
	if (err == 0)
		err = ct_shuffle_settle(engine->volumes);
	if (err == 0)
		err = run(engine, run_flows, CT_FLOW_PARTITIONS, 750, 900);
	if (err == 0)
		err = run(engine, run_strides, CT_RUN_PARTITIONS, 900, 970);
	if (err == 0)
		err = run(engine, run_volumes, CT_VOLUME_PARTITIONS, 970, 990);
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
			if (engine->cell[i][0])
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
	err = agree(engine, err);
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

static int analyse(struct ct_comm *comm, char *why, size_t why_bytes)
{
	struct ct_engine *engine = &comm->engine;
	int err = ct_trace_open(&engine->trace, engine->directory, why, why_bytes);

	if (err == 0)
		err = ct_engine_prepare(engine, why, why_bytes);
	if (err == 0)
		err = ct_sums_open(&engine->sums);
	if (err == 0)
		err = open_shuffles(engine);
	err = agree(engine, err);
	if (err == 0)
		err = run_all(engine);
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
	return agree(engine, err);
}

int ct_comm_open(struct ct_comm **out, const char *directory, const struct ct_comm_options *options,
		 char *why, size_t why_bytes)
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
	err = analyse(comm, why, why_bytes);
	if (err) {
		if (why_bytes && !*why)
			snprintf(why, why_bytes, "%s: %s", directory, ct_strerror(err));
		ct_comm_close(comm);
		return err;
	}
	*out = comm;
	return 0;
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
