// SPDX-License-Identifier: Apache-2.0
// All threads that find something store the same value.
#include <cstdio>

__global__ void any_negative(const int *in, int *found, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n && in[i] < 0)
		*found = 1;
}

int main()
{
	const int n = 256;
	int host[n], *in, *found, result;

	for (int i = 0; i < n; i++)
		host[i] = i % 2 ? i : -i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&found, sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemset(found, 0, sizeof(int));
	any_negative<<<4, 64>>>(in, found, n);
	cudaMemcpy(&result, found, sizeof(int), cudaMemcpyDeviceToHost);
	printf("%d\n", result);
	cudaFree(in);
	cudaFree(found);
	return 0;
}
