// SPDX-License-Identifier: Apache-2.0
// The index of a volume takes its height for its depth.
#include <cstdio>

__global__ void fill(int *volume, int3 size)
{
	int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;

	volume[(z * size.z + y) * size.x + x] = z; // check: out-of-bounds
}

int main()
{
	int3 size = {8, 4, 6};
	int *volume;

	cudaMalloc(&volume, size.x * size.y * size.z * sizeof(int));
	fill<<<1, dim3(size.x, size.y, size.z)>>>(volume, size);
	cudaDeviceSynchronize();
	cudaFree(volume);
	puts("done");
	return 0;
}
