// SPDX-License-Identifier: Apache-2.0
// A thread that has found something leaves the loop, and its barrier.
#include <cstdio>

__global__ void search(const int *in, int *found, int rounds)
{
	for (int r = 0; r < rounds; r++) {
		if (in[r * 64 + threadIdx.x] == 7) {
			*found = r;
			break;
		}
		__syncthreads(); // check: divergent-barrier
	}
}

int main()
{
	int host[256] = {}, *in, *found;

	host[64 + 5] = 7;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&found, sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemset(found, 255, sizeof(int));
	search<<<1, 64>>>(in, found, 4);
	printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
	cudaFree(in);
	cudaFree(found);
	return 0;
}
