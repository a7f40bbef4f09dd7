/* SPDX-License-Identifier: Apache-2.0 */
/* Where pointers come from: counted in expect/feature-pointers.expect, the same without
 * optimisation. */
// construct: pointer returned by a device function
// construct: pointers in vectors and aggregates
// construct: pointer variables in local memory (-O0)
// construct: bounded growth of specialised clones
#include "feature.h"

enum { N = 64 };

struct range {
	int *first;
	int *second;
};

__device__ __noinline__ int *chosen(int *a, int *b, int n)
{
	return n % 2 ? b : a;
}

/* Half of the threads store to global memory, the others to shared memory. */
__global__ void returned(int *out)
{
	__shared__ int s[N];

	*chosen(out + threadIdx.x, s + threadIdx.x, threadIdx.x) = 3;
	*chosen(s + threadIdx.x, s + threadIdx.x, threadIdx.x) = 4;
}

__device__ __noinline__ range both(int *a, int *b)
{
	range r = {a, b};

	return r;
}

/* One load and one store of global memory. */
__global__ void aggregates(int *out, int *in)
{
	__shared__ int s[N];
	range mixed = both(s, in), global = both(out, out);
	ulonglong2 packed =
	    make_ulonglong2((unsigned long long)mixed.first, (unsigned long long)global.second);

	*(mixed.first + threadIdx.x) = *(mixed.second + threadIdx.x);
	((int *)packed.y)[threadIdx.x] = ((int *)packed.x)[threadIdx.x];
}

__device__ __noinline__ int sum(int *a, int *b, int *c, int *d)
{
	return *a + *b + *c + *d;
}

/* Sixteen patterns of one function: 32 of the 64 loads are global. */
__global__ void grown(int *out, int *g)
{
	__shared__ int s[4];
	int r = 0;

	if (threadIdx.x < 4)
		s[threadIdx.x] = 100;
	__syncthreads();
#define CALL(n)                                                                                    \
	r += sum(1 & (n) ? g : s, 2 & (n) ? g + 1 : s + 1, 4 & (n) ? g + 2 : s + 2,                \
		 8 & (n) ? g + 3 : s + 3);
#define FOUR(n) CALL(n) CALL(n + 1) CALL(n + 2) CALL(n + 3)
	FOUR(0) FOUR(4) FOUR(8) FOUR(12) out[threadIdx.x] = r;
}

int main()
{
	int *out = device_array<int>(N), *in = device_array<int>(N), host[N];

	for (int i = 0; i < N; i++)
		host[i] = i + 1;
	upload(in, host, N);
	returned<<<1, N>>>(out);
	check("returned", all_equal(out, N, [](int i) { return i % 2 ? 0 : 3; }));
	aggregates<<<1, N>>>(out, in);
	check("aggregates", all_equal(out, N, [](int i) { return i + 1; }));
	grown<<<1, N>>>(out, in);
	check("patterns", all_equal(out, N, [](int) { return 32 * 100 + 8 * (1 + 2 + 3 + 4); }));
	return finish();
}
