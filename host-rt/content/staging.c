/* SPDX-License-Identifier: Apache-2.0 */
/* Places in pinned memory, and how many bytes come in turn. */
#include "host-rt/content/staging.h"
#include "base/array.h"
#include "host-rt/calls/symbols.h"
#include <pthread.h>
#include <stdlib.h>

#define STAGINGS_MAX 64u

struct ct_staging {
	struct ct_staging *next; /* that is free */
	void *memory;
	uint64_t size;
	pthread_mutex_t lock; /* of what follows: one thread puts, another takes */
	size_t *bytes;
	size_t put, taken, room;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ct_staging *free_ones;
static uint32_t made;

static struct ct_staging *make(void)
{
	struct ct_staging *staging = calloc(1, sizeof(*staging));

	if (staging && __real_cudaHostAlloc(&staging->memory, CT_STAGING_BYTES,
					    cudaHostAllocPortable) == cudaSuccess) {
		pthread_mutex_init(&staging->lock, NULL);
		staging->size = CT_STAGING_BYTES;
		return staging;
	}
	free(staging);
	return NULL;
}

struct ct_staging *ct_staging_take(void)
{
	struct ct_staging *staging;
	uint32_t before = 0;

	pthread_mutex_lock(&lock);
	staging = free_ones;
	if (staging)
		free_ones = staging->next;
	else
		before = made < STAGINGS_MAX ? made++ : STAGINGS_MAX;
	pthread_mutex_unlock(&lock);
	if (staging || before == STAGINGS_MAX)
		return staging;
	return make();
}

void ct_staging_give(struct ct_staging *staging)
{
	if (!staging)
		return;
	staging->put = staging->taken = 0;
	pthread_mutex_lock(&lock);
	staging->next = free_ones;
	free_ones = staging;
	pthread_mutex_unlock(&lock);
}

void *ct_staging_whole(struct ct_staging *staging, uint64_t bytes)
{
	uint64_t size = staging->size;
	void *memory;

	while (size < bytes)
		size *= 2;
	if (size > staging->size) {
		/* Freeing the smaller one would wait for the device; all of them are no larger. */
		if (__real_cudaHostAlloc(&memory, size, cudaHostAllocPortable) != cudaSuccess)
			return NULL;
		staging->memory = memory;
		staging->size = size;
	}
	return staging->memory;
}

void *ct_staging_put(struct ct_staging *staging, size_t bytes)
{
	void *memory = NULL;

	pthread_mutex_lock(&staging->lock);
	if (ct_array_reserve(&staging->bytes, &staging->room, staging->put + 1, sizeof(bytes)) ==
	    0) {
		staging->bytes[staging->put++] = bytes;
		memory = staging->memory;
	}
	pthread_mutex_unlock(&staging->lock);
	return memory;
}

const void *ct_staging_next(struct ct_staging *staging, size_t *bytes)
{
	pthread_mutex_lock(&staging->lock);
	*bytes = staging->bytes[staging->taken++];
	pthread_mutex_unlock(&staging->lock);
	return staging->memory;
}
