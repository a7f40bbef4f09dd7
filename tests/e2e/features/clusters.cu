/* SPDX-License-Identifier: Apache-2.0 */
/* Thread block clusters: ranks, the barrier, other blocks' shared memory. */
// construct: thread block clusters and distributed shared memory
// construct: launch by cudaLaunchKernelExC
#include "feature.h"

enum { SIZE = 4, THREADS = 64, BLOCKS = 3 * SIZE };

/* clang 22 has no cooperative_groups::cluster_group, but what it is made of. */
#if __CUDA_ARCH__ >= 900
__device__ static void sync_cluster()
{
	__cluster_barrier_arrive();
	__cluster_barrier_wait();
}
#endif

/* Every block reads what the next block of its cluster put there. */
__global__ void neighbours(int *out)
{
#if __CUDA_ARCH__ >= 900
	__shared__ int mine[THREADS];
	unsigned next = (__clusterRelativeBlockRank() + 1) % SIZE;

	mine[threadIdx.x] = (int)(blockIdx.x * 1000 + threadIdx.x);
	sync_cluster();
	out[blockIdx.x * THREADS + threadIdx.x] =
	    ((int *)__cluster_map_shared_rank(mine, next))[threadIdx.x];
	sync_cluster();
#endif
}

/* Sums of all blocks in the shared memory of the first one. */
__global__ void summed(int *out)
{
#if __CUDA_ARCH__ >= 900
	__shared__ int sum;

	if (threadIdx.x == 0)
		sum = 0;
	sync_cluster();
	atomicAdd((int *)__cluster_map_shared_rank(&sum, 0), (int)threadIdx.x);
	sync_cluster();
	if (__clusterRelativeBlockRank() == 0 && threadIdx.x == 0) {
		out[2 * __clusterIdx().x] = sum;
		out[2 * __clusterIdx().x + 1] = (int)__clusterSizeInBlocks();
	}
#endif
}

static void launch_in_clusters(void (*kernel)(int *), int *out, unsigned size)
{
	cudaLaunchConfig_t config = {};
	cudaLaunchAttribute attribute;

	attribute.id = cudaLaunchAttributeClusterDimension;
	attribute.val.clusterDim.x = size;
	attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
	config.gridDim = dim3(BLOCKS);
	config.blockDim = dim3(THREADS);
	config.attrs = &attribute;
	config.numAttrs = 1;
	need(cudaLaunchKernelEx(&config, kernel, out), "cudaLaunchKernelEx");
}

int main()
{
	int *out = device_array<int>(BLOCKS * THREADS);

	launch_in_clusters(neighbours, out, SIZE);
	check("shared memory of the next block", all_equal(out, BLOCKS * THREADS, [](size_t i) {
		      size_t block = i / THREADS, next = (block + 1) % SIZE + block / SIZE * SIZE;

		      return (int)(next * 1000 + i % THREADS);
	      }));
	launch_in_clusters(summed, out, 3);
	check("sums in the first block", all_equal(out, 2 * BLOCKS / 3, [](size_t i) {
		      return i % 2 ? 3 : 3 * THREADS * (THREADS - 1) / 2;
	      }));
	return finish();
}
