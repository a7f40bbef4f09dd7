/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix operations of a warp: wmma through the header, ldmatrix. */
#include "feature.h"
#include <mma.h>
// construct: wmma load and store
// construct: ldmatrix

__global__ void product(half *a, half *b, float *c)
{
	using namespace nvcuda::wmma;
	fragment<matrix_a, 16, 16, 16, half, row_major> fa;
	fragment<matrix_b, 16, 16, 16, half, col_major> fb;
	fragment<accumulator, 16, 16, 16, float> fc;

	load_matrix_sync(fa, a, 24);
	load_matrix_sync(fb, b, 16);
	fill_fragment(fc, 1.f);
	mma_sync(fc, fa, fb, fc);
	store_matrix_sync(c, fc, 20, mem_row_major);
}

__global__ void rows(unsigned *out)
{
	__shared__ __align__(16) unsigned s[128];
	unsigned v, from = (unsigned)__cvta_generic_to_shared(s + 4 * (threadIdx.x % 8));

	for (int i = 0; i < 4; i++)
		s[4 * threadIdx.x + i] = 4 * threadIdx.x + i;
	__syncthreads();
	asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
		     : "=r"(v)
		     : "r"(from)
		     : "memory");
	out[threadIdx.x] = v;
}

int main()
{
	half *a = device_array<half>(16 * 24), *b = device_array<half>(256), ha[16 * 24], hb[256];
	float *c = device_array<float>(16 * 20);

	for (int i = 0; i < 16; i++)
		for (int j = 0; j < 16; j++) {
			ha[24 * i + j] = __float2half((float)(i - j));
			hb[16 * j + i] = __float2half((float)(i == j));
		}
	upload(a, ha, 16 * 24);
	upload(b, hb, 256);
	product<<<1, 32>>>(a, b, c);
	check("product", all_equal(c, 16 * 20, [](size_t i) {
		      int row = (int)i / 20, column = (int)i % 20;
		      return column < 16 ? row - column + 1.f : 0.f;
	      }));
	unsigned *r = device_array<unsigned>(32);
	rows<<<1, 32>>>(r);
	check("rows", all_equal(r, 32, [](size_t i) { return i; }));
	return finish();
}
