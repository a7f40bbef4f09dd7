/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics that sm_90 brought: bfloat16, float2, float4, 128 bits; PTX that the pass does not
 * understand. */
#include "feature.h"
#include <cuda_bf16.h>
// construct: bfloat16 atomics
// construct: float2 and float4 atomics
// construct: atomics of 128 bits
// construct: inline PTX that is not understood
// construct: wmma through inline PTX

__global__ void vectors(__nv_bfloat16 *b, float2 *f2, float4 *f4)
{
#if __CUDA_ARCH__ >= 900
	float2 old;

	atomicAdd(b, __float2bfloat16(1));
	/* clang's headers leave atomicAdd of float2 and float4 empty. */
	asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
		     : "=f"(old.x), "=f"(old.y)
		     : "l"(f2), "f"(1.f), "f"(2.f)
		     : "memory");
	asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(f4), "f"(1.f)
		     : "memory");
#endif
}

__global__ void wide(unsigned long long *w, unsigned long long *old)
{
#if __CUDA_ARCH__ >= 900
	asm volatile("{ .reg .b128 c, v, d; mov.b128 c, {%2, %2}; mov.b128 v, {%3, %3};"
		     " atom.global.relaxed.gpu.cas.b128 d, [%4], c, v; mov.b128 {%0, %1}, d; }"
		     : "=l"(old[0]), "=l"(old[1])
		     : "l"(0ll), "l"(2ll), "l"(w)
		     : "memory");
#endif
}

__global__ void computed(int *p)
{
	asm volatile("{ .reg .u64 a; mad.wide.u32 a, %1, 4, %0; st.global.s32 [a], %1; }" ::"l"(p),
		     "r"(threadIdx.x)
		     : "memory");
}

__global__ void bits(unsigned *a, unsigned *out, int stride)
{
	unsigned x;

	asm volatile("wmma.load.a.sync.aligned.row.m8n8k128.global.b1 {%0}, [%1], %2;"
		     : "=r"(x)
		     : "l"(a), "r"(stride));
	out[threadIdx.x] = x;
}

int main()
{
	__nv_bfloat16 *b = device_array<__nv_bfloat16>(2);
	float *f = device_array<float>(6);
	vectors<<<1, 32>>>(b, (float2 *)f, (float4 *)f);
	check("bfloat16", all_equal((unsigned short *)b, 1, [](size_t) { return 0x4200; }));
	check("float2 and float4",
	      all_equal(f, 4, [](size_t i) { return 32 * (i < 2 ? i + 2 : 1); }));

	unsigned long long *w = (unsigned long long *)device_array<__int128>(2);
	wide<<<1, 1>>>(w, w + 2);
	check("128 bits", all_equal(w, 4, [](size_t i) { return i < 2 ? 2 : 0; }));
	int *p = device_array<int>(32);
	computed<<<1, 32>>>(p);
	check("computed address", all_equal(p, 32, [](size_t i) { return i; }));
	unsigned *a = device_array<unsigned>(64), *out = device_array<unsigned>(32), host[64],
		 sum = 0;
	for (unsigned i = 0; i < 64; i++)
		host[i] = i;
	upload(a, host, 64);
	bits<<<1, 32>>>(a, out, 256);
	download(host, out, 32);
	for (unsigned i = 0; i < 32; i++)
		sum += host[i];
	check("bits", sum == 8 * (0 + 8 + 16 + 24 + 32 + 40 + 48 + 56) / 2 + 8 * 6);
	return finish();
}
