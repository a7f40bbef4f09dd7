// SPDX-License-Identifier: Apache-2.0
// Bins in shared memory are counted up without an atomic operation.
#include <cstdio>

__global__ void histogram(const unsigned char *in, unsigned *out)
{
	__shared__ unsigned bins[32];
	int t = threadIdx.x;

	if (t < 32)
		bins[t] = 0;
	__syncthreads();
	bins[in[t] % 32]++; // check: shared-race
	__syncthreads();
	if (t < 32)
		out[t] = bins[t];
}

int main()
{
	unsigned char host[128], *in;
	unsigned *out;

	for (int i = 0; i < 128; i++)
		host[i] = (unsigned char)(i % 5);
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, 32 * sizeof(unsigned));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	histogram<<<1, 128>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
