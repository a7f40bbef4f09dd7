/* SPDX-License-Identifier: Apache-2.0 */
// construct: inline PTX cp.async
// construct: cp.async.bulk from global to shared memory
// construct: mbarrier
// construct: cp.reduce.async.bulk
// construct: cp.async.bulk from shared to global memory
#include "feature.h"
#include <cuda_pipeline.h>

__device__ static unsigned shared_address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void pipeline(const int4 *in, int4 *out)
{
	__shared__ int4 s[32];
	__shared__ int words[32];

	asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
	__pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 16);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n\t"
		     "cp.async.commit_group;\n\t"
		     "cp.async.wait_all;" ::"r"(shared_address(&words[threadIdx.x])),
		     "l"(in + threadIdx.x), "r"(threadIdx.x % 2 ? 4 : 0)
		     : "memory");
	__syncthreads();
	out[threadIdx.x] = s[31 - threadIdx.x];
	out[32 + threadIdx.x] = make_int4(words[threadIdx.x], 0, 0, 0);
}

/* One thread copies a tile, all wait for its bytes. */
__global__ void bulk(const int *in, int *out, int *sums)
{
	__shared__ __align__(128) int tile[128];
	__shared__ unsigned long long barrier;
	unsigned at = shared_address(&barrier), done = 0;
	unsigned long long state;

	if (threadIdx.x == 0) {
		asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x));
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;"
			     : "=l"(state)
			     : "r"(at), "r"(512)
			     : "memory");
		asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
			     "[%0], [%1], %2, [%3];" ::"r"(shared_address(tile)),
			     "l"(in), "r"(512), "r"(at)
			     : "memory");
	} else {
		asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
			     : "=l"(state)
			     : "r"(at)
			     : "memory");
	}
	while (!done)
		asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2; "
			     "selp.u32 %0, 1, 0, p; }"
			     : "=r"(done)
			     : "r"(at), "l"(state)
			     : "memory");
	tile[threadIdx.x] += 1000;
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
	__syncthreads();
	if (threadIdx.x == 0) {
		asm volatile(
		    "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out),
		    "r"(shared_address(tile)), "r"(512)
		    : "memory");
		asm volatile(
		    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], "
		    "%2;" ::"l"(sums),
		    "r"(shared_address(tile)), "r"(512)
		    : "memory");
		asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::
				 : "memory");
	}
}

/* Producers and consumers alternate through the parities of two barriers. */
__global__ void hand_over(int *out)
{
	__shared__ unsigned long long full, empty;
	__shared__ int value;
	unsigned f = shared_address(&full), e = shared_address(&empty);

	if (threadIdx.x == 0)
		asm volatile(
		    "mbarrier.init.shared.b64 [%0], 1; mbarrier.init.shared.b64 [%1], 32;" ::"r"(f),
		    "r"(e));
	__syncthreads();
	for (int round = 0; round < 5; round++) {
		unsigned ready = 0, parity = round & 1;

		if (threadIdx.x == 32) {
			while (round && !ready)
				asm volatile(
				    "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], "
				    "%2; selp.u32 %0, 1, 0, p; }"
				    : "=r"(ready)
				    : "r"(e), "r"(parity ^ 1)
				    : "memory");
			value = 10 * round;
			asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(f) : "memory");
		} else if (threadIdx.x < 32) {
			asm volatile("{\n\t.reg .pred p;\n\t"
				     "WAIT:\n\t"
				     "mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n\t"
				     "@p bra DONE;\n\t"
				     "bra WAIT;\n\t"
				     "DONE:\n\t}" ::"r"(f),
				     "r"(parity)
				     : "memory");
			out[threadIdx.x] += value;
			asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(e) : "memory");
		}
	}
}

int main()
{
	int h[128], *in = device_array<int>(128), *out = device_array<int>(256),
		    *sums = device_array<int>(128);

	for (int i = 0; i < 128; i++)
		h[i] = i * i;
	upload(in, h, 128);
	pipeline<<<1, 32>>>((int4 *)in, (int4 *)out);
	check("cp.async", all_equal(out, 128, [&](int i) { return h[(31 - i / 4) * 4 + i % 4]; }));
	check("cp.async of part",
	      all_equal(out + 128, 128, [&](int i) { return i % 4 == 0 && i / 4 % 2 ? h[i] : 0; }));
	for (int round = 0; round < 2; round++)
		bulk<<<1, 128>>>(in, out, sums);
	check("bulk copies", all_equal(out, 128, [&](int i) { return h[i] + 1000; }));
	check("bulk reduction", all_equal(sums, 128, [&](int i) { return 2 * (h[i] + 1000); }));
	need(cudaMemset(out, 0, 128), "cudaMemset");
	hand_over<<<1, 64>>>(out);
	check("mbarrier parities", all_equal(out, 32, [](int) { return 100; }));
	return finish();
}
