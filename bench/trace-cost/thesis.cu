/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes, instrumented by hand with the producer of seed 001, Figure 5.9. */
#include "thesis.h"
#include <cuda_runtime.h>

enum { THESIS_LOAD = 1, THESIS_STORE = 2, THESIS_ADD = 3 }; /* Table 5.1 */

static thesis_buffer selected;

void thesis_select(const thesis_buffer &buffer)
{
	selected = buffer;
}

static __device__ __forceinline__ uint32_t lane_rank(uint32_t active, uint32_t lane)
{
	return __popc(active & ((1u << lane) - 1));
}

/*
 * The figure leaves open when a store reaches the host; without the fence before
 * the acknowledgement the host could write out slots that are not written yet.
 */
static __device__ __forceinline__ void thesis_trace(const thesis_buffer &b, uint64_t operation,
						    const void *pointer)
{
	uint32_t active = __activemask(), count = __popc(active);
	uint32_t lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
	uint32_t lowest = __ffs(active) - 1, sm = __nvvm_read_ptx_sreg_smid();
	uint32_t bin = sm & (b.bins - 1), limit = b.bin_records - THESIS_WARP, id = 0;
	volatile unsigned *acknowledged = &b.acknowledged[THESIS_INDEX(bin)];
	volatile thesis_record *slot;

	if (lane == lowest)
		while (*acknowledged >= limit ||
		       (id = atomicAdd_system(&b.reserved[THESIS_INDEX(bin)], count)) >= limit)
			;
	id = __shfl_sync(active, id, lowest) + lane_rank(active, lane);
	slot = &b.records[bin * b.bin_records + id];
	slot->description = (uint64_t)sm << 32 | operation;
	slot->address = (uint64_t)pointer;
	slot->cta = blockIdx.x | (uint64_t)blockIdx.y << 32;
	__threadfence_system();
	__syncwarp(active);
	if (lane == lowest)
		atomicAdd_system(&b.acknowledged[THESIS_INDEX(bin)], count);
}

template <typename T>
static __device__ __forceinline__ T thesis_load(const thesis_buffer &b, const T *pointer)
{
	thesis_trace(b, THESIS_LOAD << 28 | sizeof(T), pointer);
	return *pointer;
}

template <typename T>
static __device__ __forceinline__ void thesis_store(const thesis_buffer &b, T *pointer, T value)
{
	thesis_trace(b, THESIS_STORE << 28 | sizeof(T), pointer);
	*pointer = value;
}

template <typename T>
static __device__ __forceinline__ void thesis_add(const thesis_buffer &b, T *pointer, T value)
{
	thesis_trace(b, THESIS_ADD << 28 | sizeof(T), pointer);
	atomicAdd(pointer, value);
}

#define VARIANT thesis
#define SHAPE_TABLE thesis_shapes
#define PROBE_PARAMETER , const thesis_buffer probe
#define PROBE_ARGUMENT , selected
#define LOAD(pointer) thesis_load(probe, pointer)
#define STORE(pointer, value) thesis_store(probe, pointer, value)
#define ATOMIC_ADD(pointer, value) thesis_add(probe, pointer, value)
#include "shapes.cuh"
