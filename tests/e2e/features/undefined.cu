/* SPDX-License-Identifier: Apache-2.0 */
/* C++ leaves these undefined and nvcc's device code does them all the same: docs/undefined.md. */
// construct: variable that some lanes have not set
// construct: function that ends without a value
// construct: access as another type
// construct: shift by the width or more
#include "feature.h"

struct job {
	int first, count;
	bool is_taken;
};

/* Lane 0 takes a row, the others get it; from all lanes, one atomic each. */
__global__ void take(int *next, int *hits, int rows)
{
	int lane = threadIdx.x & 31;
	int row;

	if (lane == 0)
		row = atomicAdd(next, 1);
	row = __shfl_sync(0xffffffffu, row, 0);
	if (row < rows && lane == 0)
		atomicAdd(&hits[row], 1);
}

__device__ __noinline__ int passed_on(int value, double weight)
{
	return __shfl_sync(0xffffffffu, value, 0) + (int)__shfl_sync(0xffffffffu, weight, 0);
}

template <bool SETS> __device__ void maybe(bool *b)
{
	if (SETS)
		*b = true;
}

__global__ void give(int *out)
{
	job j;
	double weight;
	bool never;

	maybe<false>(&never);
	if (threadIdx.x == 0) {
		j.first = 100;
		j.count = 16;
		j.is_taken = true;
		weight = 1000;
	}
	int first = passed_on(j.first, weight);
	int count = __shfl_sync(0xffffffffu, j.count, 0);
	int is_taken = __shfl_sync(0xffffffffu, j.is_taken, 0);
	unsigned unset = __ballot_sync(0xffffffffu, never);
	out[threadIdx.x] = first + count + is_taken + (__popc(unset) > 32);
}

#pragma clang diagnostic ignored "-Wreturn-type"
#pragma clang diagnostic ignored "-Wshift-count-overflow"
__device__ int ends(int *out, int x)
{
	if (x > 3)
		return 5;
	out[1] = 2;
}

__global__ void without_value(int *out, int x)
{
	out[0] = ends(out, x) == 5 ? 7 : 8;
}

__global__ void as_another(int *i, float *f)
{
	*i = 1;
	*f = 2.f;
	i[1] = *i;
}

template <int BITS> __device__ unsigned mask()
{
	const unsigned bits = (1u << BITS) - 1;
	return bits;
}

__device__ unsigned all_bits = (1u << 32) - 1;

__global__ void shifts(unsigned *out, unsigned long long *wide, int x, unsigned by)
{
	out[0] = mask<32>();
	out[1] = all_bits;
	out[2] = (unsigned)(-7 >> 33);
	out[3] = 1u << by;
	out[4] = ~0u >> by;
	out[5] = (unsigned)(x >> by);
	wide[0] = ((1ull << 64) - 1) + (~0ull << 2 * by);
	wide[1] = (unsigned long long)((long long)x >> 3 * by);
}

__global__ void numbers(int *out, float big, double none)
{
	out[0] = (int)big;
	out[1] = (int)(unsigned)-big;
	out[2] = (int)none;
	out[3] = (int)(float)none;
	out[4] = (int)((long long)(float)none >> 32);
}

template <typename T> static bool are(const T *device, std::initializer_list<T> expected)
{
	return all_equal(device, expected.size(), [&](size_t i) { return expected.begin()[i]; });
}

int main()
{
	int *out = device_array<int>(64), *hits = device_array<int>(16),
	    *next = device_array<int>(1);
	unsigned *bits = device_array<unsigned>(6);
	unsigned long long *wide = device_array<unsigned long long>(2);

	take<<<4, 128>>>(next, hits, 16);
	check("each row is taken once", all_equal(hits, 16, [](size_t) { return 1; }));
	check("by one atomic of a warp", are(next, {16}));
	give<<<1, 32>>>(out);
	check("a lane's values reach all", all_equal(out, 32, [](size_t) { return 1117; }));
	without_value<<<1, 1>>>(out, 3);
	check("a function ends without a value", all_equal(out + 1, 1, [](size_t) { return 2; }));
	as_another<<<1, 1>>>(out, (float *)out);
	check("accesses as another type", are(out, {0x40000000, 0x40000000}));
	shifts<<<1, 1>>>(bits, wide, -5, 32);
	check("shifts", are(bits, {~0u, ~0u, ~0u, 0u, 0u, ~0u}));
	check("shifts of 64 bits", are(wide, {~0ull, ~0ull}));
	numbers<<<1, 1>>>(out, 1e20f, __builtin_nan(""));
	check("numbers that do not fit",
	      are(out, {0x7fffffff, 0, (int)0x80000000, 0, (int)0x80000000}));
	return finish();
}
