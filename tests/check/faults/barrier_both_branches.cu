// SPDX-License-Identifier: Apache-2.0
// A barrier in each branch: they are not the same one.
#include <cstdio>

__global__ void exchange(const int *in, int *out)
{
	__shared__ int tile[64];
	int t = threadIdx.x;

	if (in[t] % 2) {
		tile[t] = in[t];
		__syncthreads(); // check: divergent-barrier
		out[t] = tile[t] + 1;
	} else {
		tile[t] = -in[t];
		__syncthreads();
		out[t] = tile[t] - 1;
	}
}

int main()
{
	int host[64], *in, *out;

	for (int i = 0; i < 64; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	exchange<<<1, 64>>>(in, out);
	printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
	cudaFree(in);
	cudaFree(out);
	return 0;
}
