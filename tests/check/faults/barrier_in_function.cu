// SPDX-License-Identifier: Apache-2.0
// The barrier is in a device function that some threads do not call.
#include <cstdio>

__device__ __noinline__ void publish(int *tile, int value)
{
	tile[threadIdx.x] = value;
	__syncthreads(); // check: divergent-barrier
}

__global__ void largest(const int *in, int *out, int least)
{
	__shared__ int tile[96];
	int mine = in[threadIdx.x];

	if (mine > least)
		publish(tile, mine);
	out[threadIdx.x] = mine > least ? tile[threadIdx.x] : 0;
}

int main()
{
	int host[96], *in, *out;

	for (int i = 0; i < 96; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	largest<<<1, 96>>>(in, out, 10);
	printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
	cudaFree(in);
	cudaFree(out);
	return 0;
}
