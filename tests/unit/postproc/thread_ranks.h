/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that stand in for the processes of an MPI program. */
#ifndef THREAD_RANKS_H
#define THREAD_RANKS_H

#include "postproc/base/ranks.h"
#include <pthread.h>

#define THREAD_RANKS 3u

/* Where they meet, one per group. */
struct thread_meeting {
	pthread_barrier_t barrier;
	const void *data[THREAD_RANKS][THREAD_RANKS];
	size_t bytes[THREAD_RANKS][THREAD_RANKS];
	uint64_t value[THREAD_RANKS];
};

struct thread_rank {
	struct ct_ranks ranks; /* first */
	struct thread_meeting *meeting;
};

/* Rank number `rank` of THREAD_RANKS; the meeting's barrier is the caller's. */
struct thread_rank thread_rank_make(struct thread_meeting *meeting, uint32_t rank);

#endif
