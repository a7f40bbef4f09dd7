// SPDX-License-Identifier: Apache-2.0
// A structure that ends in an array of one element, allocated for more.
#include <cstdio>

struct packet {
	int length;
	int payload[1];
};

__global__ void fill(packet *p)
{
	for (int i = threadIdx.x; i < p->length; i += blockDim.x)
		p->payload[i] = i;
}

int main()
{
	int length = 90;
	packet *p;

	cudaMalloc(&p, sizeof(packet) + (length - 1) * sizeof(int));
	cudaMemcpy(p, &length, sizeof(int), cudaMemcpyHostToDevice);
	fill<<<1, 32>>>(p);
	cudaDeviceSynchronize();
	cudaFree(p);
	puts("done");
	return 0;
}
