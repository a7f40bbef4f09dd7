// SPDX-License-Identifier: Apache-2.0
// The result is to be stored in a variable of main().
#include <cstdio>

__global__ void largest(const int *in, int n, int *out)
{
	int most = in[0];

	for (int i = 1; i < n; i++)
		most = max(most, in[i]);
	*out = most; // check: host-memory
}

int main()
{
	int host[32] = {3, 1, 4, 1, 5}, *in, most = 0;

	cudaMalloc(&in, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	largest<<<1, 1>>>(in, 32, &most);
	cudaDeviceSynchronize();
	cudaFree(in);
	puts("done");
	return 0;
}
