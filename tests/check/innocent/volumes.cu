// SPDX-License-Identifier: Apache-2.0
// A part of a volume is copied by cudaMemcpy3D, into one with padded rows.
#include <cstdio>

__global__ void sum(cudaPitchedPtr volume, cudaExtent extent, int *out)
{
	int total = 0;

	for (size_t z = 0; z < extent.depth; z++)
		for (size_t y = 0; y < extent.height; y++) {
			const char *row =
			    (const char *)volume.ptr + (z * volume.ysize + y) * volume.pitch;

			for (size_t x = 0; x < extent.width / sizeof(int); x++)
				total += ((const int *)row)[x];
		}
	*out = total;
}

int main()
{
	int host[4][5][6] = {}, *out;
	cudaExtent extent = make_cudaExtent(6 * sizeof(int), 5, 4);
	cudaPitchedPtr volume;
	cudaMemcpy3DParms copy = {};

	cudaMalloc3D(&volume, extent);
	cudaMalloc(&out, sizeof(int));
	copy.srcPtr = make_cudaPitchedPtr(host, 6 * sizeof(int), 6, 5);
	copy.dstPtr = volume;
	copy.extent = extent;
	copy.kind = cudaMemcpyHostToDevice;
	cudaMemcpy3D(&copy);
	sum<<<1, 1>>>(volume, extent, out);
	cudaDeviceSynchronize();
	cudaFree(volume.ptr);
	cudaFree(out);
	puts("done");
	return 0;
}
