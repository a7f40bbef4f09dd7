/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels in a header that two units include, without separate compilation. */
#ifndef UNITS_KERNELS_H
#define UNITS_KERNELS_H

template <typename T> __global__ void added(T *p, T value)
{
	p[threadIdx.x] += value;
}

struct holder {
	inline static __device__ __noinline__ int twice(int x)
	{
		return 2 * x;
	}
};

template <> inline __global__ void added<int>(int *p, int value)
{
	p[threadIdx.x] += holder::twice(value);
}

/* The kernels have one name, but there is one in each unit. */
static __global__ void own(int *p)
{
	p[threadIdx.x] += UNIT;
}

void in_other_unit(int *p, float *f);

#endif
