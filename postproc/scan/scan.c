/* SPDX-License-Identifier: Apache-2.0 */
/* Hand out all records of a trace to the states of all workers. */
#include "postproc/scan/state.h"
#include "trace/read/work.h"

#include <errno.h>

/* Where chunks go to whoever is free, ranks divide them by what is the same on all of them. */
static bool is_of_rank(const struct ct_pass *pass, size_t chunk)
{
	const struct ct_ranks *ranks = pass->options.ranks;

	return pass->division != CT_DIVIDE_CHUNKS || ranks->size == 1 ||
	       ct_trace_chunk_place(pass->trace, chunk) % ranks->size == ranks->rank;
}

static int take_chunk(struct ct_pass_worker *worker, size_t chunk)
{
	int err = ct_scanner_load(worker->scanner, chunk, worker->loaded);

	worker->chunks++;
	if (err == 0)
		err = ct_scanner_take(worker->scanner, worker->loaded);
	return err == 0 ? ct_pass_end_chunk(worker, chunk, worker->loaded) : err;
}

/* Chunks that this worker both reads and hands out. */
static int take_chunks(struct ct_pass_worker *worker)
{
	struct ct_pass *pass = worker->pass;
	int err = ct_loaded_open(&worker->loaded);
	size_t chunk;

	while (err == 0 && !ct_pass_stopped(pass)) {
		chunk = atomic_fetch_add(&pass->next, 1);
		if (chunk >= pass->chunks)
			break;
		if (is_of_rank(pass, chunk))
			err = take_chunk(worker, chunk);
		ct_pass_tell(worker, CT_SCAN_WEIGHT, chunk + 1, pass->chunks);
	}
	return err;
}

/* Where one worker hands out everything, it has the only states. */
static int open_states(struct ct_pass_worker *worker)
{
	struct ct_pass *pass = worker->pass;
	int err = 0;

	if (pass->division == CT_DIVIDE_NOTHING && worker->as.number)
		return 0;
	for (size_t t = 0; t < pass->tasks && err == 0; t++) {
		const struct ct_task *task = &pass->task[t];

		if (!task->analysis->open)
			continue;
		err = task->analysis->open(&worker->state[t], task->job, &worker->as);
		ct_pass_stop(pass, err, t);
	}
	return err;
}

static int finish_states(struct ct_pass_worker *worker)
{
	struct ct_pass *pass = worker->pass;
	int err = 0;

	for (size_t t = 0; t < pass->tasks && err == 0; t++) {
		const struct ct_analysis *analysis = pass->task[t].analysis;

		if (!analysis->finish || !worker->state[t])
			continue;
		err = analysis->finish(worker->state[t]);
		ct_pass_stop(pass, err, t);
	}
	return err;
}

static int open_scanner(struct ct_pass_worker *worker)
{
	const struct ct_pass *pass = worker->pass;
	const struct ct_ranks *ranks = pass->options.ranks;
	bool has_shares = pass->division == CT_DIVIDE_WARPS;

	worker->request = pass->request;
	worker->request.user = worker;
	return ct_scanner_open(&worker->scanner, worker->as.trace, &worker->request,
			       has_shares ? ranks->size * pass->workers : 1,
			       has_shares ? ranks->rank * pass->workers + worker->as.number : 0);
}

static int scan(struct ct_pass_worker *worker)
{
	struct ct_pass *pass = worker->pass;
	int err = open_states(worker);

	if (err == 0)
		err = ct_feed_open(worker);
	if (err == 0)
		err = open_scanner(worker);
	if (pass->ring)
		err = ct_ring_work(worker, err);
	else if (err == 0)
		err = take_chunks(worker);
	if (err == 0 && !ct_pass_stopped(pass))
		err = ct_scanner_end(worker->scanner);
	if (err == 0 && !ct_pass_stopped(pass))
		err = finish_states(worker);
	ct_pass_tell(worker, CT_SCAN_WEIGHT, 1, 1);
	return err;
}

int ct_pass_scan(struct ct_pass *pass)
{
	int err = 0;

	ct_trace_begin_work(pass->trace);
	if (pass->division != CT_DIVIDE_CHUNKS && pass->workers > 1 && pass->chunks)
		err = ct_ring_open(pass);
	if (err == 0)
		err = ct_pass_run_workers(pass, scan);
	ct_ring_close(pass);
	pass->parts_before = CT_SCAN_WEIGHT;
	return err;
}
