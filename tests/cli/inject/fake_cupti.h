/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library that plays NVIDIA's CUPTI, for programs without a GPU: fake_cuda tells it what it does,
 * whoever subscribes gets callbacks and activity records, as the real one gives them.
 *
 * FAKE_CUPTI: "busy" another tool has subscribed; "denied" activities need a permission; "lossy" it
 * drops a record at each flush; else it works.
 */
#ifndef FAKE_CUPTI_H
#define FAKE_CUPTI_H

#include <cupti.h>
#include <stdbool.h>

/* What it knows the names of. */
enum fake_call {
	FAKE_NONE,
	FAKE_cudaMalloc,
	FAKE_cudaMemcpy,
	FAKE_cudaLaunchKernel,
	FAKE_cudaStreamSynchronize,
	FAKE_cudaGetLastError,
	FAKE_cudaStreamBeginCapture,
	FAKE_cuMemAlloc,
	FAKE_cuMemcpyHtoD,
	FAKE_cuLaunchKernel,
	FAKE_CALLS
};

struct fake_cupti {
	/* A call begins or ends: the correlation is given out at its begin. */
	void (*call)(enum fake_call call, bool begins, uint32_t *correlation, int result);
	/* The device has done something: one of CUPTI's records. */
	void (*record)(const void *record, size_t bytes);
	uint64_t (*now)(void);
};

/* Its only symbol beside CUPTI's own. */
extern const struct fake_cupti fake_cupti;

#endif
