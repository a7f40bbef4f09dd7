// SPDX-License-Identifier: Apache-2.0
// __maxnreg__ at a definition, at a declaration alone, with what templates and macros make of it.
#include <cuda_runtime.h>

#define HALF 16

__global__ void __maxnreg__(40) defined(float *p)
{
	p[threadIdx.x] *= 2;
}
__global__ void __maxnreg__(HALF + HALF) declared(float *p);
__global__ void declared(float *p)
{
	p[threadIdx.x] -= 2;
}
template <int N> __global__ void __maxnreg__(N) number(float *p)
{
	p[threadIdx.x] += N;
}
template <class T> __global__ void __maxnreg__(sizeof(T) * 8) sized(T *p);
template <class T> __global__ void sized(T *p)
{
	p[threadIdx.x] += 1;
}

int main(void)
{
	defined<<<1, 32>>>(0);
	declared<<<1, 32>>>(0);
	number<56><<<1, 32>>>(0);
	sized<double><<<1, 32>>>(0);
	sized<float><<<1, 32>>>(0);
}
