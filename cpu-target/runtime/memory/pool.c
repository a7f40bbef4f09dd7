/* SPDX-License-Identifier: Apache-2.0 */
/* Memory pools. */
#include "cpu-target/runtime/memory/pool.h"
#include "cpu-target/runtime/base/device.h"
#include "cpu-target/runtime/memory/memory.h"
#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>

struct CUmemPoolHandle_st { /* what CUDA's headers leave to the runtime */
	int device;
	int is_destroyed; /* freed with its last allocation */
	uint32_t allocations;
	size_t bytes_max; /* 0: no bound */
	uint64_t used, used_high;
	uint64_t threshold;
	int reuse[3];      /* of no effect: nothing is kept */
	unsigned readable; /* a bit for each device, that may access it */
};

struct piece {
	void *address;
	size_t bytes;
	cudaMemPool_t pool;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUmemPoolHandle_st defaults[CT_CPU_DEVICES_MAX];
static cudaMemPool_t current[CT_CPU_DEVICES_MAX]; /* NULL: the default */
static void *pools;                               /* tsearch tree of those that programs made */
static void *pieces;                              /* of struct piece, by address */

static int compare_pools(const void *a, const void *b)
{
	return a < b ? -1 : a > b;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *one = a, *other = b;

	return one->address < other->address ? -1 : one->address > other->address;
}

static void init(struct CUmemPoolHandle_st *pool, int device)
{
	*pool = (struct CUmemPoolHandle_st){
	    .device = device, .reuse = {1, 1, 1}, .readable = 1u << device};
}

static int is_device(int device)
{
	return device >= 0 && device < ct_device_number();
}

cudaMemPool_t ct_pool_default(int device)
{
	if (!is_device(device))
		return NULL;
	pthread_mutex_lock(&lock);
	if (!defaults[device].readable)
		init(&defaults[device], device);
	pthread_mutex_unlock(&lock);
	return &defaults[device];
}

/* With the lock held. */
static int lives(cudaMemPool_t pool)
{
	if (pool >= defaults && pool < defaults + CT_CPU_DEVICES_MAX)
		return pool->readable != 0;
	return pool && tfind(pool, &pools, compare_pools);
}

cudaError_t ct_pool_check(cudaMemPool_t pool)
{
	int alive;

	pthread_mutex_lock(&lock);
	alive = lives(pool);
	pthread_mutex_unlock(&lock);
	return alive ? cudaSuccess : cudaErrorInvalidValue;
}

cudaMemPool_t ct_pool_current(int device)
{
	cudaMemPool_t pool = ct_pool_default(device);

	if (!pool)
		return NULL;
	pthread_mutex_lock(&lock);
	if (current[device])
		pool = current[device];
	pthread_mutex_unlock(&lock);
	return pool;
}

cudaError_t ct_pool_select(int device, cudaMemPool_t pool)
{
	cudaError_t error = cudaErrorInvalidValue;

	if (!is_device(device))
		return cudaErrorInvalidDevice;
	pthread_mutex_lock(&lock);
	if (lives(pool) && pool->device == device) {
		current[device] = pool;
		error = cudaSuccess;
	}
	pthread_mutex_unlock(&lock);
	return error;
}

cudaError_t ct_pool_new(cudaMemPool_t *pool, const struct cudaMemPoolProps *p)
{
	cudaMemPool_t made;
	void *entered;

	if (p->allocType != cudaMemAllocationTypePinned ||
	    p->location.type != cudaMemLocationTypeDevice || !is_device(p->location.id))
		return cudaErrorInvalidValue;
	if (p->handleTypes != cudaMemHandleTypeNone)
		return cudaErrorNotSupported;
	made = malloc(sizeof(*made));
	if (!made)
		return cudaErrorMemoryAllocation;
	init(made, p->location.id);
	made->bytes_max = p->maxSize;
	pthread_mutex_lock(&lock);
	entered = tsearch(made, &pools, compare_pools);
	pthread_mutex_unlock(&lock);
	if (!entered) {
		free(made);
		return cudaErrorMemoryAllocation;
	}
	*pool = made;
	return cudaSuccess;
}

cudaError_t ct_pool_delete(cudaMemPool_t pool)
{
	cudaError_t error = cudaErrorInvalidValue;

	pthread_mutex_lock(&lock);
	if (pool && tdelete(pool, &pools, compare_pools)) {
		error = cudaSuccess;
		if (current[pool->device] == pool)
			current[pool->device] = NULL;
		pool->is_destroyed = 1;
		if (!pool->allocations)
			free(pool);
	}
	pthread_mutex_unlock(&lock);
	return error;
}

/* With the lock held. High marks can only be set to 0: they begin again. */
static cudaError_t set(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, const void *value)
{
	switch (attribute) {
	case cudaMemPoolReuseFollowEventDependencies:
	case cudaMemPoolReuseAllowOpportunistic:
	case cudaMemPoolReuseAllowInternalDependencies:
		pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies] =
		    *(const int *)value != 0;
		return cudaSuccess;
	case cudaMemPoolAttrReleaseThreshold:
		pool->threshold = *(const uint64_t *)value;
		return cudaSuccess;
	case cudaMemPoolAttrReservedMemHigh:
	case cudaMemPoolAttrUsedMemHigh:
		if (*(const uint64_t *)value)
			return cudaErrorInvalidValue;
		pool->used_high = pool->used;
		return cudaSuccess;
	default:
		return cudaErrorInvalidValue;
	}
}

static cudaError_t get(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
	switch (attribute) {
	case cudaMemPoolReuseFollowEventDependencies:
	case cudaMemPoolReuseAllowOpportunistic:
	case cudaMemPoolReuseAllowInternalDependencies:
		*(int *)value = pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
		return cudaSuccess;
	case cudaMemPoolAttrReleaseThreshold:
		*(uint64_t *)value = pool->threshold;
		return cudaSuccess;
	case cudaMemPoolAttrReservedMemCurrent:
	case cudaMemPoolAttrUsedMemCurrent:
		*(uint64_t *)value = pool->used;
		return cudaSuccess;
	case cudaMemPoolAttrReservedMemHigh:
	case cudaMemPoolAttrUsedMemHigh:
		*(uint64_t *)value = pool->used_high;
		return cudaSuccess;
	default:
		return cudaErrorInvalidValue;
	}
}

cudaError_t ct_pool_set(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, const void *value)
{
	cudaError_t error;

	pthread_mutex_lock(&lock);
	error = lives(pool) ? set(pool, attribute, value) : cudaErrorInvalidValue;
	pthread_mutex_unlock(&lock);
	return error;
}

cudaError_t ct_pool_get(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
	cudaError_t error;

	pthread_mutex_lock(&lock);
	error = lives(pool) ? get(pool, attribute, value) : cudaErrorInvalidValue;
	pthread_mutex_unlock(&lock);
	return error;
}

/* A pool's own device always reads and writes it. */
cudaError_t ct_pool_set_access(cudaMemPool_t pool, const struct cudaMemAccessDesc *access)
{
	int device = access->location.id;
	cudaError_t error = cudaErrorInvalidValue;
	int grants = access->flags == cudaMemAccessFlagsProtReadWrite;

	if (access->location.type != cudaMemLocationTypeDevice || !is_device(device))
		return error;
	pthread_mutex_lock(&lock);
	if (lives(pool) &&
	    (grants || (access->flags == cudaMemAccessFlagsProtNone && device != pool->device))) {
		pool->readable &= ~(1u << device);
		pool->readable |= (unsigned)grants << device;
		error = cudaSuccess;
	}
	pthread_mutex_unlock(&lock);
	return error;
}

cudaError_t ct_pool_get_access(cudaMemPool_t pool, int device, enum cudaMemAccessFlags *flags)
{
	cudaError_t error = cudaErrorInvalidValue;

	pthread_mutex_lock(&lock);
	if (lives(pool) && is_device(device)) {
		*flags = pool->readable >> device & 1 ? cudaMemAccessFlagsProtReadWrite
						      : cudaMemAccessFlagsProtNone;
		error = cudaSuccess;
	}
	pthread_mutex_unlock(&lock);
	return error;
}

/* With the lock held. */
static cudaError_t take(cudaMemPool_t pool, void **address, size_t bytes)
{
	struct piece *piece;
	cudaError_t error;

	if (!lives(pool))
		return cudaErrorInvalidValue;
	if (pool->bytes_max && (bytes > pool->bytes_max || pool->used > pool->bytes_max - bytes))
		return cudaErrorMemoryAllocation;
	error = ct_memory_allocate(address, bytes, CT_MEMORY_DEVICE, 0);
	if (error || !*address)
		return error;
	piece = malloc(sizeof(*piece));
	if (piece) {
		*piece = (struct piece){*address, bytes, pool};
		if (!tsearch(piece, &pieces, compare_pieces)) {
			free(piece);
			piece = NULL;
		}
	}
	if (!piece) {
		ct_memory_withdraw(*address, CT_MEMORY_DEVICE);
		ct_memory_discard(*address);
		*address = NULL;
		return cudaErrorMemoryAllocation;
	}
	pool->allocations++;
	pool->used += bytes;
	if (pool->used > pool->used_high)
		pool->used_high = pool->used;
	return cudaSuccess;
}

cudaError_t ct_pool_allocate(cudaMemPool_t pool, void **address, size_t bytes)
{
	cudaError_t error;

	pthread_mutex_lock(&lock);
	error = take(pool, address, bytes);
	pthread_mutex_unlock(&lock);
	return error;
}

void ct_pool_forget(void *address)
{
	struct piece key = {.address = address}, *piece;
	void *found;

	pthread_mutex_lock(&lock);
	found = tfind(&key, &pieces, compare_pieces);
	if (found) {
		piece = *(struct piece **)found;
		tdelete(&key, &pieces, compare_pieces);
		piece->pool->used -= piece->bytes;
		if (!--piece->pool->allocations && piece->pool->is_destroyed)
			free(piece->pool);
		free(piece);
	}
	pthread_mutex_unlock(&lock);
}
