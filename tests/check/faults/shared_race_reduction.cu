// SPDX-License-Identifier: Apache-2.0
// A reduction whose rounds have no barriers between them.
#include <cstdio>

__global__ void sum(const int *in, int *out)
{
	__shared__ int tile[256];
	int t = threadIdx.x;

	tile[t] = in[t];
	__syncthreads();
	for (int half = 128; half > 0; half /= 2)
		if (t < half)
			tile[t] += tile[t + half]; // check: shared-race
	if (t == 0)
		*out = tile[0];
}

int main()
{
	int host[256], *in, *out;

	for (int i = 0; i < 256; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	sum<<<1, 256>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
