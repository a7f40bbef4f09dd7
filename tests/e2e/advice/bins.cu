// SPDX-License-Identifier: Apache-2.0
// Histograms of sixteen bins, most of it in the first one: lanes meet there, and no order of the
// elements would help. Merging in shared memory is not scolded for the merge.
// judged: scattered-accesses, contended-atomics, frequent-value, common-value, dead-write
#include "cases.h"

static const int many = 8192, bins = 16;

static std::vector<int> values()
{
	return filled<int>(many, [](int i) { return i % 10 < 9 ? 0 : i % bins; });
}

// case direct
static __global__ void count(const int *v, int *h)
{
	int bin = v[index()];

	atomicAdd(&h[bin], 1); // has contended-atomics: or in shared memory
}

CASE(direct)
{
	ALLOCATE(int, v, many);
	ALLOCATE(int, h, bins);

	copy_in(v, values());
	OK(cudaMemset(h, 0, bins * sizeof(int)));
	count<<<many / 256, 256>>>(v, h);
	copy_out(h, bins);
}

// case merged
static __global__ void count_apart(const int *v, int *h)
{
	__shared__ int own[bins];
	int t = (int)threadIdx.x, bin = v[index()];

	if (t < bins)
		own[t] = 0;
	__syncthreads();
	atomicAdd(&own[bin], 1); // has contended-atomics: Combine within the warp first
	__syncthreads();
	if (t < bins)
		atomicAdd(&h[t], own[t]);
}

CASE(merged)
{
	ALLOCATE(int, v, many);
	ALLOCATE(int, h, bins);

	copy_in(v, values());
	OK(cudaMemset(h, 0, bins * sizeof(int)));
	count_apart<<<many / 256, 256>>>(v, h);
	copy_out(h, bins);
}

// case apart
// One element of each row, each in a sector of its own: no order brings them nearer.
static __global__ void pick(const float *row, const int *column, float *out)
{
	out[index()] = row[index() * 16 + column[index()]];
}

CASE(apart)
{
	ALLOCATE(float, row, 16 * many);
	ALLOCATE(int, column, many);
	ALLOCATE(float, out, many);

	copy_in(row, filled<float>(16 * many, noise));
	copy_in(column, filled<int>(many, [](int i) { return i * 1237 % 16; }));
	pick<<<many / 256, 256>>>(row, column, out);
	copy_out(out, many);
}

// case spread
// As many bins as elements: no two meet.
static __global__ void place(const int *key, int *out)
{
	int k = key[index()];

	atomicAdd(&out[k], 1); // has scattered-accesses
}

CASE(spread)
{
	ALLOCATE(int, key, many);
	ALLOCATE(int, out, many);

	copy_in(key, filled<int>(many, [](int i) { return i * 1237 % many; }));
	OK(cudaMemset(out, 0, many * sizeof(int)));
	place<<<many / 256, 256>>>(key, out);
	copy_out(out, many);
}
