/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier counts: what is put into a stream around a launch. Kernels
 * (device-rt/count_kernels.cuh); on the CPU target functions of the host.
 */
#ifndef CT_HOST_RT_COUNTS_STREAM_H
#define CT_HOST_RT_COUNTS_STREAM_H

#include "host-rt/counts/reduce.h"
#include <cuda_runtime_api.h>
#include <stdbool.h>

/* The kernels are loaded: false if there are none for the device. */
bool ct_counts_stream_load(void);

/* ctas: how many CTAs reduce. */
cudaError_t ct_counts_stream_collect(const struct ct_counts_collect *collect, uint32_t ctas,
				     cudaStream_t stream);
cudaError_t ct_counts_stream_objects(uint64_t area, const struct ct_counts_batch *batch,
				     cudaStream_t stream);

#endif
