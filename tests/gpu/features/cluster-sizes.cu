/* SPDX-License-Identifier: Apache-2.0 */
/* Thread block clusters: asked for at the launch, and larger than portable ones. (clang 22 takes no
 * notice of __cluster_dims__.) */
#include "feature.h"

// construct: cluster of the launch
// construct: non-portable cluster size

static const int THREADS = 64;

/* The rank of a block in its cluster, and how many blocks that has. */
__device__ static void report(int *ranks, int *sizes)
{
	unsigned rank = 0, size = 1;

#if __CUDA_ARCH__ >= 900
	asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
#endif
	if (threadIdx.x == 0) {
		ranks[blockIdx.x] = rank;
		sizes[blockIdx.x] = size;
	}
}

__global__ void chosen(int *ranks, int *sizes)
{
	report(ranks, sizes);
}

static cudaError_t launch_chosen(int blocks, int cluster, int *ranks, int *sizes)
{
	cudaLaunchConfig_t config = {};
	cudaLaunchAttribute attribute = {};

	attribute.id = cudaLaunchAttributeClusterDimension;
	attribute.val.clusterDim.x = cluster;
	attribute.val.clusterDim.y = 1;
	attribute.val.clusterDim.z = 1;
	config.gridDim = dim3(blocks);
	config.blockDim = dim3(THREADS);
	config.attrs = &attribute;
	config.numAttrs = 1;
	return cudaLaunchKernelEx(&config, chosen, ranks, sizes);
}

static void check_clusters(const char *name, const int *ranks, const int *sizes, int blocks,
			   int cluster)
{
	check(name, all_equal(ranks, blocks, [=](size_t i) { return i % cluster; }) &&
			all_equal(sizes, blocks, [=](size_t) { return cluster; }));
}

int main()
{
	int *ranks = device_array<int>(32), *sizes = device_array<int>(32);

	need(launch_chosen(16, 4, ranks, sizes), "cluster of 4");
	check_clusters("chosen", ranks, sizes, 16, 4);
	check("not-portable", launch_chosen(32, 16, ranks, sizes) != cudaSuccess);
	(void)cudaGetLastError();
	need(cudaFuncSetAttribute(chosen, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
	     "non-portable cluster size");
	need(launch_chosen(32, 16, ranks, sizes), "cluster of 16");
	check_clusters("allowed", ranks, sizes, 32, 16);
	return finish();
}
