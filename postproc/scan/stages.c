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

/* The next partition of this rank, or the number of all. */
static size_t next_partition(struct ct_pass_worker *worker)
{
	struct ct_pass *pass = worker->pass;
	const struct ct_ranks *ranks = pass->options.ranks;
	const struct ct_stage *stage = pass->stage;
	size_t at;

	ct_pass_tell(worker, stage->weight, atomic_load(&pass->next), stage->partitions);
	do
		at = atomic_fetch_add(&pass->next, 1);
	while (at < stage->partitions && at % ranks->size != ranks->rank);
	return ct_pass_stopped(pass) || at > stage->partitions ? stage->partitions : at;
}

static int work(struct ct_pass_worker *worker)
{
	struct ct_pass *pass = worker->pass;
	const struct ct_stage *stage = pass->stage;
	int err = stage->open(&worker->stage_state, pass->task[pass->staged].job, &worker->as);
	size_t partition;

	while (err == 0 && (partition = next_partition(worker)) < stage->partitions)
		err = stage->take(worker->stage_state, (uint32_t)partition);
	if (err == 0 && stage->finish)
		err = stage->finish(worker->stage_state);
	return ct_pass_stop(pass, err, pass->staged);
}

static int join(struct ct_pass *pass, int err)
{
	const struct ct_stage *stage = pass->stage;

	for (uint32_t i = 0; i < pass->workers; i++) {
		struct ct_pass_worker *worker = &pass->worker[i];

		if (err == 0)
			err = stage->join(pass->task[pass->staged].job, worker->stage_state);
		if (worker->stage_state)
			stage->close(worker->stage_state);
		worker->stage_state = NULL;
	}
	return ct_pass_stop(pass, err, pass->staged);
}

static int run(struct ct_pass *pass, const struct ct_stage *stage)
{
	int err = 0;

	pass->stage = stage;
	if (stage->begin)
		err = ct_pass_agree(pass, stage->begin(pass->task[pass->staged].job));
	if (err)
		return ct_pass_stop(pass, err, pass->staged);
	atomic_store(&pass->next, 0);
	err = ct_pass_agree(pass, join(pass, ct_pass_run_workers(pass, work)));
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
