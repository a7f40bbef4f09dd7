/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces are taken one by one, in their order. */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>

#define THREADS_MAX 16u

struct pieces {
	size_t count, next; /* next: atomic */
	int (*work)(void *user, size_t piece);
	void *user;
	pthread_mutex_t lock; /* of the next two */
	size_t failed;
	int err;
};

unsigned ct_parallel_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

static void note_failure(struct pieces *pieces, size_t piece, int err)
{
	pthread_mutex_lock(&pieces->lock);
	if (!pieces->err || piece < pieces->failed) {
		pieces->err = err;
		pieces->failed = piece;
	}
	pthread_mutex_unlock(&pieces->lock);
}

static void *do_some(void *user)
{
	struct pieces *pieces = user;
	size_t piece;

	while ((piece = __atomic_fetch_add(&pieces->next, 1, __ATOMIC_RELAXED)) < pieces->count) {
		int err = pieces->work(pieces->user, piece);

		if (err)
			note_failure(pieces, piece, err);
	}
	return NULL;
}

int ct_parallel(size_t count, int (*work)(void *user, size_t piece), void *user)
{
	struct pieces pieces = {
	    .count = count, .work = work, .user = user, .lock = PTHREAD_MUTEX_INITIALIZER};
	size_t wanted = ct_parallel_processors(), begun = 0;
	pthread_t thread[THREADS_MAX];

	wanted = wanted < count ? wanted : count;
	wanted = wanted < THREADS_MAX ? wanted : THREADS_MAX;
	while (begun + 1 < wanted && pthread_create(&thread[begun], NULL, do_some, &pieces) == 0)
		begun++;
	do_some(&pieces);
	for (size_t i = 0; i < begun; i++)
		pthread_join(thread[i], NULL);
	pthread_mutex_destroy(&pieces.lock);
	return pieces.err;
}
