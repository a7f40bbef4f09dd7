/* SPDX-License-Identifier: Apache-2.0 */
/* Half precision and bfloat16. */
#include "feature.h"
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int n = 64;

__global__ void halves(const float *x, float *out)
{
	int i = threadIdx.x;
	__half h = __float2half(x[i]), two = __float2half(2.f);
	__half2 pair = __halves2half2(h, two);

	pair = __hmul2(pair, pair);
	h = __hfma(h, h, two);
	out[i] = __half2float(h);
	out[n + i] = __low2float(pair);
	out[2 * n + i] = __high2float(pair);
	out[3 * n + i] = __hgt(h, two) ? 1 : 0;
	out[4 * n + i] = __half2float(__float2half_rd(x[i]));
	out[5 * n + i] = __half2float(__float2half_ru(x[i]));
	out[6 * n + i] = (float)__half2int_rn(h);
}

__global__ void bfloats(const float *x, float *out)
{
	int i = threadIdx.x;
	__nv_bfloat16 b = __float2bfloat16(x[i]);
	__nv_bfloat162 pair = __halves2bfloat162(b, b);

	pair = __hadd2(pair, pair);
	out[i] = __bfloat162float(b);
	out[n + i] = __high2float(pair);
	out[2 * n + i] = __bfloat162float(__hmul(b, b));
}

__global__ void sums(__half2 *sum)
{
	atomicAdd(sum, __floats2half2_rn(1.f, 2.f));
}

/* Through memory: with -ffast-math the compiler drops a conversion there and back. */
static float to_half(double x)
{
	volatile _Float16 half = (_Float16)x;

	return (float)half;
}

/* To 8 significant bits, ties to even. */
static float to_bfloat(float x)
{
	unsigned bits;

	memcpy(&bits, &x, 4);
	bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000u;
	memcpy(&x, &bits, 4);
	return x;
}

int main()
{
	float x[n], h[7 * n], *dx = device_array<float>(n), *out = device_array<float>(7 * n);
	__half2 *sum = device_array<__half2>(1), total;
	bool fma = true, product = true, compare = true, directed = true, bf = true, integer = true;

	for (int i = 0; i < n; i++)
		x[i] = i * .37f - 9;
	upload(dx, x, n);
	halves<<<1, n>>>(dx, out);
	download(h, out, 7 * n);
	for (int i = 0; i < n; i++) {
		float v = to_half(x[i]), expected = to_half((double)v * v + 2);

		fma = fma && h[i] == expected;
		product = product && h[n + i] == to_half(v * v) && h[2 * n + i] == 4;
		compare = compare && h[3 * n + i] == (expected > 2);
		directed = directed && h[4 * n + i] <= x[i] && h[5 * n + i] >= x[i] &&
			   (h[4 * n + i] == v || h[5 * n + i] == v);
		integer = integer && h[6 * n + i] == rintf(expected);
	}
	check("half fma", fma);
	check("half2 multiply", product);
	check("half compare", compare);
	check("directed rounding to half", directed);
	check("half to int", integer);
	bfloats<<<1, n>>>(dx, out);
	download(h, out, 3 * n);
	for (int i = 0; i < n; i++) {
		float v = to_bfloat(x[i]);

		bf = bf && h[i] == v && h[n + i] == to_bfloat(v + v) &&
		     h[2 * n + i] == to_bfloat(v * v);
	}
	check("bfloat16", bf);
	sums<<<2, 32>>>(sum);
	download(&total, sum, 1);
	check("atomic half2", __low2float(total) == 64 && __high2float(total) == 128);
	return finish();
}
