/* SPDX-License-Identifier: Apache-2.0 */
/* Lay out, allocate and free the producers' memory, and read what it counts. */
#include "host-rt/drain/memory.h"
#include "base/room.h"
#include "host-rt/base/cores.h"
#include "host-rt/calls/symbols.h"
#include "host-rt/drain/flush.h"
#include "host-rt/events/session.h"
#include <cudatrace/error.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where things are in the device's allocation; words that the producers
 * contend for have lines of their own. */
#define HEAD_AT 0u
#define TAIL_AT 128u
#define POLL_LOCK_AT 256u
#define WAITS_AT 384u
#define CONTEXT_AT 512u
#define LOSSES_AT 1024u
#define POOL_AT (LOSSES_AT + 8 * (CT_LOSSES + 8))

/* More slots than warps can be resident, so that looking for one ends. */
#define WARPS_PER_SM 64u
#define SLOTS_SPARE 1024u

/* On a GPU the host has all cores but one; where kernels run on the same cores, fewer. */
#define CONSUMERS_MOST 14u
#define CORES_PER_CONSUMER_CPU 4u

#define RING_BYTES_GPU (256ull << 20)
#define RING_BYTES_CPU (64ull << 20)
#define LINE_BYTES 128u
/* Under a limit of addresses (RLIMIT_AS) the others are the program's. */
#define ADDRESSES_PER_RING 16u
#define RING_CHUNKS_MIN 256u
#define RING_CHUNKS_MAX (1u << 26)

static uint32_t consumers_wanted(void)
{
	uint32_t wanted = (uint32_t)ct_session_options()->consumers;
	uint32_t cores = ct_cores_usable();

	if (wanted)
		return wanted;
	cores = ct_device_is_cpu_target() ? cores / CORES_PER_CONSUMER_CPU : cores - 1;
	if (cores < 1)
		return 1;
	return cores < CONSUMERS_MOST ? cores : CONSUMERS_MOST;
}

/* A GPU fills a ring a hundred times faster than a disk takes what is in it: room for bursts. */
static uint64_t ring_bytes_wanted(void)
{
	uint64_t wanted = ct_session_options()->ring, most;

	if (wanted)
		return wanted;
	wanted = ct_device_is_cpu_target() ? RING_BYTES_CPU : RING_BYTES_GPU;
	most = ct_room_addresses() / ADDRESSES_PER_RING;
	return wanted < most ? wanted : most;
}

static uint32_t ring_chunks(uint64_t bytes)
{
	uint32_t chunks = 2;

	while (chunks < RING_CHUNKS_MAX && 2ull * chunks * CT_CHUNK_BYTES <= bytes)
		chunks *= 2;
	return chunks;
}

/* The flags of a ring. Rounded up: what the device writes has no line in common with what the
 * host writes, however small the ring. */
static size_t flag_bytes(uint32_t chunks)
{
	return ((size_t)chunks * 8 + LINE_BYTES - 1) & ~(size_t)(LINE_BYTES - 1);
}

/* Ring, flags, progress and abort in one piece of pinned memory; a smaller
 * ring if the system will not pin so much. */
int ct_drain_memory_pin(struct ct_drain *drain)
{
	uint32_t chunks = ring_chunks(ring_bytes_wanted());
	struct ct_consumers *consumers = &drain->consumers;
	size_t progress_bytes = 8 * CT_PROGRESS_STRIDE * (size_t)consumers_wanted();
	size_t ring_bytes, rest_bytes;
	void *mapped = NULL;
	char *rest;

	for (;; chunks /= 2) {
		ring_bytes = (size_t)chunks * CT_CHUNK_BYTES;
		rest_bytes = flag_bytes(chunks) + progress_bytes + 64;
		if (__real_cudaHostAlloc(&drain->pinned, ring_bytes + rest_bytes,
					 cudaHostAllocMapped) == cudaSuccess)
			break;
		drain->pinned = NULL;
		if (chunks <= RING_CHUNKS_MIN)
			return -ENOMEM;
		(void)cudaGetLastError();
	}
	if (cudaHostGetDevicePointer(&mapped, drain->pinned, 0) != cudaSuccess)
		return -CT_ECUDA;
	rest = (char *)drain->pinned + ring_bytes;
	memset(rest, 0, rest_bytes);
	consumers->ring = drain->pinned;
	consumers->flags = (const uint64_t *)rest;
	consumers->progress = (uint64_t *)(rest + flag_bytes(chunks));
	consumers->ring_mask = chunks - 1;
	consumers->count = consumers_wanted();
	drain->context.ring = (uint64_t)(uintptr_t)mapped;
	drain->context.flags = drain->context.ring + ring_bytes;
	drain->context.progress = drain->context.flags + flag_bytes(chunks);
	drain->context.abort = drain->context.progress + progress_bytes;
	drain->stored_head = (uint64_t *)(rest + flag_bytes(chunks) + progress_bytes) + 1;
	drain->context.ring_mask = chunks - 1;
	drain->context.consumers = consumers->count;
	if (strcmp(ct_session_options()->on_full, "drop") == 0)
		drain->context.mode |= CT_CONTEXT_DROP;
	return 0;
}

uint32_t *ct_drain_memory_abort(const struct ct_drain *drain)
{
	const struct ct_consumers *consumers = &drain->consumers;

	return (uint32_t *)(consumers->progress + CT_PROGRESS_STRIDE * (size_t)consumers->count);
}

/* The start of the device's allocation as the producers must find it. */
static char *initial_image(const struct ct_drain *drain, size_t bytes)
{
	char *image = calloc(1, bytes);

	if (!image)
		return NULL;
	memcpy(image + HEAD_AT, &drain->consumers.next, 8);
	memcpy(image + TAIL_AT, &drain->consumers.next, 8);
	memcpy(image + CONTEXT_AT, &drain->context, sizeof(drain->context));
	for (uint32_t slot = 0; slot < drain->context.slots; slot++)
		((uint64_t *)(image + POOL_AT))[slot] = CT_SLOT_EMPTY(CT_SLOT_START(slot));
	return image;
}

int ct_drain_memory_allocate(struct ct_drain *drain)
{
	uint32_t sms = ct_device_sm_count(drain->device);
	uint32_t slots = ct_device_is_cpu_target() ? 0 : sms * WARPS_PER_SM + SLOTS_SPARE;
	size_t ids_at = POOL_AT + 8 * (size_t)slots;
	size_t image_bytes = ids_at + 4 * (size_t)CT_LAUNCH_IDS;
	size_t stage_at = (image_bytes + CT_CHUNK_BYTES - 1) & ~(size_t)(CT_CHUNK_BYTES - 1);
	cudaError_t error;
	uint64_t base;
	char *image;

	if (__real_cudaMalloc(&drain->device_memory,
			      stage_at + 2 * (size_t)slots * CT_CHUNK_BYTES) != cudaSuccess) {
		drain->device_memory = NULL;
		return -ENOMEM;
	}
	base = (uint64_t)(uintptr_t)drain->device_memory;
	drain->context.head = base + HEAD_AT;
	drain->context.tail = base + TAIL_AT;
	drain->context.poll_lock = base + POLL_LOCK_AT;
	drain->context.losses = base + LOSSES_AT;
	drain->context.waits = base + WAITS_AT;
	drain->context.pool = base + POOL_AT;
	drain->context.launch_ids = base + ids_at;
	drain->context.stage = base + stage_at;
	drain->context.slots = slots;
	drain->context_address = base + CONTEXT_AT;
	image = initial_image(drain, image_bytes);
	if (!image)
		return -ENOMEM;
	error = __real_cudaMemcpyAsync(drain->device_memory, image, image_bytes,
				       cudaMemcpyHostToDevice, drain->stream);
	if (error == cudaSuccess)
		error = __real_cudaStreamSynchronize(drain->stream);
	free(image);
	return error == cudaSuccess ? 0 : -CT_ECUDA;
}

void ct_drain_memory_free(struct ct_drain *drain)
{
	/* Their kernels still look for a launch id, and must find 0. */
	if (drain->has_graphs)
		__real_cudaMemset((void *)(uintptr_t)drain->context.launch_ids, 0,
				  4 * (size_t)CT_LAUNCH_IDS);
	else
		__real_cudaFree(drain->device_memory);
	if (!drain->consumers.abandoned)
		__real_cudaFreeHost(drain->pinned);
}

int ct_drain_memory_counters(struct ct_drain *drain, uint64_t *head, uint64_t *waits)
{
	uint64_t words[WAITS_AT / 8 + 1];

	if (ct_flush_read(drain, HEAD_AT, words, sizeof(words)) < 0)
		return -CT_ECUDA;
	*head = words[HEAD_AT / 8];
	*waits = words[WAITS_AT / 8];
	return 0;
}

int ct_drain_memory_resume(struct ct_drain *drain, uint64_t ticket)
{
	const uint64_t words[] = {[HEAD_AT / 8] = ticket, [TAIL_AT / 8] = ticket};

	__atomic_store_n(ct_drain_memory_abort(drain), 0, __ATOMIC_RELEASE);
	if (__real_cudaMemcpyAsync((char *)drain->device_memory + HEAD_AT, words, sizeof(words),
				   cudaMemcpyHostToDevice, drain->stream) != cudaSuccess ||
	    __real_cudaStreamSynchronize(drain->stream) != cudaSuccess)
		return -CT_ECUDA;
	return 0;
}

int ct_drain_memory_losses(struct ct_drain *drain, uint64_t losses[CT_LOSSES_WORDS])
{
	const size_t bytes = sizeof(uint64_t) * CT_LOSSES_WORDS;
	bool any = false;

	if (ct_flush_read(drain, LOSSES_AT, losses, bytes) < 0)
		return -CT_ECUDA;
	for (uint32_t i = 0; i <= CT_LOSSES; i++)
		any = any || (uint32_t)losses[i];
	if (any && __real_cudaMemsetAsync((char *)drain->device_memory + LOSSES_AT, 0, bytes,
					  drain->stream) != cudaSuccess)
		return -CT_ECUDA;
	return 0;
}
