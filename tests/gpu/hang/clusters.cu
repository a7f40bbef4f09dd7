/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters whose CTAs read and count in each other's shared memory, between cluster barriers. */
// arch: sm_90
#include "hang.h"

enum { SIZE = 4, THREADS = 96, CLUSTERS = 64, CTAS = SIZE * CLUSTERS, ROUNDS = 4 };

/* clang 22 has no cooperative_groups::cluster_group, but what it is made of. */
#if __CUDA_ARCH__ >= 900
__device__ static void sync_cluster()
{
	__cluster_barrier_arrive();
	__cluster_barrier_wait();
}
#endif

__global__ void exchange(unsigned *out, unsigned *sums)
{
#if __CUDA_ARCH__ >= 900
	__shared__ unsigned mine[THREADS], sum;
	unsigned rank = __clusterRelativeBlockRank(), i = blockIdx.x * THREADS + threadIdx.x;

	if (threadIdx.x == 0)
		sum = 0;
	mine[threadIdx.x] = threadIdx.x;
	sync_cluster();
	for (unsigned round = 1; round <= ROUNDS; round++) {
		unsigned other = (rank + round) % SIZE;
		unsigned seen = ((unsigned *)__cluster_map_shared_rank(mine, other))[threadIdx.x];

		sync_cluster();
		mine[threadIdx.x] = seen + 1;
		if (threadIdx.x % 3 == 0)
			atomicAdd((unsigned *)__cluster_map_shared_rank(&sum, 0), 1);
		out[i] += seen;
		sync_cluster();
	}
	if (rank == 0 && threadIdx.x == 0)
		sums[blockIdx.x / SIZE] += sum;
#endif
}

static void launch(unsigned *out, unsigned *sums)
{
	cudaLaunchConfig_t config = {};
	cudaLaunchAttribute attribute;

	attribute.id = cudaLaunchAttributeClusterDimension;
	attribute.val.clusterDim.x = SIZE;
	attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
	config.gridDim = dim3(CTAS);
	config.blockDim = dim3(THREADS);
	config.attrs = &attribute;
	config.numAttrs = 1;
	need(cudaLaunchKernelEx(&config, exchange, out, sums), "cudaLaunchKernelEx");
}

int main(int argc, char **argv)
{
	unsigned launches = (unsigned)launches_wanted(argc, argv);
	unsigned *out = device_array<unsigned>(CTAS * THREADS);
	unsigned *sums = device_array<unsigned>(CLUSTERS);

	for (unsigned i = 0; i < launches; i++)
		launch(out, sums);
	/* In round r a thread sees its lane's number and r - 1 increments. */
	check("other CTAs' shared memory", all_equal(out, CTAS * THREADS, [&](size_t i) {
		      return launches *
			     (ROUNDS * (unsigned)(i % THREADS) + ROUNDS * (ROUNDS - 1) / 2);
	      }));
	check("counted in the first CTA", all_equal(sums, CLUSTERS, [&](size_t) {
		      return launches * ROUNDS * SIZE * (THREADS / 3);
	      }));
	count_stores("exchange", CTAS * THREADS * ROUNDS + CLUSTERS);
	return finish();
}
