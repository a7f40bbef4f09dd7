/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that stand in for the processes of an MPI program. */
#include "tests/unit/postproc/thread_ranks.h"

static int trade(struct ct_ranks *ranks, const void *const *data, const size_t *bytes,
		 int (*take)(void *user, uint32_t from, const void *data, size_t bytes), void *user)
{
	struct thread_meeting *meeting = ((struct thread_rank *)ranks)->meeting;
	int err = 0;

	for (uint32_t to = 0; to < THREAD_RANKS; to++) {
		meeting->data[ranks->rank][to] = data[to];
		meeting->bytes[ranks->rank][to] = bytes[to];
	}
	pthread_barrier_wait(&meeting->barrier);
	for (uint32_t from = 0; from < THREAD_RANKS && err == 0; from++)
		err = take(user, from, meeting->data[from][ranks->rank],
			   meeting->bytes[from][ranks->rank]);
	pthread_barrier_wait(&meeting->barrier);
	return err;
}

static uint64_t greatest(struct ct_ranks *ranks, uint64_t value)
{
	struct thread_meeting *meeting = ((struct thread_rank *)ranks)->meeting;
	uint64_t most = 0;

	meeting->value[ranks->rank] = value;
	pthread_barrier_wait(&meeting->barrier);
	for (uint32_t i = 0; i < THREAD_RANKS; i++)
		most = meeting->value[i] > most ? meeting->value[i] : most;
	pthread_barrier_wait(&meeting->barrier);
	return most;
}

struct thread_rank thread_rank_make(struct thread_meeting *meeting, uint32_t rank)
{
	return (struct thread_rank){
	    .ranks = {.rank = rank, .size = THREAD_RANKS, .trade = trade, .greatest = greatest},
	    .meeting = meeting};
}
