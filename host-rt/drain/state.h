/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of a device's records to the host: the producers' memory, the ring and
 * its consumers. Session's lock held but where it says otherwise.
 */
#ifndef CT_HOST_RT_DRAIN_STATE_H
#define CT_HOST_RT_DRAIN_STATE_H

#include "host-rt/drain/consumers.h"
#include "host-rt/events/device.h"
#include <cuda_runtime_api.h>
#include <cudatrace/ring.h>

#define CT_LAUNCH_IDS 65536u /* slots of context.launch_ids */

enum ct_drain_phase {
	CT_DRAIN_UNUSED = 0,
	CT_DRAIN_READY,
	CT_DRAIN_FAILED, /* could not be set up: launches stay pristine */
	CT_DRAIN_DEAD,   /* a kernel fault: no CUDA call works any more */
};

struct ct_drain {
	const struct ct_device *device; /* set when it is first prepared */

	enum ct_drain_phase phase;
	cudaStream_t stream;       /* our own, non-blocking */
	struct ct_context context; /* as in device memory */
	void *device_memory;       /* one allocation: words, pool, stage, the context itself */
	uint64_t context_address;  /* in the producer's memory */
	void *pinned;              /* one allocation: ring, flags, progress, abort */
	struct ct_consumers consumers;
	uint64_t waits_reported;     /* of producers, counted in the session */
	uint64_t unflushed_launches; /* traced since the last flush */
	uint64_t flushed_ns;
	uint64_t finishes_at;     /* ticket: what is before it shall be in the files; 0 nothing */
	bool has_graphs;          /* executable graphs refer to the context */
	uint64_t *stored_head;    /* pinned: where the ring was at a mark of stored.h */
	uint64_t stored_launch;   /* atomic: of that mark; 0 none */
	uint64_t reported_launch; /* of the last STORED; stored.c's lock */
};

struct ct_drain *ct_drain_of(const struct ct_device *device);

#endif
