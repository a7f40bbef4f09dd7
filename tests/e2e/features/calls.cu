/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: pointers, virtual, recursive, with barriers inside; parameters by value. */
#include "feature.h"

typedef float (*function)(float);
__device__ float increment(float x)
{
	return x + 1;
}
__device__ float twice(float x)
{
	return x * 2;
}
__device__ function functions[2] = {increment, twice};

__device__ float through_barrier(float x)
{
	__shared__ float all[64];

	all[threadIdx.x] = x;
	__syncthreads();
	x = all[63 - threadIdx.x];
	__syncthreads();
	return x;
}
__device__ function with_barrier = through_barrier;

__device__ __noinline__ int global_index()
{
	return threadIdx.x + blockIdx.x * blockDim.x;
}

__global__ void pointers(float *out)
{
	int i = global_index();

	out[i] = functions[i & 1]((float)i);
}

__global__ void barrier_pointer(float *out)
{
	out[threadIdx.x] = with_barrier((float)threadIdx.x);
}

struct base {
	__device__ virtual int value(int x) = 0;
};
struct plus_one : base {
	__device__ int value(int x) override
	{
		return x + 1;
	}
};
struct times_three : base {
	__device__ int value(int x) override
	{
		return x * 3;
	}
};

__global__ void virtual_calls(int *out)
{
	plus_one a;
	times_three b;
	base *object = threadIdx.x & 1 ? (base *)&a : (base *)&b;

	out[threadIdx.x] = object->value(threadIdx.x);
}

__device__ int fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void recursive(int *out)
{
	out[threadIdx.x] = fibonacci(threadIdx.x % 16);
}

struct big {
	int a[20];
	double d;
	char c;
	float3 v;
};

__global__ void by_value(struct big b, int *out, char q, short r, double z)
{
	b.a[threadIdx.x % 20] += threadIdx.x;
	out[threadIdx.x] = b.a[threadIdx.x % 20] + (int)b.d + b.c + (int)b.v.z + q + r + (int)z;
}

template <typename F> __global__ void apply(F f, int *out)
{
	out[threadIdx.x] = f(threadIdx.x);
}

__global__ void three_dimensional(int *out)
{
	int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);

	out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

int main()
{
	float *out = device_array<float>(64);
	int *ints = device_array<int>(24 * 30), offset = 40;
	struct big big = {};

	pointers<<<2, 32>>>(out);
	check("function pointers",
	      all_equal(out, 64, [](size_t i) { return i & 1 ? i * 2 : i + 1; }));
	barrier_pointer<<<1, 64>>>(out);
	check("function pointer with a barrier",
	      all_equal(out, 64, [](size_t i) { return 63 - i; }));
	virtual_calls<<<1, 64>>>(ints);
	check("virtual functions",
	      all_equal(ints, 64, [](size_t i) { return i & 1 ? i + 1 : i * 3; }));
	recursive<<<2, 64>>>(ints);
	check("recursion", all_equal(ints, 64, [](size_t i) {
		      int a = 0, b = 1;
		      for (size_t n = i % 16; n; n--) {
			      int sum = a + b;
			      a = b;
			      b = sum;
		      }
		      return a;
	      }));
	for (int i = 0; i < 20; i++)
		big.a[i] = i;
	big.d = 7;
	big.c = 3;
	big.v.z = 2;
	by_value<<<1, 64>>>(big, ints, 4, 5, 6.0);
	check("struct by value",
	      all_equal(ints, 64, [](size_t i) { return i % 20 + i + 7 + 3 + 2 + 4 + 5 + 6; }));
	apply<<<1, 64>>>([=] __device__(int i) { return i + offset; }, ints);
	check("lambda", all_equal(ints, 64, [](size_t i) { return i + 40; }));
	three_dimensional<<<dim3(2, 3, 4), dim3(5, 3, 2)>>>(ints);
	check("three dimensions",
	      all_equal(ints, 24 * 30, [](size_t i) { return i / 30 * 1000 + i % 30; }));
	return finish();
}
