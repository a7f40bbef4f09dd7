/* SPDX-License-Identifier: Apache-2.0 */
/* The other unit of the separately compiled program. */
#include "shared.h"

__device__ int weights[64];
__constant__ int offset = 7;

__device__ int weighted(const int *values, int i)
{
	return own(values, i) * weights[i] + offset;
}

__device__ int unrecorded(int i)
{
	return 3 * i;
}

void double_in_unit(int *values)
{
	twice<<<1, 64>>>(values);
}

void add_in_unit(int *values)
{
	add_static<<<1, 64>>>(values, 2);
}

__global__ void elsewhere(int *values)
{
	values[threadIdx.x] *= offset;
}

template <typename T> __global__ void elsewhere_of(T *values)
{
	values[threadIdx.x] -= 3;
}
template __global__ void elsewhere_of<int>(int *);
