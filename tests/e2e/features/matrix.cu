/* SPDX-License-Identifier: Apache-2.0 */
// construct: ldmatrix
// construct: mma
// construct: movmatrix
// construct: stmatrix
#include "feature.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* D = A * B with A[i][k] = a(i, k), B[k][j] = b(k, j); the same on the host. */
__host__ __device__ static int a_at(int i, int k)
{
	return (i * 3 + k * 5) % 7 - 3;
}

__host__ __device__ static int b_at(int k, int j)
{
	return (k * 2 + j * 3) % 5 - 2;
}

static int d_at(int i, int j, int depth)
{
	int sum = 100;

	for (int k = 0; k < depth; k++)
		sum += a_at(i, k) * b_at(k, j);
	return sum;
}

/* Fragments filled from shared memory by ldmatrix, the result stored by hand. */
__global__ void half_16(float *d)
{
	__shared__ __half a[16][16], b[16][8];
	int lane = threadIdx.x;
	unsigned ra[4], rb[2], pa, pb;
	float c[4] = {100, 100, 100, 100};

	for (int i = lane; i < 256; i += 32)
		a[i / 16][i % 16] = a_at(i / 16, i % 16);
	for (int i = lane; i < 128; i += 32)
		b[i / 8][i % 8] = b_at(i / 8, i % 8);
	__syncwarp();
	pa = (unsigned)__cvta_generic_to_shared(&a[lane % 16][lane / 16 * 8]);
	pb = (unsigned)__cvta_generic_to_shared(&b[lane % 16][0]);
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		     : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
		     : "r"(pa));
	asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
		     : "=r"(rb[0]), "=r"(rb[1])
		     : "r"(pb));
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
		     "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
		     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
	for (int i = 0; i < 4; i++)
		d[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = c[i];
}

template <typename T> __device__ unsigned pair(T low, T high)
{
	unsigned short bits[2];

	memcpy(&bits[0], &low, 2);
	memcpy(&bits[1], &high, 2);
	return bits[0] | (unsigned)bits[1] << 16;
}

__global__ void brain_8(float *d)
{
	int lane = threadIdx.x, g = lane / 4, t = lane % 4 * 2;
	float c[4] = {100, 100, 100, 100};
	unsigned a0 = pair(__nv_bfloat16(a_at(g, t)), __nv_bfloat16(a_at(g, t + 1)));
	unsigned a1 = pair(__nv_bfloat16(a_at(g + 8, t)), __nv_bfloat16(a_at(g + 8, t + 1)));
	unsigned b0 = pair(__nv_bfloat16(b_at(t, g)), __nv_bfloat16(b_at(t + 1, g)));

	asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
	    "{%0,%1,%2,%3};"
	    : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
	    : "r"(a0), "r"(a1), "r"(b0));
	for (int i = 0; i < 4; i++)
		d[(g + i / 2 * 8) * 8 + t + i % 2] = c[i];
}

__global__ void tf32_8(float *d)
{
	int lane = threadIdx.x, g = lane / 4, t = lane % 4;
	float c[4] = {100, 100, 100, 100};

	asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
	    "{%8,%9}, {%0,%1,%2,%3};"
	    : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
	    : "r"(__float_as_uint(a_at(g, t))), "r"(__float_as_uint(a_at(g + 8, t))),
	      "r"(__float_as_uint(a_at(g, t + 4))), "r"(__float_as_uint(a_at(g + 8, t + 4))),
	      "r"(__float_as_uint(b_at(t, g))), "r"(__float_as_uint(b_at(t + 4, g))));
	for (int i = 0; i < 4; i++)
		d[(g + i / 2 * 8) * 8 + t * 2 + i % 2] = c[i];
}

__global__ void bytes_32(float *d)
{
	int lane = threadIdx.x, g = lane / 4, t = lane % 4 * 4, c[4] = {100, 100, 100, 100};
	unsigned a[4] = {}, b[2] = {};

	for (int i = 0; i < 4; i++) {
		for (int r = 0; r < 4; r++)
			a[r] |= (a_at(g + r % 2 * 8, t + r / 2 * 16 + i) & 0xffu) << 8 * i;
		for (int r = 0; r < 2; r++)
			b[r] |= (b_at(t + r * 16 + i, g) & 0xffu) << 8 * i;
	}
	asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
	    "{%8,%9}, "
	    "{%0,%1,%2,%3};"
	    : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
	    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
	for (int i = 0; i < 4; i++)
		d[(g + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = c[i];
}

__global__ void double_4(float *d)
{
	int lane = threadIdx.x, g = lane / 4, t = lane % 4;
	double c[2] = {100, 100}, a = a_at(g, t), b = b_at(t, g);

	asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
	    : "+d"(c[0]), "+d"(c[1])
	    : "d"(a), "d"(b));
	d[g * 8 + t * 2] = c[0];
	d[g * 8 + t * 2 + 1] = c[1];
}

/* Row i of a has i ones, column j of b has j: sums are the ones in common. */
__global__ void bits_128(float *d)
{
	int lane = threadIdx.x, g = lane / 4, t = lane % 4, c[2] = {};
	unsigned a = t == 0 ? (1u << g) - 1 : 0, b = a;

	asm("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0,%1}, {%2}, {%3}, {%0,%1};"
	    : "+r"(c[0]), "+r"(c[1])
	    : "r"(a), "r"(b));
	d[g * 8 + t * 2] = c[0];
	d[g * 8 + t * 2 + 1] = c[1];
}

__global__ void tiles(unsigned short *out)
{
	__shared__ unsigned short s[2][64];
	int lane = threadIdx.x;
	unsigned r, t, row = (unsigned)__cvta_generic_to_shared(&s[lane / 8 % 2][lane % 8 * 8]);

	s[0][2 * lane] = 2 * lane;
	s[0][2 * lane + 1] = 2 * lane + 1;
	__syncwarp();
	asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(row));
	asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(t) : "r"(r));
	out[2 * lane] = t & 0xffff;
	out[2 * lane + 1] = t >> 16;
	asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(row),
		     "r"(t), "r"(r)
		     : "memory");
	__syncwarp();
	for (int i = 0; i < 2; i++) {
		out[64 + 64 * i + 2 * lane] = s[i][2 * lane];
		out[64 + 64 * i + 2 * lane + 1] = s[i][2 * lane + 1];
	}
}

int main()
{
	float *d = device_array<float>(128);
	unsigned short *t = device_array<unsigned short>(192);
	auto is_product = [&](int rows, int depth) {
		return all_equal(d, rows * 8, [=](int i) { return d_at(i / 8, i % 8, depth); });
	};

	half_16<<<1, 32>>>(d);
	check("f16 m16n8k16", is_product(16, 16));
	brain_8<<<1, 32>>>(d);
	check("bf16 m16n8k8", is_product(16, 8));
	tf32_8<<<1, 32>>>(d);
	check("tf32 m16n8k8", is_product(16, 8));
	bytes_32<<<1, 32>>>(d);
	check("s8 m16n8k32", is_product(16, 32));
	double_4<<<1, 32>>>(d);
	check("f64 m8n8k4", is_product(8, 4));
	bits_128<<<1, 32>>>(d);
	check("b1 m8n8k128", all_equal(d, 64, [](int i) { return i / 8 < i % 8 ? i / 8 : i % 8; }));
	tiles<<<1, 32>>>(t);
	check("movmatrix", all_equal(t, 64, [](int i) { return i % 8 * 8 + i / 8; }));
	check("stmatrix",
	      all_equal(t + 64, 128, [](int i) { return i < 64 ? i : i % 8 * 8 + i % 64 / 8; }));
	return finish();
}
