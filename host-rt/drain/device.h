/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Per device: the producer's memory, the ring and its consumers.
 * Allocated at the first traced launch on the device.
 */
#ifndef CT_DEVICE_H
#define CT_DEVICE_H

#include "host-rt/drain/consumer.h"
#include <cuda_runtime_api.h>
#include <cudatrace/ring.h>
#include <stdbool.h>
#include <stdint.h>

#define CT_DEVICES_MAX 64
#define CT_LAUNCH_IDS 65536u /* slots of context.launch_ids */

enum ct_device_state {
	CT_DEVICE_UNUSED = 0,
	CT_DEVICE_READY,
	CT_DEVICE_FAILED, /* could not be set up: launches stay pristine */
	CT_DEVICE_DEAD,   /* a kernel fault: no CUDA call works any more */
};

struct ct_device {
	int ordinal;
	enum ct_device_state state;
	bool announced;           /* DEVICE event written */
	bool variables_announced; /* ALLOC events of variables written */
	uint32_t arch;
	uint32_t generation;       /* of the CUDA context: counts resets */
	cudaStream_t stream;       /* our own, non-blocking */
	struct ct_context context; /* as in device memory */
	void *device_memory;       /* one allocation: words, pool, stage, the context itself */
	uint64_t context_address;  /* in the producer's memory */
	void *pinned;              /* one allocation: ring, flags, progress, abort */
	struct ct_consumers consumers;
	uint64_t waits_told;         /* of producers, counted in the session */
	uint64_t unflushed_launches; /* traced since the last flush */
	uint64_t flushed_ns;
	bool has_graphs;        /* executable graphs refer to the context */
	uint64_t *stored_head;  /* pinned: where the ring was at a mark of stored.h */
	uint64_t stored_launch; /* atomic: of that mark; 0 none */
};

/* Device of the calling thread, NULL if there is none or it is past
 * CT_DEVICES_MAX. With the session's lock held; writes the DEVICE event once. */
struct ct_device *ct_device_current(void);
struct ct_device *ct_device_at(int ordinal);

/* Make ready for a traced launch; with the session's lock held, in a quiet
 * section, device current. Returns 0 or a negative error; failing once, it
 * says so on stderr and stays failed. */
int ct_device_prepare(struct ct_device *device);

/* Everything produced so far is handed to the writer: all work on the device
 * must be complete, or the device dead. Device current; lock held. */
void ct_device_drain(struct ct_device *device);

/* Stop the consumers and forget the memory; the CUDA context is about to go (release
 * is false) or stays (true: memory is freed). */
void ct_device_close(struct ct_device *device, bool release);

/* The CUDA context goes: nothing learnt about kernels and variables holds in the next. */
void ct_device_renew(struct ct_device *device);

/* Nothing more will come, for this reason: keep what has arrived. Makes no CUDA call. */
void ct_device_bury(struct ct_device *device, const char *reason);
#define CT_KERNEL_FAILED "a kernel failed; records it had not sent are lost"

bool ct_device_is_cpu_target(void);

#endif
