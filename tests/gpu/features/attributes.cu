/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes that a program sets on a kernel hold for what runs in its place. */
#include "feature.h"

// construct: dynamic shared memory beyond the default limit
// construct: preferred shared memory carve-out
// construct: cache configuration of a kernel

static const int THREADS = 128;

extern __shared__ int dynamic[];

/* Touches the first and last int of its shared memory. */
__global__ void touch(int *data, int last)
{
	dynamic[0] = 1;
	__syncthreads();
	if (threadIdx.x == 0)
		dynamic[last] += 2;
	__syncthreads();
	data[threadIdx.x] = dynamic[0] + dynamic[last];
}

static cudaError_t launch_touch(int *data, int bytes)
{
	int last = bytes / 4 - 1;

	need(cudaMemset(data, 0, THREADS * 4), "cudaMemset");
	touch<<<1, THREADS, bytes>>>(data, last);
	return cudaGetLastError();
}

int main()
{
	int *data = device_array<int>(THREADS), most = 0;

	need(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), "limit");
	need(launch_touch(data, 1024), "1 KiB");
	need(cudaDeviceSynchronize(), "1 KiB");
	check("beyond-default", launch_touch(data, 60 * 1024) == cudaErrorInvalidValue);
	need(cudaFuncSetAttribute(touch, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 * 1024),
	     "60 KiB");
	need(cudaFuncSetAttribute(touch, cudaFuncAttributePreferredSharedMemoryCarveout,
				  cudaSharedmemCarveoutMaxShared),
	     "carve-out");
	need(cudaFuncSetCacheConfig(touch, cudaFuncCachePreferShared), "cache configuration");
	need(launch_touch(data, 60 * 1024), "60 KiB");
	need(cudaDeviceSynchronize(), "60 KiB");
	/* All that a block may have: nothing is left for the instrumented kernel. */
	need(cudaFuncSetAttribute(touch, cudaFuncAttributeMaxDynamicSharedMemorySize, most),
	     "all there is");
	need(launch_touch(data, most), "all there is");
	need(cudaDeviceSynchronize(), "all there is");

	cudaFuncAttributes attributes;
	need(cudaFuncGetAttributes(&attributes, touch), "cudaFuncGetAttributes");
	check("limit", attributes.maxDynamicSharedSizeBytes == most);
	check("static", attributes.sharedSizeBytes == 0);
	return finish();
}
