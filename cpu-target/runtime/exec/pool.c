/* SPDX-License-Identifier: Apache-2.0 */
/* Worker threads and the grids they work on. */
#include "cpu-target/runtime/exec/pool.h"
#include "cpu-target/runtime/base/activity.h"
#include "cpu-target/runtime/base/service.h"
#include "cpu-target/runtime/exec/block.h"
#include "cpu-target/runtime/exec/fault.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define WORKERS_MAX 1024u
#define CHUNK_MAX 64u

/* There may be a job of each of many streams. Those that a worker has begun are no more than there
 * are workers. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t work;             /* a job has come */
	struct ct_cpu_job *first, **end; /* no worker has begun them; the oldest first */
	struct ct_cpu_job *begun;
	unsigned started;
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .work = PTHREAD_COND_INITIALIZER,
    .end = &pool.first,
};

static unsigned count_cores(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
		return (unsigned)CPU_COUNT(&set);
	return 1;
}

unsigned ct_cpu_worker_count(void)
{
	static _Atomic unsigned cached;
	unsigned count = atomic_load(&cached);
	const char *text;

	if (count)
		return count;
	text = getenv("CUDATRACE_CPU_THREADS");
	count = text ? (unsigned)strtoul(text, NULL, 10) : 0;
	if (!count)
		count = count_cores();
	if (count > WORKERS_MAX)
		count = WORKERS_MAX;
	atomic_store(&cached, count);
	return count;
}

static int take_block(struct ct_cpu_worker *worker, struct ct_cpu_job *job, uint64_t *cta)
{
	if (worker->chunk_next == worker->chunk_end) {
		uint64_t first = atomic_fetch_add(&job->next_block, job->chunk);

		if (first >= job->block_count)
			return 0;
		worker->chunk_next = first;
		worker->chunk_end = first + job->chunk;
		if (worker->chunk_end > job->block_count)
			worker->chunk_end = job->block_count;
	}
	*cta = worker->chunk_next++;
	return 1;
}

static struct ct_cpu_block *unused_block(struct ct_cpu_worker *worker)
{
	struct ct_cpu_block *block = worker->spare;

	if (!block)
		return ct_cpu_block_new(worker);
	worker->spare = block->next;
	return block;
}

/* cluster: NULL, or of the block, which gets this rank there. Returns 0 or -1. */
static int start_block(struct ct_cpu_worker *worker, struct ct_cpu_job *job, uint64_t cta,
		       struct ct_cpu_cluster *cluster, uint32_t rank)
{
	struct ct_cpu_block *block = unused_block(worker);

	if (!block) {
		ct_cpu_job_fail(job, NULL, NULL, CT_CPU_NO_MEMORY, "no memory for a block");
		return -1;
	}
	if (ct_cpu_block_start(block, job, cta, cluster, rank)) {
		block->next = worker->spare;
		worker->spare = block;
		return -1;
	}
	block->next = worker->resident;
	worker->resident = block;
	return 0;
}

/* All blocks of a cluster, none of which has run before the last one is there. */
static void start_cluster(struct ct_cpu_worker *worker, struct ct_cpu_job *job, uint64_t index)
{
	struct ct_cpu_cluster *cluster = ct_cpu_cluster_new(job->grid, index);

	if (!cluster) {
		ct_cpu_job_fail(job, NULL, NULL, CT_CPU_NO_MEMORY, "no memory for a cluster");
		return;
	}
	for (uint32_t rank = 0; rank < cluster->count; rank++)
		if (start_block(worker, job, ct_cpu_cluster_cta(cluster, job->grid, rank), cluster,
				rank))
			break;
	if (!cluster->resident)
		free(cluster);
}

static void start_next(struct ct_cpu_worker *worker, struct ct_cpu_job *job)
{
	uint64_t index;

	if (atomic_load(&job->error) || !take_block(worker, job, &index))
		return;
	if (job->grid->cluster[0])
		start_cluster(worker, job, index);
	else
		start_block(worker, job, index, NULL, 0);
}

/* Give every resident block its turn; returns how many remain. */
static unsigned run_residents(struct ct_cpu_worker *worker)
{
	struct ct_cpu_block **link = &worker->resident;
	unsigned remaining = 0;

	while (*link) {
		struct ct_cpu_block *block = *link;

		if (ct_cpu_block_run(block) == CT_BLOCK_YIELDS) {
			remaining++;
			link = &block->next;
			continue;
		}
		*link = block->next;
		ct_cpu_cluster_leave(block->cluster);
		block->next = worker->spare;
		worker->spare = block;
	}
	return remaining;
}

static void drop_spares(struct ct_cpu_worker *worker)
{
	while (worker->spare && worker->spare->next) {
		struct ct_cpu_block *block = worker->spare;

		worker->spare = block->next;
		ct_cpu_block_free(block);
	}
}

static void work_on(struct ct_cpu_worker *worker, struct ct_cpu_job *job)
{
	worker->chunk_next = worker->chunk_end = 0;
	for (;;) {
		if (!worker->resident || job->grid->cooperative)
			start_next(worker, job);
		if (!worker->resident)
			break;
		if (run_residents(worker))
			sched_yield();
	}
	drop_spares(worker);
	if (ct_cpu_producer && ct_cpu_producer->on_grid_done)
		ct_cpu_producer->on_grid_done(job->grid->id, worker->index);
}

static int has_blocks(struct ct_cpu_job *job)
{
	return !atomic_load(&job->error) && atomic_load(&job->next_block) < job->block_count;
}

static struct ct_cpu_job *begin_job(void)
{
	struct ct_cpu_job *job = pool.first;

	pool.first = job->next;
	if (!pool.first)
		pool.end = &pool.first;
	job->next = pool.begun;
	pool.begun = job;
	return job;
}

static void end_job(struct ct_cpu_job *job)
{
	struct ct_cpu_job **link = &pool.begun;

	while (*link != job)
		link = &(*link)->next;
	*link = job->next;
	pthread_cond_signal(&job->done);
}

/* The job with work left that has the fewest workers. */
static struct ct_cpu_job *choose_job(void)
{
	struct ct_cpu_job *best = NULL;

	if (pool.first)
		return begin_job();
	for (struct ct_cpu_job *job = pool.begun; job; job = job->next)
		if (has_blocks(job) && (!best || job->workers < best->workers))
			best = job;
	return best;
}

static void *worker_main(void *argument)
{
	struct ct_cpu_worker *worker = argument;

	ct_cpu_context_init_self(&worker->context);
	ct_cpu_fault_init_thread();
	ct_activity_be_device();
	pthread_mutex_lock(&pool.lock);
	for (;;) {
		struct ct_cpu_job *job = choose_job();

		if (!job) {
			pthread_cond_wait(&pool.work, &pool.lock);
			continue;
		}
		job->workers++;
		pthread_mutex_unlock(&pool.lock);
		work_on(worker, job);
		pthread_mutex_lock(&pool.lock);
		if (--job->workers == 0 && !has_blocks(job))
			end_job(job);
	}
	return NULL;
}

static int start_worker(unsigned index)
{
	struct ct_cpu_worker *worker = calloc(1, sizeof(*worker));
	int error;

	if (!worker)
		return -1;
	worker->index = index;
	error = ct_service_start(worker_main, worker);
	if (error)
		free(worker);
	return error;
}

static int start_workers(void)
{
	static int prepared;
	int error = 0;

	if (!prepared) {
		prepared = 1;
		ct_cpu_fault_init();
	}
	while (!error && pool.started < ct_cpu_worker_count()) {
		error = start_worker(pool.started);
		if (!error)
			pool.started++;
	}
	return pool.started ? 0 : error;
}

int ct_cpu_pool_run(struct ct_cpu_job *job)
{
	uint64_t share = job->block_count / (ct_cpu_worker_count() * 8u);
	int error;

	job->chunk = share < 1 || job->grid->cooperative ? 1
		     : share > CHUNK_MAX                 ? CHUNK_MAX
							 : share;
	pthread_mutex_lock(&pool.lock);
	error = start_workers();
	if (!error) {
		pthread_cond_init(&job->done, NULL);
		job->next = NULL;
		*pool.end = job;
		pool.end = &job->next;
		pthread_cond_broadcast(&pool.work);
		while (job->workers || has_blocks(job))
			pthread_cond_wait(&job->done, &pool.lock);
		pthread_cond_destroy(&job->done);
	}
	pthread_mutex_unlock(&pool.lock);
	return error;
}
