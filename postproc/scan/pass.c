/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over a trace from what is wanted to what came of it. */
#include "base/parallel.h"
#include "base/room.h"
#include "postproc/scan/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEMORY_LEAST (64ull << 20)

uint32_t ct_pass_threads(uint32_t threads)
{
	if (!threads)
		threads = ct_parallel_processors();
	return threads < CT_PASS_THREADS_MAX ? threads : CT_PASS_THREADS_MAX;
}

uint64_t ct_pass_memory(uint64_t memory_bytes)
{
	uint64_t most = ct_room_addresses() / 4;

	if (!memory_bytes)
		memory_bytes =
		    (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4;
	/* It is reserved at once, and threads need addresses beside it. */
	if (memory_bytes > most)
		memory_bytes = most;
	return memory_bytes > MEMORY_LEAST ? memory_bytes : MEMORY_LEAST;
}

const char *ct_pass_directory(const char *directory)
{
	const char *temporary = getenv("TMPDIR");

	if (directory)
		return directory;
	return temporary && *temporary ? temporary : "/tmp";
}

/* Each job has its part of what the ring leaves. */
static void divide_memory(struct ct_pass *pass)
{
	uint64_t bytes = pass->options.memory_bytes - ct_ring_bytes(pass), parts = 0;

	for (size_t t = 0; t < pass->tasks; t++)
		parts += pass->task[t].analysis->memory;
	for (size_t t = 0; t < pass->tasks; t++)
		pass->room[t] = (struct ct_room){
		    .scanned = &pass->scanned,
		    .threads = pass->workers,
		    .memory_bytes = parts ? bytes / parts * pass->task[t].analysis->memory : 0,
		    .directory = pass->options.directory,
		    .ranks = pass->options.ranks,
		    .why = pass->why,
		};
}

static int begin(struct ct_pass *pass)
{
	int err = 0;

	divide_memory(pass);
	for (size_t t = 0; t < pass->tasks && err == 0; t++) {
		const struct ct_task *task = &pass->task[t];

		if (task->analysis->begin)
			err = task->analysis->begin(task->job, &pass->room[t]);
		err = ct_pass_stop(pass, ct_pass_agree(pass, err), t);
	}
	return err;
}

static int conclude(struct ct_pass *pass)
{
	int err = 0;

	for (size_t t = 0; t < pass->tasks && err == 0; t++) {
		const struct ct_task *task = &pass->task[t];

		if (task->analysis->conclude)
			err = task->analysis->conclude(task->job, &pass->worker[0].state[t],
						       &pass->scanned);
		err = ct_pass_stop(pass, ct_pass_agree(pass, err), t);
	}
	return err;
}

static int run(struct ct_pass *pass)
{
	int err = ct_pass_plan(pass);

	if (err == 0)
		err = ct_pass_open_workers(pass);
	err = ct_pass_agree(pass, err);
	if (err == 0) {
		ct_pass_divide_short(pass);
		err = begin(pass);
	}
	if (err == 0)
		err = ct_pass_agree(pass, ct_pass_scan(pass));
	if (err == 0)
		err = ct_pass_agree(pass, ct_pass_join(pass));
	if (err == 0)
		err = ct_pass_gather_scanned(pass);
	if (err == 0)
		err = ct_pass_gather(pass);
	if (err == 0)
		err = ct_pass_stages(pass);
	if (err == 0)
		err = conclude(pass);
	return err;
}

/* Whether the pass is to run again, for a job is otherwise than it was: on all ranks, whichever
 * of them has found that out. */
static bool runs_again(struct ct_pass *pass, int err)
{
	struct ct_ranks *ranks = pass->options.ranks;
	size_t failed = atomic_load(&pass->failed), task;
	bool is_own = failed != CT_NO_TASK && pass->task[failed].analysis->again;

	/* The error of the task, as another's may be the one that all ranks have. */
	task = ranks->greatest(ranks, is_own ? failed + 1 : 0);
	err = -(int)ranks->greatest(
	    ranks, is_own && task == failed + 1 ? (uint64_t)-atomic_load(&pass->stop) : 0);
	return task && err < 0 &&
	       pass->task[task - 1].analysis->again(pass->task[task - 1].job, err);
}

static int open_pass(struct ct_pass *pass)
{
	pass->options.threads = ct_pass_threads(pass->options.threads);
	pass->options.memory_bytes = ct_pass_memory(pass->options.memory_bytes);
	pass->options.directory = ct_pass_directory(pass->options.directory);
	if (!pass->options.ranks)
		pass->options.ranks = ct_ranks_alone();
	pass->workers = pass->options.threads;
	pass->parts = CT_SCAN_WEIGHT + ct_pass_stage_weights(pass);
	pass->wants = calloc(pass->tasks, sizeof(*pass->wants));
	pass->room = calloc(pass->tasks, sizeof(*pass->room));
	return pass->wants && pass->room ? 0 : -ENOMEM;
}

static void begin_again(struct ct_pass *pass)
{
	atomic_store(&pass->next, 0);
	atomic_store(&pass->stop, 0);
	atomic_store(&pass->failed, CT_NO_TASK);
	pass->parts_before = 0;
	pass->why[0] = '\0';
}

static int run_tasks(struct ct_trace *trace, const struct ct_task *tasks, size_t count,
		     const struct ct_pass_options *options, struct ct_scanned *scanned, char *why)
{
	struct ct_pass pass = {.trace = trace, .task = tasks, .tasks = count, .options = *options};
	bool is_over = false;
	int err = open_pass(&pass);

	while (err == 0 && !is_over) {
		begin_again(&pass);
		err = run(&pass);
		is_over = err == 0 || !runs_again(&pass, err);
		if (!is_over)
			err = 0;
		ct_pass_close_workers(&pass);
		ct_pass_forget_plan(&pass);
	}
	if (scanned)
		*scanned = pass.scanned;
	if (why)
		memcpy(why, pass.why, CT_WHY_BYTES);
	free(pass.wants);
	free(pass.room);
	return err;
}

/* Those of one process in `alone`, the others in `shared`. Returns how many are alone. */
static size_t part(const struct ct_task *tasks, size_t count, struct ct_task *alone,
		   struct ct_task *shared)
{
	size_t alones = 0;

	for (size_t i = 0; i < count; i++)
		if (tasks[i].analysis->is_of_one_process)
			alone[alones++] = tasks[i];
		else
			shared[i - alones] = tasks[i];
	return alones;
}

int ct_pass_run(struct ct_trace *trace, const struct ct_task *tasks, size_t count,
		const struct ct_pass_options *options, struct ct_scanned *scanned, char *why)
{
	struct ct_ranks *ranks = options->ranks;
	struct ct_pass_options by_one = *options;
	struct ct_task *alone, *shared;
	size_t alones;
	int err = 0;

	if (!ranks || ranks->size == 1)
		return run_tasks(trace, tasks, count, options, scanned, why);
	alone = calloc(2 * count + 1, sizeof(*alone));
	err = ct_ranks_agree(ranks, alone ? 0 : -ENOMEM);
	if (err < 0) {
		free(alone);
		return err;
	}
	shared = alone + count;
	alones = part(tasks, count, alone, shared);
	by_one.ranks = ct_ranks_alone();
	if (alones < count)
		err = run_tasks(trace, shared, count - alones, options, scanned, why);
	if (err == 0 && alones && ranks->rank == 0)
		err = run_tasks(trace, alone, alones, &by_one, scanned, why);
	if (alones)
		err = ct_ranks_agree(ranks, err);
	free(alone);
	return err;
}
