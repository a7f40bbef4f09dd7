/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk copies between global and shared memory, and a bulk reduction (sm_90). */
#include "feature.h"
// construct: cp.async.bulk from global to shared memory
// construct: cp.async.bulk from shared to global memory
// construct: cp.reduce.async.bulk

static const int COUNT = 256;

/* One thread copies; n is the number of bytes. */
__global__ void bulk(unsigned *to, unsigned *sum, const unsigned *from, int n)
{
#if __CUDA_ARCH__ >= 900
	__shared__ __align__(128) unsigned s[COUNT];
	__shared__ __align__(8) unsigned long long barrier;
	unsigned at = (unsigned)__cvta_generic_to_shared(s);
	unsigned b = (unsigned)__cvta_generic_to_shared(&barrier), done = 0;

	if (threadIdx.x == 0) {
		asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
		asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
		asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b),
			     "r"(n)
			     : "memory");
		asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
			     "[%0], [%1], %2, [%3];" ::"r"(at),
			     "l"(from), "r"(n), "r"(b)
			     : "memory");
	}
	__syncthreads();
	while (!done)
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; "
			     "selp.u32 %0, 1, 0, p; }"
			     : "=r"(done)
			     : "r"(b)
			     : "memory");
	if (threadIdx.x == 0) {
		asm volatile(
		    "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
		    "r"(at), "r"(n)
		    : "memory");
		asm volatile(
		    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 512;" ::
			"l"(sum),
		    "r"(at)
		    : "memory");
		asm volatile("cp.async.bulk.commit_group;" ::: "memory");
		asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
	}
#endif
}

int main()
{
	unsigned host[COUNT];
	unsigned *to = device_array<unsigned>(COUNT), *sum = device_array<unsigned>(COUNT);
	unsigned *from = device_array<unsigned>(COUNT);

	for (int i = 0; i < COUNT; i++)
		host[i] = 5 * i;
	upload(from, host, COUNT);
	upload(sum, host, COUNT);
	bulk<<<1, 32>>>(to, sum, from, COUNT * 4);
	check("copies", all_equal(to, COUNT, [](size_t i) { return 5 * i; }));
	check("reduction", all_equal(sum, COUNT, [](size_t i) { return (i < 128 ? 10 : 5) * i; }));
	return finish();
}
