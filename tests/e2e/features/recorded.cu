/* SPDX-License-Identifier: Apache-2.0 */
/* Every space, values of every type, barriers and blocks: built with all options, too. */
#include "feature.h"
#include <cuda_fp16.h>
// construct: accesses to shared, local and constant memory
// construct: values of loads, stores and atomics
// construct: values of vectors, halves, pointers and wide integers
// construct: barriers as events
// construct: basic blocks as events
// construct: shared, local, constant and parameter memory

__constant__ int table[32];

struct Parameters {
	int scale[8];
};

__global__ void spaces(int *out, const int *in, Parameters parameters)
{
	__shared__ int s[64];
	int local[8], i = threadIdx.x;

	for (int j = 0; j < 8; j++)
		local[(i + j) % 8] = parameters.scale[j] * table[i % 32];
	s[i] = in[i];
	__syncthreads();
	if (i % 3 == 0)
		s[i] += local[i % 8];
	__syncwarp();
	int *either = i % 2 ? out + i : s + i;
	atomicAdd(either, 1);
	__syncthreads();
	out[i] += s[(i + 1) % 64];
}

__global__ void types(char *c, half2 *h, double2 *d, float **p, __int128 *w, bool *b)
{
	int i = threadIdx.x;

	c[i] += 1;
	h[i] = __hadd2(h[i], h[i]);
	d[i] = make_double2(i, 2 * i);
	p[i] = p[(i + 1) % 32] + 1;
	w[i] = ((__int128)i << 70) + w[i];
	b[i] = i % 2;
}

int main()
{
	int host[64];
	int *in = device_array<int>(64), *out = device_array<int>(64);
	Parameters parameters;

	for (int i = 0; i < 64; i++)
		host[i] = i;
	for (int i = 0; i < 8; i++)
		parameters.scale[i] = 0;
	parameters.scale[0] = 2;
	upload(in, host, 64);
	need(cudaMemcpyToSymbol(table, host, sizeof(table)), "cudaMemcpyToSymbol");
	spaces<<<1, 64>>>(out, in, parameters);
	check("spaces", all_equal(out, 64, [](size_t i) {
		      size_t next = (i + 1) % 64;
		      return i % 2 + next + (next % 3 == 0 ? 2 * (next % 32) : 0) + !(next % 2);
	      }));

	char *c = device_array<char>(32);
	half2 *h = device_array<half2>(32);
	double2 *d = device_array<double2>(32);
	float **p = device_array<float *>(33);
	__int128 *w = device_array<__int128>(32);
	bool *b = device_array<bool>(32);
	types<<<1, 32>>>(c, h, d, p, w, b);
	check("bytes", all_equal(c, 32, [](size_t) { return 1; }));
	check("doubles",
	      all_equal((double *)d, 64, [](size_t i) { return i % 2 ? i / 2 * 2 : i / 2; }));
	check("pointers", all_equal((size_t *)p, 31, [](size_t) { return 4; }));
	check("wide integers", all_equal(w, 32, [](size_t i) { return (__int128)i << 70; }));
	check("truth", all_equal(b, 32, [](size_t i) { return i % 2; }));
	return finish();
}

// construct: executions of basic blocks
