// SPDX-License-Identifier: Apache-2.0
// memcpy within a kernel copies more than the target holds.
#include <cstdio>
#include <cstring>

struct message {
	char text[24];
};

__global__ void send(char *out, const message *in, int n)
{
	int i = threadIdx.x;

	if (i < n)
		memcpy(out + 20 * i, &in[i], sizeof(message)); // check: out-of-bounds
}

int main()
{
	char *out;
	message *in;

	cudaMalloc(&out, 20);
	cudaMalloc(&in, sizeof(message));
	cudaMemset(in, 'a', sizeof(message));
	send<<<1, 1>>>(out, in, 1);
	cudaDeviceSynchronize();
	cudaFree(out);
	cudaFree(in);
	puts("done");
	return 0;
}
