// SPDX-License-Identifier: Apache-2.0
// The same shared memory holds one thing after the other, with a barrier between.
#include <cstdio>

struct keys {
	int key[64];
};
struct sums {
	float sum[64];
};

__global__ void phases(const int *in, float *out)
{
	__shared__ union {
		keys k;
		sums s;
	} scratch;
	int t = threadIdx.x;

	scratch.k.key[t] = in[t];
	__syncthreads();
	int other = scratch.k.key[63 - t];
	__syncthreads();
	scratch.s.sum[t] = 0.5f * other;
	__syncthreads();
	out[t] = scratch.s.sum[t ^ 32];
}

int main()
{
	int host[64], *in;
	float *out;

	for (int i = 0; i < 64; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, 64 * sizeof(float));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	phases<<<1, 64>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
