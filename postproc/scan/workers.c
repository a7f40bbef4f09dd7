/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of a pass, and how it ends. */
#include "postproc/scan/state.h"

#include <errno.h>
#include <stdlib.h>

#define PARTS 1000u /* of progress */

void ct_pass_tell(const struct ct_pass_worker *worker, uint32_t weight, size_t done, size_t total)
{
	struct ct_pass *pass = worker->pass;
	double part = total ? (double)(done < total ? done : total) / (double)total : 1;

	if (worker->as.number || !pass->options.progress)
		return;
	part = (pass->parts_before + part * weight) / pass->parts;
	ct_pass_stop(pass,
		     pass->options.progress(pass->options.user, (uint64_t)(part * PARTS), PARTS),
		     CT_NO_TASK);
}

/* The first worker has the caller's trace; the others' views have warnings of their own, and its
 * view too, so that all are put in order. */
static int open_worker(struct ct_pass *pass, uint32_t number)
{
	struct ct_pass_worker *worker = &pass->worker[number];

	worker->pass = pass;
	worker->as.number = number;
	worker->state = calloc(pass->tasks, sizeof(*worker->state));
	if (!worker->state)
		return -ENOMEM;
	return ct_trace_view(&worker->as.trace, pass->trace);
}

int ct_pass_open_workers(struct ct_pass *pass)
{
	int err = 0;

	pass->worker = calloc(pass->workers, sizeof(*pass->worker));
	if (!pass->worker)
		return -ENOMEM;
	for (uint32_t i = 0; i < pass->workers && err == 0; i++)
		err = open_worker(pass, i);
	return err;
}

static void join_warnings(struct ct_pass *pass)
{
	struct ct_trace **views = calloc(pass->workers, sizeof(struct ct_trace *));
	size_t count = 0;

	for (uint32_t i = 0; views && i < pass->workers; i++)
		if (pass->worker[i].as.trace)
			views[count++] = pass->worker[i].as.trace;
	if (count)
		ct_trace_join_views(pass->trace, views, count);
	free(views);
}

static void close_states(const struct ct_pass *pass, struct ct_pass_worker *worker)
{
	for (size_t t = 0; worker->state && t < pass->tasks; t++)
		if (worker->state[t])
			pass->task[t].analysis->close(worker->state[t]);
	free(worker->state);
}

void ct_pass_close_workers(struct ct_pass *pass)
{
	if (!pass->worker)
		return;
	join_warnings(pass);
	for (uint32_t i = 0; i < pass->workers; i++) {
		struct ct_pass_worker *worker = &pass->worker[i];

		close_states(pass, worker);
		ct_feed_close(worker);
		ct_scanner_close(worker->scanner);
		ct_loaded_close(worker->loaded);
		ct_buffer_fini(&worker->damaged);
		ct_trace_close(worker->as.trace);
	}
	free(pass->worker);
	pass->worker = NULL;
}

struct start {
	struct ct_pass_worker *worker;
	int (*run)(struct ct_pass_worker *worker);
};

static void *run_worker(void *argument)
{
	const struct start *start = argument;

	ct_pass_stop(start->worker->pass, start->run(start->worker), CT_NO_TASK);
	return NULL;
}

int ct_pass_run_workers(struct ct_pass *pass, int (*run)(struct ct_pass_worker *worker))
{
	struct start start[CT_PASS_THREADS_MAX];
	uint32_t started = 1;
	int err = 0;

	for (uint32_t i = 0; i < pass->workers; i++)
		start[i] = (struct start){&pass->worker[i], run};
	for (; started < pass->workers; started++) {
		err = -pthread_create(&pass->worker[started].thread, NULL, run_worker,
				      &start[started]);
		if (err)
			break;
	}
	ct_pass_stop(pass, err, CT_NO_TASK);
	run_worker(&start[0]);
	for (uint32_t i = 1; i < started; i++)
		pthread_join(pass->worker[i].thread, NULL);
	return ct_pass_stopped(pass);
}

int ct_pass_end_chunk(struct ct_pass_worker *worker, size_t chunk, const struct ct_loaded *loaded)
{
	uint64_t number = chunk;

	if (!ct_loaded_is_damaged(loaded))
		return 0;
	return ct_buffer_append(&worker->damaged, &number, sizeof(number)) ? 0 : -ENOMEM;
}
