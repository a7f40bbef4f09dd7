/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library that plays NVIDIA's CUPTI, for programs without a GPU: fake_cuda tells it what it does,
 * whoever subscribes gets callbacks and activity records, as the real one gives them.
 *
 * FAKE_CUPTI: "busy" another tool has subscribed; "denied" activities need a permission, "nosample"
 * samples do; "lossy" it drops a record at each flush; else it works.
 *
 * It samples what FAKE_SAMPLES, a file, says of each launch: lines "FUNCTION PC REASON SAMPLES";
 * the cubin is the file FAKE_CUBIN, which is loaded with the first launch.
 */
#ifndef FAKE_CUPTI_H
#define FAKE_CUPTI_H

#include <cupti.h>
#include <stdbool.h>

/* It knows the names of these. */
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

/* fake_sampling.c: whoever has subscribed wants to hear of it; a launch begins, or ends. */
void fake_sampling_wanted(CUpti_CallbackFunc function, void *user, CUpti_CallbackId id);
void fake_sampling_launch(bool begins, uint32_t correlation);
#define FAKE_CONTEXT ((CUcontext)0x100)

#endif
