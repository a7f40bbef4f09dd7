// SPDX-License-Identifier: Apache-2.0
// Pinned memory is copied in one stream while a kernel of another one reads the target.
#include <cstdio>

__global__ void sum(const int *in, int *out)
{
	int total = 0;

	for (int i = 0; i < 256; i++)
		total += in[i]; // check: race
	*out = total;
}

int main()
{
	cudaStream_t copies, kernels;
	int *host, *in, *out;

	cudaMallocHost(&host, 256 * sizeof(int));
	for (int i = 0; i < 256; i++)
		host[i] = i;
	cudaMalloc(&in, 256 * sizeof(int));
	cudaMalloc(&out, sizeof(int));
	cudaMemset(in, 0, 256 * sizeof(int));
	cudaDeviceSynchronize();
	cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
	cudaMemcpyAsync(in, host, 256 * sizeof(int), cudaMemcpyHostToDevice, copies);
	sum<<<1, 1, 0, kernels>>>(in, out);
	cudaDeviceSynchronize();
	cudaStreamDestroy(copies);
	cudaStreamDestroy(kernels);
	cudaFree(in);
	cudaFree(out);
	cudaFreeHost(host);
	puts("done");
	return 0;
}
