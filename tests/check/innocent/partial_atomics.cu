// SPDX-License-Identifier: Apache-2.0
// Results are initialised by a kernel, and changed by atomic operations of the next one.
#include <climits>
#include <cstdio>

__global__ void start(int *least, int *most)
{
	least[threadIdx.x] = INT_MAX;
	most[threadIdx.x] = INT_MIN;
}

__global__ void extremes(const int *in, int *least, int *most, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		atomicMin(&least[i % 4], in[i]);
		atomicMax(&most[i % 4], in[i]);
	}
}

int main()
{
	const int n = 200;
	int host[n], *in, *least, *most;

	for (int i = 0; i < n; i++)
		host[i] = i * 17 % 101;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&least, 4 * sizeof(int));
	cudaMalloc(&most, 4 * sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	start<<<1, 4>>>(least, most);
	extremes<<<4, 64>>>(in, least, most, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(least);
	cudaFree(most);
	puts("done");
	return 0;
}
