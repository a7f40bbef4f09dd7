/* SPDX-License-Identifier: Apache-2.0 */
/* Per device: announce it, allocate ring, pool and stage, start and stop its consumers. */
#include "host-rt/drain/device.h"
#include "host-rt/base/cores.h"
#include "host-rt/base/real.h"
#include "host-rt/base/say.h"
#include "host-rt/counts/counts.h"
#include "host-rt/drain/flush.h"
#include "host-rt/drain/records.h"
#include "host-rt/drain/stored.h"
#include "host-rt/drain/watchdog.h"
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
#define RING_CHUNKS_MIN 256u
#define RING_CHUNKS_MAX (1u << 26)

/* Defined by the CPU target's runtime. */
extern const char ct_cpu_target __attribute__((weak));

static struct ct_device devices[CT_DEVICES_MAX];

bool ct_device_is_cpu_target(void)
{
	return &ct_cpu_target != NULL;
}

struct ct_device *ct_device_at(int ordinal)
{
	return &devices[ordinal];
}

static uint32_t attribute(int ordinal, enum cudaDeviceAttr which)
{
	int value = 0;

	return cudaDeviceGetAttribute(&value, which, ordinal) == cudaSuccess ? (uint32_t)value : 0;
}

static void announce(struct ct_device *device, int ordinal)
{
	struct ct_event_device event = {.device = (uint32_t)ordinal};
	struct cudaDeviceProp properties;

	memset(&properties, 0, sizeof(properties));
	if (cudaGetDeviceProperties(&properties, ordinal) == cudaSuccess) {
		event.name = ct_session_string(properties.name);
		event.memory_bytes = properties.totalGlobalMem;
	}
	device->ordinal = ordinal;
	device->arch = 10 * attribute(ordinal, cudaDevAttrComputeCapabilityMajor) +
		       attribute(ordinal, cudaDevAttrComputeCapabilityMinor);
	device->announced = true;
	event.arch = device->arch;
	event.sm_count = attribute(ordinal, cudaDevAttrMultiProcessorCount);
	event.is_cpu_target = ct_device_is_cpu_target();
	ct_session_event(&event.header, CT_EVENT_DEVICE, sizeof(event));
}

struct ct_device *ct_device_current(void)
{
	int ordinal;

	if (cudaGetDevice(&ordinal) != cudaSuccess || ordinal < 0 || ordinal >= CT_DEVICES_MAX)
		return NULL;
	if (!devices[ordinal].announced)
		announce(&devices[ordinal], ordinal);
	return &devices[ordinal];
}

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
	uint64_t wanted = ct_session_options()->ring;

	if (wanted)
		return wanted;
	return ct_device_is_cpu_target() ? RING_BYTES_CPU : RING_BYTES_GPU;
}

static uint32_t ring_chunks(uint64_t bytes)
{
	uint32_t chunks = 2;

	while (chunks < RING_CHUNKS_MAX && 2ull * chunks * CT_CHUNK_BYTES <= bytes)
		chunks *= 2;
	return chunks;
}

/* Of the flags of a ring. Rounded up: what the device writes has no line in common
 * with what the host writes, however small the ring. */
static size_t flag_bytes(uint32_t chunks)
{
	return ((size_t)chunks * 8 + LINE_BYTES - 1) & ~(size_t)(LINE_BYTES - 1);
}

/* Ring, flags, progress and abort in one piece of pinned memory; a smaller
 * ring if the system will not pin so much. */
static int allocate_pinned(struct ct_device *device)
{
	uint32_t chunks = ring_chunks(ring_bytes_wanted());
	struct ct_consumers *consumers = &device->consumers;
	size_t progress_bytes = 8 * CT_PROGRESS_STRIDE * (size_t)consumers_wanted();
	size_t ring_bytes, rest_bytes;
	void *mapped = NULL;
	char *rest;

	for (;; chunks /= 2) {
		ring_bytes = (size_t)chunks * CT_CHUNK_BYTES;
		rest_bytes = flag_bytes(chunks) + progress_bytes + 64;
		if (__real_cudaHostAlloc(&device->pinned, ring_bytes + rest_bytes,
					 cudaHostAllocMapped) == cudaSuccess)
			break;
		device->pinned = NULL;
		if (chunks <= RING_CHUNKS_MIN)
			return -ENOMEM;
		(void)cudaGetLastError();
	}
	if (cudaHostGetDevicePointer(&mapped, device->pinned, 0) != cudaSuccess)
		return -CT_ECUDA;
	rest = (char *)device->pinned + ring_bytes;
	memset(rest, 0, rest_bytes);
	consumers->ring = device->pinned;
	consumers->flags = (const uint64_t *)rest;
	consumers->progress = (uint64_t *)(rest + flag_bytes(chunks));
	consumers->ring_mask = chunks - 1;
	consumers->count = consumers_wanted();
	device->context.ring = (uint64_t)(uintptr_t)mapped;
	device->context.flags = device->context.ring + ring_bytes;
	device->context.progress = device->context.flags + flag_bytes(chunks);
	device->context.abort = device->context.progress + progress_bytes;
	device->stored_head = (uint64_t *)(rest + flag_bytes(chunks) + progress_bytes) + 1;
	device->context.ring_mask = chunks - 1;
	device->context.consumers = consumers->count;
	if (strcmp(ct_session_options()->on_full, "drop") == 0)
		device->context.mode |= CT_CONTEXT_DROP;
	return 0;
}

static uint32_t *abort_word(const struct ct_device *device)
{
	const struct ct_consumers *consumers = &device->consumers;

	return (uint32_t *)(consumers->progress + CT_PROGRESS_STRIDE * (size_t)consumers->count);
}

/* The start of the device's allocation as the producers must find it. */
static char *initial_image(const struct ct_device *device, size_t bytes)
{
	char *image = calloc(1, bytes);

	if (!image)
		return NULL;
	memcpy(image + HEAD_AT, &device->consumers.next, 8);
	memcpy(image + TAIL_AT, &device->consumers.next, 8);
	memcpy(image + CONTEXT_AT, &device->context, sizeof(device->context));
	for (uint32_t slot = 0; slot < device->context.slots; slot++)
		((uint64_t *)(image + POOL_AT))[slot] = CT_SLOT_EMPTY(CT_SLOT_START(slot));
	return image;
}

static int allocate_device(struct ct_device *device)
{
	uint32_t sms = attribute(device->ordinal, cudaDevAttrMultiProcessorCount);
	uint32_t slots = ct_device_is_cpu_target() ? 0 : sms * WARPS_PER_SM + SLOTS_SPARE;
	size_t ids_at = POOL_AT + 8 * (size_t)slots;
	size_t image_bytes = ids_at + 4 * (size_t)CT_LAUNCH_IDS;
	size_t stage_at = (image_bytes + CT_CHUNK_BYTES - 1) & ~(size_t)(CT_CHUNK_BYTES - 1);
	cudaError_t error;
	uint64_t base;
	char *image;

	if (__real_cudaMalloc(&device->device_memory,
			      stage_at + 2 * (size_t)slots * CT_CHUNK_BYTES) != cudaSuccess) {
		device->device_memory = NULL;
		return -ENOMEM;
	}
	base = (uint64_t)(uintptr_t)device->device_memory;
	device->context.head = base + HEAD_AT;
	device->context.tail = base + TAIL_AT;
	device->context.poll_lock = base + POLL_LOCK_AT;
	device->context.losses = base + LOSSES_AT;
	device->context.waits = base + WAITS_AT;
	device->context.pool = base + POOL_AT;
	device->context.launch_ids = base + ids_at;
	device->context.stage = base + stage_at;
	device->context.slots = slots;
	device->context_address = base + CONTEXT_AT;
	image = initial_image(device, image_bytes);
	if (!image)
		return -ENOMEM;
	error = __real_cudaMemcpyAsync(device->device_memory, image, image_bytes,
				       cudaMemcpyHostToDevice, device->stream);
	if (error == cudaSuccess)
		error = __real_cudaStreamSynchronize(device->stream);
	free(image);
	return error == cudaSuccess ? 0 : -CT_ECUDA;
}

static int start_consumers(struct ct_device *device)
{
	device->consumers.sink = &ct_records_sink;
	device->consumers.user = device;
	device->consumers.has_cores = device->consumers.count < ct_cores_usable();
	device->consumers.patience_ns = ct_session_options()->patience;
	return ct_consumers_start(&device->consumers);
}

int ct_device_prepare(struct ct_device *device)
{
	const char *what = "no stream";
	int err = -CT_ECUDA;

	if (device->state == CT_DEVICE_READY) {
		ct_consumers_expect(&device->consumers);
		return 0;
	}
	if (device->state != CT_DEVICE_UNUSED)
		return -EPIPE;
	if (__real_cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking) != cudaSuccess)
		goto fail;
	what = "no pinned memory for the ring (CUDATRACE_RING)";
	err = allocate_pinned(device);
	if (err < 0)
		goto close_device;
	what = "no device memory for records";
	err = ct_counts_open(device);
	if (err == 0)
		err = allocate_device(device);
	if (err < 0)
		goto close_device;
	what = "no flush kernel for its architecture";
	err = ct_flush_load();
	if (err < 0)
		goto close_device;
	what = "no threads to take records";
	err = start_consumers(device);
	if (err < 0)
		goto close_device;
	if (device->consumers.patience_ns)
		ct_watchdog_add(&device->consumers, abort_word(device),
				device->consumers.patience_ns);
	device->state = CT_DEVICE_READY;
	return 0;

close_device:
	ct_device_close(device, true);
fail:
	device->state = CT_DEVICE_FAILED;
	ct_say("device %d: %s; its kernels run untraced", device->ordinal, what);
	return err;
}

/* Chunks that the consumers could not hand on. */
static void tell_refused(struct ct_device *device)
{
	uint64_t lost = __atomic_exchange_n(&device->consumers.lost, 0, __ATOMIC_RELAXED);

	if (lost)
		ct_session_loss(lost, 0,
				device->state == CT_DEVICE_DEAD && !device->consumers.aborted
				    ? "a kernel failed before its records were complete"
				    : "records could not be stored");
}

void ct_device_close(struct ct_device *device, bool release)
{
	ct_watchdog_remove(&device->consumers);
	if (device->consumers.running)
		__atomic_store_n(abort_word(device), 1, __ATOMIC_RELEASE);
	ct_consumers_stop(&device->consumers, device->state == CT_DEVICE_DEAD, 0);
	tell_refused(device);
	if (device->state == CT_DEVICE_READY)
		ct_stored_all(device);
	ct_counts_close(device, release);
	if (release) {
		/* Executable graphs of the program may run until the process ends:
		 * their kernels still look for a launch id, and must find 0. */
		if (device->has_graphs)
			__real_cudaMemset((void *)(uintptr_t)device->context.launch_ids, 0,
					  4 * (size_t)CT_LAUNCH_IDS);
		else
			__real_cudaFree(device->device_memory);
		if (!device->consumers.abandoned)
			__real_cudaFreeHost(device->pinned);
		__real_cudaStreamDestroy(device->stream);
	}
	device->waits_told = 0;
	device->stored_launch = 0;
	device->device_memory = NULL;
	device->pinned = NULL;
	device->stream = NULL;
	device->has_graphs = false;
	device->state = CT_DEVICE_UNUSED;
}

void ct_device_renew(struct ct_device *device)
{
	device->variables_announced = false;
	device->generation++;
}

/* Chunks that producers gave up: counted on the device, by launch, and told once. */
static int tell_dropped(struct ct_device *device)
{
	const char *reason = device->context.mode & CT_CONTEXT_DROP
				 ? "the ring was full (--on-full=drop)"
				 : "records could not be stored";
	const char *at = (const char *)device->device_memory + LOSSES_AT;
	uint64_t losses[CT_LOSSES + 1];
	bool found = false;

	if (ct_flush_read(device, LOSSES_AT, losses, sizeof(losses)) < 0)
		return -CT_ECUDA;
	for (uint32_t i = 0; i <= CT_LOSSES; i++)
		if ((uint32_t)losses[i]) {
			ct_session_loss((uint32_t)losses[i], (uint32_t)(losses[i] >> 32), reason);
			found = true;
		}
	if (found &&
	    __real_cudaMemsetAsync((void *)at, 0, sizeof(losses), device->stream) != cudaSuccess)
		return -CT_ECUDA;
	return 0;
}

/* Something that was announced does not come, or nobody takes it: go on without it. */
static void give_up(struct ct_device *device, uint64_t head)
{
	ct_watchdog_remove(&device->consumers);
	ct_consumers_stop(&device->consumers, true, head);
	if (device->consumers.aborted) {
		device->state = CT_DEVICE_DEAD;
		return;
	}
	ct_say(
	    "device %d: records that were announced did not come within %.1f s (--patience); they "
	    "are lost",
	    device->ordinal, (double)device->consumers.patience_ns / 1e9);
	if (device->consumers.abandoned || start_consumers(device) < 0)
		device->state = CT_DEVICE_DEAD;
}

static bool all_taken(struct ct_device *device, uint64_t head)
{
	struct ct_consumers *consumers = &device->consumers;

	return ct_consumers_wait(consumers, head,
				 consumers->patience_ns ? consumers->patience_ns : UINT64_MAX) &&
	       !__atomic_load_n(&consumers->aborted, __ATOMIC_ACQUIRE);
}

void ct_device_drain(struct ct_device *device)
{
	uint64_t words[WAITS_AT / 8 + 1];

	if (device->state != CT_DEVICE_READY)
		return;
	if (ct_flush_wait(device) < 0 || ct_flush_read(device, HEAD_AT, words, sizeof(words)) < 0 ||
	    tell_dropped(device) < 0 || ct_counts_finish(device) < 0) {
		ct_device_bury(device, CT_KERNEL_FAILED);
		return;
	}
	ct_session_count(&ct_session_totals.ring_waits, words[WAITS_AT / 8] - device->waits_told);
	device->waits_told = words[WAITS_AT / 8];
	if (!all_taken(device, words[HEAD_AT / 8]))
		give_up(device, words[HEAD_AT / 8]);
	tell_refused(device);
}

void ct_device_bury(struct ct_device *device, const char *reason)
{
	if (device->state != CT_DEVICE_READY)
		return;
	device->state = CT_DEVICE_DEAD;
	__atomic_store_n(abort_word(device), 1, __ATOMIC_RELEASE);
	ct_watchdog_remove(&device->consumers);
	ct_consumers_stop(&device->consumers, true, 0);
	tell_refused(device);
	ct_session_loss(UINT64_MAX, 0, reason);
}
