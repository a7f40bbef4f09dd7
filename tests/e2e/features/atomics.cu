/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations in global and shared memory. */
// construct: descriptor 3 of the thesis: atomic add
// construct: descriptor 4 of the thesis: atomic sub
// construct: descriptor 5 of the thesis: atomic exchange
// construct: descriptor 6 of the thesis: atomic min
// construct: descriptor 7 of the thesis: atomic max
// construct: descriptor 8 of the thesis: atomic inc
// construct: descriptor 9 of the thesis: atomic dec
// construct: descriptor 10 of the thesis: atomic compare and swap
// construct: descriptor 11 of the thesis: atomic and
// construct: descriptor 12 of the thesis: atomic or
// construct: descriptor 13 of the thesis: atomic xor
#include "feature.h"

__global__ void integers(int *out, unsigned *bits, unsigned long long *wide)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	atomicAdd(&out[0], i);
	atomicSub(&out[1], 1);
	atomicMax(&out[2], i);
	atomicMin(&out[3], -i);
	atomicInc(&bits[0], 6);
	atomicDec(&bits[1], 6);
	atomicOr(&bits[2], 1u << (i & 31));
	atomicXor(&bits[3], 1u << (i & 31));
	atomicAnd(&bits[4], ~(1u << (i & 31)));
	atomicAdd(&wide[0], 1ull << 33);
	atomicMax(&wide[1], (unsigned long long)i << 32);
}

__global__ void reals(float *f, double *d)
{
	atomicAdd(f, 0.5f);
	atomicAdd(d, 0.25);
}

__global__ void scopes(int *out)
{
	__shared__ int sum;

	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	atomicAdd_block(&sum, 2);
	atomicAdd_system(&out[0], 1);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(&out[1], sum);
}

__device__ float max_float(float *address, float value)
{
	int *bits = (int *)address, old = *bits, seen;

	do {
		seen = old;
		if (__int_as_float(seen) >= value)
			break;
		old = atomicCAS(bits, seen, __float_as_int(value));
	} while (old != seen);
	return __int_as_float(old);
}

__global__ void compare_and_swap(float *out)
{
	max_float(out, (float)((blockIdx.x * blockDim.x + threadIdx.x) * 37 % 1000));
}

__global__ void histogram(const unsigned char *data, int count, unsigned *bins)
{
	__shared__ unsigned local[256];

	local[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
		atomicAdd(&local[data[i]], 1u);
	__syncthreads();
	atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void exchange(int *slot, int *seen)
{
	int old = atomicExch(slot, threadIdx.x + 1);

	atomicAdd(&seen[old], 1);
}

int main()
{
	constexpr int count = 10000;
	int *out = device_array<int>(300), h[4];
	unsigned *bits = device_array<unsigned>(256), b[5] = {0, 0, 0, 0, ~0u}, expected[256] = {};
	unsigned long long *wide = device_array<unsigned long long>(2), w[2];
	float *f = device_array<float>(1), hf;
	double *d = device_array<double>(1), hd;
	unsigned char data[count], *bytes = device_array<unsigned char>(count);

	upload(bits, b, 5);
	integers<<<8, 64>>>(out, bits, wide);
	download(h, out, 4);
	download(b, bits, 5);
	download(w, wide, 2);
	check("add, sub, max, min",
	      h[0] == 511 * 256 && h[1] == -512 && h[2] == 511 && h[3] == -511);
	check("inc, dec", b[0] == 512 % 7 && b[1] == (7 - 512 % 7) % 7);
	check("or, xor, and", b[2] == ~0u && b[3] == 0 && b[4] == 0);
	check("64 bits", w[0] == 512ull << 33 && w[1] == 511ull << 32);
	reals<<<4, 64>>>(f, d);
	download(&hf, f, 1);
	download(&hd, d, 1);
	check("float and double", hf == 128 && hd == 64);
	need(cudaMemset(out, 0, 300 * sizeof(int)), "cudaMemset");
	scopes<<<4, 64>>>(out);
	download(h, out, 2);
	check("scopes", h[0] == 256 && h[1] == 512);
	need(cudaMemset(f, 0, sizeof(float)), "cudaMemset");
	compare_and_swap<<<10, 100>>>(f);
	download(&hf, f, 1);
	check("compare and swap loop", hf == 999);
	for (int i = 0; i < count; i++)
		expected[data[i] = i * 7919 % 251]++;
	upload(bytes, data, count);
	need(cudaMemset(bits, 0, 256 * sizeof(unsigned)), "cudaMemset");
	histogram<<<5, 256>>>(bytes, count, bits);
	check("histogram", all_equal(bits, 256, [&](size_t i) { return expected[i]; }));
	need(cudaMemset(out, 0, 300 * sizeof(int)), "cudaMemset");
	exchange<<<1, 256>>>(out, out + 1);
	download(h, out, 1);
	check("exchange", all_equal(out + 1, 257, [&](size_t i) { return i != (size_t)h[0]; }));
	return finish();
}
