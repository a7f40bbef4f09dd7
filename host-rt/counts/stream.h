/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier counts: what is put into a stream around a launch. Kernels
 * (device-rt/count_kernels.cuh); on the CPU target functions of the host.
 */
#ifndef CT_COUNTS_STREAM_H
#define CT_COUNTS_STREAM_H

#include <cuda_runtime_api.h>
#include <cudatrace/counts.h>
#include <stdbool.h>

/* Addresses are those of structures in the device's memory. */
struct ct_counts_collect {
	uint64_t area; /* struct ct_counts_area */
	uint64_t ring; /* struct ct_counts_ring */
	uint32_t launch;
	uint32_t number; /* of the area */
	uint32_t unit;   /* of the kernel, in the area's units */
};

/* The kernels are loaded: false if there are none for the device. */
bool ct_counts_stream_load(void);

/* ctas: how many CTAs reduce. */
cudaError_t ct_counts_stream_collect(const struct ct_counts_collect *collect, uint32_t ctas,
				     cudaStream_t stream);
cudaError_t ct_counts_stream_objects(uint64_t area, const struct ct_counts_batch *batch,
				     cudaStream_t stream);

#endif
