// SPDX-License-Identifier: Apache-2.0
// Structures with padding: fields are written one by one, and structures copied as a whole.
#include <cstdio>

struct record {
	char tag;
	double value;
	short count;
};

__global__ void write(record *r)
{
	int i = threadIdx.x;

	r[i].tag = 'a';
	r[i].value = i;
	r[i].count = (short)i;
}

__global__ void permute(const record *in, record *out, int n)
{
	int i = threadIdx.x;

	out[i] = in[(i * 7) % n];
}

int main()
{
	const int n = 40;
	record *a, *b;

	cudaMalloc(&a, n * sizeof(record));
	cudaMalloc(&b, n * sizeof(record));
	write<<<1, n>>>(a);
	permute<<<1, n>>>(a, b, n);
	cudaDeviceSynchronize();
	cudaFree(a);
	cudaFree(b);
	puts("done");
	return 0;
}
