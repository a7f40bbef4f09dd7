/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of the communication analysis, on all threads and ranks. */
#include "postproc/analysis/comm/base/engine.h"
#include "postproc/analysis/comm/flows/dense.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>

#define WHY_BYTES 512
#define PARTS 1000u                 /* of progress */
#define STRIDE_TOUCHES (1ull << 22) /* of CTAs whose strides are looked at, about */

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
	struct worker worker[CT_THREADS_MAX];
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

int ct_engine_agree(const struct ct_engine *engine, int err)
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
	return ct_engine_agree(engine, err);
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
	uint64_t damaged = 0, transfers = 0; /* damaged chunks, and transfers */
	int err = worker->number ? open_again(engine, &trace) : 0;

	if (err < 0)
		return err;
	if (!worker->number && !engine->options.ranks->rank)
		err = ct_touch_transfers(engine, worker->number, &transfers);
	if (err == 0)
		err = ct_touch_scan(engine, trace, worker->number, &damaged, scan_progress, worker);
	__atomic_add_fetch(&stage->damaged, damaged + transfers, __ATOMIC_RELAXED);
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

static int settle_products(struct ct_engine *engine)
{
	int err = ct_products_settle(engine->products, engine->options.ranks);

	if (err == 0)
		err = ct_dense_open(&engine->dense, engine);
	if (err == 0 && engine->options.ranks->rank == 0)
		err = ct_dense_count(engine, engine->dense);
	return ct_engine_agree(engine, err);
}

int ct_engine_run(struct ct_engine *engine)
{
	int err = run(engine, run_scan, 1, 0, 400);

	if (err == 0)
		err = ct_shuffle_settle(engine->touches);
	if (err == 0)
		err = choose_strides(engine);
	if (err == 0)
		err = run(engine, run_pages, CT_TOUCH_PARTITIONS, 400, 750);
	if (err == 0)
		err = settle_products(engine);
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
