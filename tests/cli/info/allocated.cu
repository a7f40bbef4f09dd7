/* SPDX-License-Identifier: Apache-2.0 */
/* Functions and classes that allocate for others, and one that allocates for itself. Each variable
 * of main has elements of its own number, which allocated.sh knows it by. */
#include "pool.h"
#include <cuda_runtime.h>

template <typename T> static T *typed(size_t count)
{
	T *one = nullptr;

	if (cudaMalloc(&one, count * sizeof(T)) != cudaSuccess)
		return nullptr;
	return one;
}

static void *untyped(size_t bytes)
{
	void *two;

	cudaMalloc(&two, bytes);
	return two;
}

__attribute__((noinline)) static float *checked(size_t count)
{
	float *memory = static_cast<float *>(untyped(count * sizeof(float)));

	return memory ? memory : typed<float>(1);
}

static void out(float **three, size_t count)
{
	cudaMalloc(reinterpret_cast<void **>(three), count * sizeof(float));
}

struct buffer {
	float *four;
	explicit buffer(size_t count)
	{
		cudaMalloc(&four, count * sizeof(*four));
	}
};

struct holder {
	float *first;
	void grow(size_t count)
	{
		float *five;

		cudaMalloc(&five, count * sizeof(*five));
		first = five;
	}
};

__global__ void touch(float *memory)
{
	memory[threadIdx.x] += 1;
}

/* Its own, whoever calls: what it says of the pointer is not the pointer, nor is a status. */
static bool uses(size_t count)
{
	float *six;

	cudaMalloc(&six, count * sizeof(*six));
	touch<<<1, 32>>>(six);
	if (cudaFree(six) == cudaSuccess)
		return six != nullptr;
	return cudaMalloc(&six, 1) == cudaSuccess;
}

static cudaError_t reserve(size_t count)
{
	float *eight;

	return cudaMalloc(&eight, count * sizeof(*eight));
}

/* Once only: nothing to tell it from. */
static float *once(size_t count)
{
	float *seven;

	cudaMalloc(&seven, count * sizeof(*seven));
	return seven;
}

int main()
{
	float *three;
	holder held;

	touch<<<1, 32>>>(typed<float>(101)); /* one */
	touch<<<1, 32>>>(reinterpret_cast<float *>(typed<double>(51)));
	touch<<<1, 32>>>(checked(201)); /* two */
	touch<<<1, 32>>>(checked(202));
	for (int i = 0; i < 2; i++) {
		out(&three, 301); /* three */
		touch<<<1, 32>>>(three);
	}
	out(&three, 302);   /* three again */
	buffer fourth(401); /* four */
	buffer further(402);
	touch<<<1, 32>>>(fourth.four);
	touch<<<1, 32>>>(fourth.four);
	held.grow(501); /* five */
	touch<<<1, 32>>>(held.first);
	held.grow(502);
	uses(601);
	uses(602);
	reserve(611);
	reserve(612);
	touch<<<1, 32>>>(once(701));
	touch<<<1, 32>>>(pool_take(801)); /* of a library's header */
	touch<<<1, 32>>>(pool_take(802));
	return cudaDeviceSynchronize();
}
