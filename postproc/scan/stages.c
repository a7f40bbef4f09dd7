/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of analyses: partitions of work, one after another, on all threads and ranks. */
#include "postproc/scan/state.h"

uint32_t ct_pass_stage_weights(const struct ct_pass *pass)
{
	uint32_t sum = 0;

	for (size_t t = 0; t < pass->tasks; t++)
		for (size_t i = 0; i < pass->task[t].analysis->stage_count; i++)
			sum += pass->task[t].analysis->stages[i].weight;
	return sum;
}

/* Partitions of this rank, or pieces of work. */
static size_t count_pieces(const struct ct_pass *pass)
{
	const struct ct_ranks *ranks = pass->options.ranks;
	const struct ct_stage *stage = pass->stage;

	if (stage->pieces)
		return stage->pieces(pass->task[pass->staged].job);
	return (stage->partitions + ranks->size - 1 - ranks->rank) / ranks->size;
}

static bool next_piece(struct ct_pass_worker *worker, uint32_t *number)
{
	struct ct_pass *pass = worker->pass;
	const struct ct_ranks *ranks = pass->options.ranks;
	size_t at = atomic_fetch_add(&pass->next, 1);

	ct_pass_tell(worker, pass->stage->weight, at, pass->pieces);
	*number = (uint32_t)(pass->stage->pieces ? at : at * ranks->size + ranks->rank);
	return !ct_pass_stopped(pass) && at < pass->pieces;
}

static int work(struct ct_pass_worker *worker)
{
	struct ct_pass *pass = worker->pass;
	const struct ct_stage *stage = pass->stage;
	int err = stage->open(&worker->stage_state, pass->task[pass->staged].job, &worker->as);
	uint32_t number;

	while (err == 0 && next_piece(worker, &number))
		err = stage->take(worker->stage_state, number);
	if (err == 0 && stage->finish)
		err = stage->finish(worker->stage_state);
	return ct_pass_stop(pass, err, pass->staged);
}

static int join_parts(struct ct_pass_worker *worker)
{
	struct ct_pass *pass = worker->pass;
	const struct ct_stage *stage = pass->stage;
	void *states[CT_PASS_THREADS_MAX];
	size_t part;
	int err = 0;

	for (uint32_t i = 0; i < pass->workers; i++)
		states[i] = pass->worker[i].stage_state;
	while (err == 0 && (part = atomic_fetch_add(&pass->next, 1)) < stage->parts)
		err = stage->join(pass->task[pass->staged].job, states, pass->workers,
				  (uint32_t)part);
	return ct_pass_stop(pass, err, pass->staged);
}

static int close_state(struct ct_pass_worker *worker)
{
	if (worker->stage_state)
		worker->pass->stage->close(worker->stage_state);
	worker->stage_state = NULL;
	return 0;
}

/* All take, then all join, then all close. */
static int run_workers(struct ct_pass *pass)
{
	int err = ct_pass_run_workers(pass, work);

	atomic_store(&pass->next, 0);
	if (err == 0)
		err = ct_pass_run_workers(pass, join_parts);
	ct_pass_run_workers(pass, close_state);
	return err;
}

static int run(struct ct_pass *pass, const struct ct_stage *stage)
{
	int err = 0;

	pass->stage = stage;
	if (stage->begin)
		err = ct_pass_agree(pass, stage->begin(pass->task[pass->staged].job));
	if (err)
		return ct_pass_stop(pass, err, pass->staged);
	pass->pieces = count_pieces(pass);
	atomic_store(&pass->next, 0);
	err = ct_pass_agree(pass, run_workers(pass));
	pass->parts_before += stage->weight;
	return err;
}

int ct_pass_stages(struct ct_pass *pass)
{
	int err = 0;

	for (size_t t = 0; t < pass->tasks && err == 0; t++) {
		const struct ct_analysis *analysis = pass->task[t].analysis;

		pass->staged = t;
		for (size_t i = 0; i < analysis->stage_count && err == 0; i++)
			err = run(pass, &analysis->stages[i]);
	}
	return err;
}
