/* SPDX-License-Identifier: Apache-2.0 */
/* Bring states together: of workers two by two, of ranks on rank 0. */
#include "postproc/scan/state.h"

#include <errno.h>
#include <stdlib.h>

/* In a round, workers whose numbers are multiples of 2 * step take from the one step after. */
static int join_round(struct ct_pass_worker *worker)
{
	struct ct_pass *pass = worker->pass;
	size_t step = atomic_load(&pass->next);
	struct ct_pass_worker *from = worker + step;
	int err = 0;

	if (worker->as.number % (2 * step) || worker->as.number + step >= pass->workers)
		return 0;
	for (size_t t = 0; t < pass->tasks && err == 0; t++) {
		const struct ct_analysis *analysis = pass->task[t].analysis;

		if (!from->state[t])
			continue;
		err = analysis->join(worker->state[t], from->state[t]);
		ct_pass_stop(pass, err, t);
		analysis->close(from->state[t]);
		from->state[t] = NULL;
	}
	return err;
}

int ct_pass_join(struct ct_pass *pass)
{
	int err = 0;

	for (size_t step = 1; step < pass->workers && err == 0; step *= 2) {
		atomic_store(&pass->next, step);
		err = ct_pass_run_workers(pass, join_round);
	}
	return err;
}

struct gathering {
	const struct ct_task *task;
	void *state;
	uint32_t rank;
};

static int take_packed(void *user, uint32_t from, const void *data, size_t bytes)
{
	const struct gathering *gathering = user;

	if (gathering->rank != 0 || from == 0)
		return 0;
	return gathering->task->analysis->unpack(gathering->state, data, bytes);
}

/* Send the same or nothing: to rank 0 alone, or to all. */
static int trade(struct ct_ranks *ranks, const struct ct_buffer *bytes, bool is_for_all,
		 int (*take)(void *user, uint32_t from, const void *data, size_t count), void *user)
{
	const void *data[ranks->size];
	size_t count[ranks->size];

	for (uint32_t i = 0; i < ranks->size; i++) {
		data[i] = bytes->bytes;
		count[i] = is_for_all || i == 0 ? bytes->size : 0;
	}
	return ranks->trade(ranks, data, count, take, user);
}

static int gather(struct ct_pass *pass, size_t t)
{
	struct ct_ranks *ranks = pass->options.ranks;
	struct gathering gathering = {&pass->task[t], pass->worker[0].state[t], ranks->rank};
	const struct ct_analysis *analysis = pass->task[t].analysis;
	struct ct_buffer bytes = {0};
	int err = 0;

	if (!analysis->pack)
		return 0;
	if (ranks->rank != 0)
		err = analysis->pack(gathering.state, &bytes);
	err = ct_pass_agree(pass, err);
	if (err == 0)
		err = trade(ranks, &bytes, false, take_packed, &gathering);
	ct_buffer_fini(&bytes);
	return ct_pass_stop(pass, err, t);
}

int ct_pass_gather(struct ct_pass *pass)
{
	int err = 0;

	for (size_t t = 0; t < pass->tasks && err == 0 && pass->options.ranks->size > 1; t++)
		err = gather(pass, t);
	return err;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int take_damaged(void *user, uint32_t from, const void *data, size_t bytes)
{
	(void)from;
	return !bytes || ct_buffer_append(user, data, bytes) ? 0 : -ENOMEM;
}

static int take_chunks(void *user, uint32_t from, const void *data, size_t bytes)
{
	uint64_t *chunks = user;

	(void)from;
	*chunks += bytes ? *(const uint64_t *)data : 0;
	return 0;
}

/* A chunk may have been found damaged by several, each in its own records. */
static uint64_t count_distinct(struct ct_buffer *damaged)
{
	uint64_t *chunk = (uint64_t *)(void *)damaged->bytes, distinct = 0;
	size_t count = damaged->size / sizeof(*chunk);

	if (count)
		qsort(chunk, count, sizeof(*chunk), compare);
	for (size_t i = 0; i < count; i++)
		distinct += i == 0 || chunk[i] != chunk[i - 1];
	return distinct;
}

static int take_warnings(void *user, uint32_t from, const void *data, size_t bytes)
{
	const struct ct_pass *pass = user;

	if (from == pass->options.ranks->rank)
		return 0;
	return ct_trace_unpack_warnings(pass->worker[0].as.trace, data, bytes);
}

/* Rank 0 has those of all ranks beside its own. */
static int gather_warnings(struct ct_pass *pass)
{
	struct ct_buffer bytes = {0};
	int err = 0;

	for (uint32_t i = 0; i < pass->workers && err == 0; i++)
		err = ct_trace_pack_warnings(pass->worker[i].as.trace, &bytes);
	err = ct_pass_agree(pass, err);
	if (err == 0)
		err = trade(pass->options.ranks, &bytes, false, take_warnings, pass);
	ct_buffer_fini(&bytes);
	return err;
}

int ct_pass_gather_scanned(struct ct_pass *pass)
{
	struct ct_ranks *ranks = pass->options.ranks;
	struct ct_buffer own = {0}, all = {0}, count;
	uint64_t chunks = 0, sum = 0;
	int err = 0;

	for (uint32_t i = 0; i < pass->workers && err == 0; i++) {
		chunks += pass->worker[i].chunks;
		err = take_damaged(&own, 0, pass->worker[i].damaged.bytes,
				   pass->worker[i].damaged.size);
	}
	count = (struct ct_buffer){.bytes = (char *)&chunks, .size = sizeof(chunks)};
	err = ct_pass_agree(pass, err);
	if (err == 0)
		err = trade(ranks, &own, true, take_damaged, &all);
	if (err == 0)
		err = trade(ranks, &count, true, take_chunks, &sum);
	if (err == 0 && ranks->size > 1)
		err = gather_warnings(pass);
	pass->scanned = (struct ct_scanned){
	    .chunks = sum,
	    .damaged_chunks =
		count_distinct(&all) + (pass->scans ? ct_trace_damaged_places(pass->trace) : 0),
	};
	ct_buffer_fini(&own);
	ct_buffer_fini(&all);
	return err;
}
