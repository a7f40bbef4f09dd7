/* SPDX-License-Identifier: Apache-2.0 */
/* The units of the separately compiled program share this. */
#ifndef RDC_SHARED_H
#define RDC_SHARED_H

extern __device__ int weights[64];
extern __constant__ int offset;
__device__ int weighted(const int *values, int i);
__device__ int from_library(const int *values, int i);
__device__ int unrecorded(int i);

/* Each unit has its own copy, with its own sites. */
static __device__ __noinline__ int own(const int *values, int i)
{
	return values[i];
}

template <typename T> __device__ __noinline__ T common(const T *values, int i)
{
	return values[i];
}

template <typename T> __global__ void twice(T *values)
{
	values[threadIdx.x] = 2 * common(values, threadIdx.x);
}

/* Two kernels of one name. */
static __global__ void add_static(int *values, int more)
{
	values[threadIdx.x] += more;
}

/* Defined in unit.cu alone. */
__global__ void elsewhere(int *values);
template <typename T> __global__ void elsewhere_of(T *values);

void double_in_unit(int *values);
void add_in_unit(int *values);
int without_device_code(int x);

#endif
