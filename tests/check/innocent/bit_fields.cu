// SPDX-License-Identifier: Apache-2.0
// Fields of some bits in one word: a thread writes them all, whole words are read.
#include <cstdio>

struct packed {
	unsigned kind : 4;
	unsigned level : 12;
	unsigned at : 16;
};

__global__ void write(packed *p)
{
	packed mine = {threadIdx.x % 16, 3, threadIdx.x};

	p[threadIdx.x] = mine;
}

__global__ void read(const packed *p, int *out)
{
	out[threadIdx.x] = p[threadIdx.x].kind + p[threadIdx.x].at;
}

int main()
{
	packed *p;
	int *out;

	cudaMalloc(&p, 64 * sizeof(packed));
	cudaMalloc(&out, 64 * sizeof(int));
	write<<<1, 64>>>(p);
	read<<<1, 64>>>(p, out);
	cudaDeviceSynchronize();
	cudaFree(p);
	cudaFree(out);
	puts("done");
	return 0;
}
