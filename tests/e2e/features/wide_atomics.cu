/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics of every scope and width, and of the CUDA headers' newer types. */
#include "feature.h"
#include <cuda/atomic>
#include <cuda_fp16.h>
// construct: atomics of 64 bits
// construct: atomics of 16 bits
// construct: half and half2 atomics
// construct: cuda::atomic_ref
// construct: reductions
// construct: atomics of block scope
// construct: atomics of device scope
// construct: atomics of system scope
// construct: atomics of 32 bits
// construct: atomics of double

__global__ void scopes(int *p, unsigned long long *q, double *d)
{
	atomicAdd(p, 1);
	atomicAdd_block(p + 1, 1);
	atomicAdd_system(p + 2, 1);
	atomicMax_block(p + 3, (int)threadIdx.x);
	atomicExch_system(p + 4, 7);
	atomicCAS_block(p + 5, 0, 9);
	atomicAdd(q, 1ull << 40);
	atomicMin(q + 1, 5ull);
	atomicOr(q + 2, 1ull << threadIdx.x);
	atomicCAS(q + 3, 0ull, 11ull);
	atomicAdd(d, 0.5);
}

__global__ void halves(__half *h, __half2 *h2, unsigned short *s)
{
	atomicAdd(h, __float2half(1.f));
	atomicAdd(h2, __floats2half2_rn(1.f, 2.f));
	atomicCAS(s, (unsigned short)0, (unsigned short)3);
}

__global__ void references(int *p)
{
	cuda::atomic_ref<int, cuda::thread_scope_device> r(*p);
	cuda::atomic_ref<int, cuda::thread_scope_block> s(p[1]);

	r.fetch_add(2);
	s.fetch_max((int)threadIdx.x);
	if (threadIdx.x == 0)
		p[2] = r.load(cuda::memory_order_acquire) > 0;
}

int main()
{
	int *p = device_array<int>(8), hp[8];
	unsigned long long *q = device_array<unsigned long long>(4), hq[4] = {0, 100, 0, 0};
	double *d = device_array<double>(1);

	upload(q, hq, 4);
	scopes<<<2, 32>>>(p, q, d);
	download(hp, p, 8);
	download(hq, q, 4);
	check("scopes",
	      hp[0] == 64 && hp[1] == 64 && hp[2] == 64 && hp[3] == 31 && hp[4] == 7 && hp[5] == 9);
	check("64 bits",
	      hq[0] == 64ull << 40 && hq[1] == 5 && hq[2] == 0xffffffffull && hq[3] == 11);
	check("double", all_equal(d, 1, [](size_t) { return 32.; }));

	__half *h = device_array<__half>(4);
	unsigned short *s = device_array<unsigned short>(2), hh[4];
	halves<<<1, 32>>>(h, (__half2 *)(h + 2), s);
	download(hh, (unsigned short *)h, 4);
	check("halves", hh[0] == 0x5000 && hh[2] == 0x5000 && hh[3] == 0x5400);
	check("16 bits", all_equal(s, 1, [](size_t) { return 3; }));

	int *r = device_array<int>(3);
	references<<<1, 32>>>(r);
	check("atomic_ref", all_equal(r, 3, [](size_t i) {
		      return i == 0 ? 64 : i == 1 ? 31 : 1;
	      }));
	return finish();
}
