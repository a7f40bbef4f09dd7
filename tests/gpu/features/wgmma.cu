/* SPDX-License-Identifier: Apache-2.0 */
/* A matrix product of a warp group that reads shared memory: counted as an event. */
// arch: sm_90a
#include "feature.h"
#include <cuda_fp16.h>
// construct: wgmma

/* 8 x 8 tiles of halves, 128 bytes each, without swizzle. */
__device__ static unsigned long long descriptor(const void *tiles)
{
	unsigned long long at = (unsigned)__cvta_generic_to_shared(tiles);

	return (at >> 4 & 0x3fff) | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}

/* D (64 x 8) = A (64 x 16) * B (16 x 8), all of A and B one: every element is 16. */
__global__ void product(float *out)
{
	__shared__ __align__(128) __half a[64 * 16], b[16 * 8];
	float d[4] = {0, 0, 0, 0};

	for (int i = threadIdx.x; i < 64 * 16; i += 128)
		a[i] = __float2half(1);
	b[threadIdx.x] = __float2half(1);
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
	__syncthreads();
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
	asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, "
		     "0, 1, 1, 0, 0;"
		     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
		     : "l"(descriptor(a)), "l"(descriptor(b)));
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
	asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
	for (int i = 0; i < 4; i++)
		out[4 * threadIdx.x + i] = d[i];
}

int main()
{
	float *out = device_array<float>(64 * 8);

	product<<<1, 128>>>(out);
	check("product", all_equal(out, 64 * 8, [](size_t) { return 16; }));
	return finish();
}
