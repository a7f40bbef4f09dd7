/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations in a balanced tree over their address ranges. */
#include "cpu-target/runtime/memory/memory.h"
#include "cpu-target/runtime/base/device.h"
#include "cpu-target/runtime/memory/storage.h"
#include "cpu-target/runtime/module/symbol.h"
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ALIGNMENT 256u
#define PAGE 4096u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *allocations; /* tsearch tree of struct ct_allocation, disjoint ranges */
static size_t used_bytes;

/* Ranges that overlap are equal: finds the range around an address as well. */
static int compare(const void *a, const void *b)
{
	const struct ct_allocation *x = a, *y = b;

	/* As numbers: what is asked for may be any address, null as well. */
	if ((uintptr_t)x->address + x->bytes <= (uintptr_t)y->address)
		return -1;
	return (uintptr_t)x->address >= (uintptr_t)y->address + y->bytes;
}

/* With the lock held. */
static struct ct_allocation *find(const void *address)
{
	const struct ct_allocation key = {.address = (char *)address, .bytes = 1};
	struct ct_allocation **node = tfind(&key, &allocations, compare);

	return node ? *node : NULL;
}

static size_t physical_bytes(void)
{
	return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

/* The memory that a container may use; SIZE_MAX if it is not limited. */
static size_t container_bytes(void)
{
	FILE *file = fopen("/sys/fs/cgroup/memory.max", "re");
	size_t bytes;

	if (!file)
		return SIZE_MAX;
	if (fscanf(file, "%zu", &bytes) != 1) /* "max" */
		bytes = SIZE_MAX;
	fclose(file);
	return bytes;
}

static size_t total_bytes(void)
{
	static size_t cached;
	size_t total = __atomic_load_n(&cached, __ATOMIC_RELAXED);

	if (!total) {
		size_t container = container_bytes();

		total = physical_bytes();
		if (container < total)
			total = container;
		__atomic_store_n(&cached, total, __ATOMIC_RELAXED);
	}
	return total;
}

void ct_memory_room(size_t *free_bytes, size_t *total)
{
	*total = total_bytes();
	pthread_mutex_lock(&lock);
	*free_bytes = used_bytes < *total ? *total - used_bytes : 0;
	pthread_mutex_unlock(&lock);
}

/* With the lock held. Returns 0, or -1 if the range overlaps or memory is short. */
static int enter(void *address, size_t bytes, enum ct_memory_kind kind, unsigned flags)
{
	struct ct_allocation *allocation = malloc(sizeof(*allocation));
	struct ct_allocation **node;

	if (!allocation)
		return -1;
	*allocation = (struct ct_allocation){address, bytes, kind, flags, ct_device_of_thread()};
	node = tsearch(allocation, &allocations, compare);
	if (node && *node == allocation)
		return 0;
	free(allocation);
	return -1;
}

/* Memory that the host shares has pages of its own, as with NVIDIA's driver. */
static size_t alignment_of(enum ct_memory_kind kind)
{
	return kind == CT_MEMORY_DEVICE ? ALIGNMENT : PAGE;
}

static size_t round_up(size_t bytes, enum ct_memory_kind kind)
{
	return (bytes + alignment_of(kind) - 1) & ~(alignment_of(kind) - 1);
}

cudaError_t ct_memory_allocate(void **address, size_t bytes, enum ct_memory_kind kind,
			       unsigned flags)
{
	size_t rounded = round_up(bytes, kind);
	cudaError_t error = cudaErrorMemoryAllocation;
	void *storage = NULL;

	*address = NULL;
	if (!bytes)
		return cudaSuccess;
	pthread_mutex_lock(&lock);
	if (rounded >= bytes && used_bytes < total_bytes() && rounded <= total_bytes() - used_bytes)
		storage = ct_storage_take(alignment_of(kind), rounded);
	if (storage && enter(storage, bytes, kind, flags) == 0) {
		used_bytes += rounded;
		*address = storage;
		error = cudaSuccess;
	}
	pthread_mutex_unlock(&lock);
	if (error)
		ct_storage_release(storage);
	return error;
}

cudaError_t ct_memory_withdraw(void *address, unsigned kinds)
{
	struct ct_allocation *allocation;
	cudaError_t error = cudaErrorInvalidValue;

	pthread_mutex_lock(&lock);
	allocation = find(address);
	if (allocation && allocation->address == address && (allocation->kind & kinds)) {
		tdelete(allocation, &allocations, compare);
		if (allocation->kind != CT_MEMORY_REGISTERED)
			used_bytes -= round_up(allocation->bytes, allocation->kind);
		free(allocation);
		error = cudaSuccess;
	}
	pthread_mutex_unlock(&lock);
	return error;
}

void ct_memory_discard(void *address)
{
	ct_storage_release(address);
}

cudaError_t ct_memory_register(void *address, size_t bytes, unsigned flags)
{
	int err;

	pthread_mutex_lock(&lock);
	err = enter(address, bytes, CT_MEMORY_REGISTERED, flags);
	pthread_mutex_unlock(&lock);
	return err ? cudaErrorHostMemoryAlreadyRegistered : cudaSuccess;
}

struct ct_allocation ct_memory_find(const void *address)
{
	struct ct_allocation *allocation, copy = {0};

	pthread_mutex_lock(&lock);
	allocation = find(address);
	if (allocation)
		copy = *allocation;
	pthread_mutex_unlock(&lock);
	if (!copy.bytes && ct_symbol_around(address, (void **)&copy.address, &copy.bytes))
		copy.kind = CT_MEMORY_DEVICE;
	return copy;
}
