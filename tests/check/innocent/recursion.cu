// SPDX-License-Identifier: Apache-2.0
// A device function that calls itself, with arrays on its stack.
#include <cstdio>

__device__ __noinline__ int walk(int depth, int *path)
{
	int here[3] = {depth, depth + 1, depth + 2};

	path[depth] = here[depth % 3];
	return depth ? walk(depth - 1, path) + here[path[depth] % 3] : here[0];
}

__global__ void run(int *out)
{
	int path[8];

	out[threadIdx.x] = walk(threadIdx.x % 8, path);
}

int main()
{
	int *out;

	cudaMalloc(&out, 32 * sizeof(int));
	run<<<1, 32>>>(out);
	cudaDeviceSynchronize();
	cudaFree(out);
	puts("done");
	return 0;
}
