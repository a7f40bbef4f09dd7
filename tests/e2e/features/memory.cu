/* SPDX-License-Identifier: Apache-2.0 */
/* Vector types, the read-only path, cache operators, local arrays, the device heap. */
// construct: device heap
// construct: printf
#include "feature.h"
#include <new>

__global__ void vectors(float4 *a, const float4 *b, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= count)
		return;
	float4 x = a[i], y = __ldg(&b[i]);
	x.x += y.x;
	x.y *= y.y;
	x.z -= y.z;
	x.w = fmaxf(x.w, y.w);
	a[i] = x;
}

__global__ void cache_operators(const int *in, const int2 *pairs, int *out)
{
	int i = threadIdx.x;

	out[i] = __ldcs(&in[i]) + __ldcg(&in[i]) + __ldcv(&in[i]) + __ldcs(&pairs[i]).y;
	__stwt(&out[64 + i], 3 * i);
}

__global__ void local_arrays(int *out)
{
	int values[32], i = threadIdx.x;

	for (int k = 0; k < 32; k++)
		values[(k * 7 + i) % 32] = k;
	out[i] = values[i % 32] * 100 + values[(i + 7) % 32];
}

__global__ void heap(int *out)
{
	int *p = (int *)malloc(16 * sizeof(int)), sum = 0;
	int *q = new int[4];

	for (int k = 0; k < 16; k++)
		p[k] = threadIdx.x + k;
	q[3] = 7;
	for (int k = 0; k < 16; k++)
		sum += p[k];
	out[threadIdx.x] = sum + q[3];
	free(p);
	delete[] q;
}

__global__ void copies(char *to, const char *from)
{
	memcpy(to + threadIdx.x * 16, from + threadIdx.x * 16, 13);
	memset(to + threadIdx.x * 16 + 13, threadIdx.x, 3);
}

__global__ void says(int a)
{
	if (threadIdx.x == 3)
		printf("thread %d of block %u: %5.2f %s %lld %c%%\n", threadIdx.x, blockIdx.x,
		       a * 1.5, "text", 1ll << 40, 'x');
}

int main()
{
	constexpr int count = 20;
	float4 a[count], *da = device_array<float4>(2 * count);
	int in[64], *din = device_array<int>(64), *out = device_array<int>(256);
	int2 pairs[64], *dpairs = device_array<int2>(64);
	char from[512], *dfrom = device_array<char>(512), *dto = device_array<char>(512);
	bool equal = true;

	for (int i = 0; i < count; i++)
		a[i] = make_float4(i, i + 1, i + 2, i + 3);
	upload(da, a, count);
	upload(da + count, a, count);
	vectors<<<1, 32>>>(da, da + count, count);
	download(a, da, count);
	for (int i = 0; i < count; i++)
		equal = equal && a[i].x == 2 * i && a[i].y == (i + 1) * (i + 1) && a[i].z == 0 &&
			a[i].w == i + 3;
	check("vector types", equal);
	for (int i = 0; i < 64; i++) {
		in[i] = i * i;
		pairs[i] = make_int2(0, i);
	}
	upload(din, in, 64);
	upload(dpairs, pairs, 64);
	cache_operators<<<1, 64>>>(din, dpairs, out);
	check("loads with cache operators",
	      all_equal(out, 64, [](size_t i) { return 3 * i * i + i; }));
	check("stores with cache operators",
	      all_equal(out + 64, 64, [](size_t i) { return 3 * i; }));
	local_arrays<<<1, 64>>>(out);
	check("local arrays", all_equal(out, 64, [](size_t) { return 1; }));
	heap<<<2, 64>>>(out);
	check("device heap", all_equal(out, 64, [](size_t i) { return 16 * i + 120 + 7; }));
	for (int i = 0; i < 512; i++)
		from[i] = i * 3;
	upload(dfrom, from, 512);
	copies<<<1, 32>>>(dto, dfrom);
	check("memcpy and memset", all_equal(dto, 512, [&](size_t i) {
		      return i % 16 < 13 ? from[i] : (char)(i / 16);
	      }));
	says<<<1, 8>>>(3);
	return finish();
}
