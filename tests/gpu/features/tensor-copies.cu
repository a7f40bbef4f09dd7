/* SPDX-License-Identifier: Apache-2.0 */
/* TMA tensor copies: counted as events (sm_90). */
#include "feature.h"
#include <cuda.h>
// construct: TMA tensor copy

static const int SIDE = 16;

__global__ void tensor(const __grid_constant__ CUtensorMap map, int *out)
{
#if __CUDA_ARCH__ >= 900
	__shared__ __align__(128) int s[SIDE * SIDE];
	__shared__ __align__(8) unsigned long long barrier;
	unsigned at = (unsigned)__cvta_generic_to_shared(s);
	unsigned b = (unsigned)__cvta_generic_to_shared(&barrier), done = 0;

	if (threadIdx.x == 0) {
		asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
		asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
		asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b),
			     "r"(SIDE * SIDE * 4)
			     : "memory");
		asm volatile(
		    "cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %1}];" ::"l"(&map), "r"(0)
		    : "memory");
		asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx:"
			     ":bytes [%0], [%1, {%2, %2}], [%3];" ::"r"(at),
			     "l"(&map), "r"(0), "r"(b)
			     : "memory");
	}
	__syncthreads();
	while (!done)
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; "
			     "selp.u32 %0, 1, 0, p; }"
			     : "=r"(done)
			     : "r"(b)
			     : "memory");
	for (int i = threadIdx.x; i < SIDE * SIDE; i += 32)
		out[i] = s[i];
#endif
}

int main()
{
	decltype(&cuTensorMapEncodeTiled) encode = nullptr;
	cudaDriverEntryPointQueryResult found;
	CUtensorMap map;
	cuuint64_t size[2] = {SIDE, SIDE}, stride[1] = {SIDE * 4};
	cuuint32_t box[2] = {SIDE, SIDE}, step[2] = {1, 1};
	int *from = device_array<int>(SIDE * SIDE), *to = device_array<int>(SIDE * SIDE),
	    host[SIDE * SIDE];

	for (int i = 0; i < SIDE * SIDE; i++)
		host[i] = 7 * i;
	upload(from, host, SIDE * SIDE);
	need(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000,
					      cudaEnableDefault, &found),
	     "cuTensorMapEncodeTiled");
	CUresult made = encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, from, size, stride, box,
			       step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
			       CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
	check("tensor map", made == CUDA_SUCCESS);
	tensor<<<1, 32>>>(map, to);
	check("tensor copy", all_equal(to, SIDE * SIDE, [](size_t i) { return 7 * i; }));
	return finish();
}
