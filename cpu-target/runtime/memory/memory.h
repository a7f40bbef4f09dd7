/* SPDX-License-Identifier: Apache-2.0 */
/* The table of allocations: what the API handed out or was informed about. */
#ifndef CT_CPU_TARGET_RUNTIME_MEMORY_MEMORY_H
#define CT_CPU_TARGET_RUNTIME_MEMORY_MEMORY_H

#include <cuda_runtime_api.h>
#include <stddef.h>

enum ct_memory_kind {
	CT_MEMORY_UNKNOWN = 0, /* pageable host memory, for all we know */
	CT_MEMORY_DEVICE = 1,  /* cudaMalloc and relatives, device variables */
	CT_MEMORY_MANAGED = 2,
	CT_MEMORY_HOST = 4,       /* pinned, ours */
	CT_MEMORY_REGISTERED = 8, /* pinned, the program's */
};

struct ct_allocation {
	char *address;
	size_t bytes;
	enum ct_memory_kind kind;
	unsigned flags; /* of cudaHostAlloc, cudaHostRegister */
	int device;     /* that was the thread's */
};

/* Bytes of storage aligned to 256, entered in the table; 0 bytes give NULL.
 * cudaErrorMemoryAllocation if there is not that much. */
cudaError_t ct_memory_allocate(void **address, size_t bytes, enum ct_memory_kind kind,
			       unsigned flags);

/* Takes an allocation of one of these kinds (or'ed) out of the table; the
 * address must be its first. cudaErrorInvalidValue if there is none. The
 * storage lives until ct_memory_discard. */
cudaError_t ct_memory_withdraw(void *address, unsigned kinds);
void ct_memory_discard(void *address);

/* The program's own memory, pinned. cudaErrorHostMemoryAlreadyRegistered if it overlaps. */
cudaError_t ct_memory_register(void *address, size_t bytes, unsigned flags);

/* Finds the allocation that holds the address; kind CT_MEMORY_UNKNOWN if none does. */
struct ct_allocation ct_memory_find(const void *address);

/* Device memory there is and what is left of it. */
void ct_memory_room(size_t *free_bytes, size_t *total_bytes);

#endif
