// SPDX-License-Identifier: Apache-2.0
// A member of a union is written as a float, and read as bits.
#include <cstdio>

union word {
	float value;
	unsigned bits;
	unsigned char bytes[4];
};

__global__ void write(word *words)
{
	words[threadIdx.x].value = threadIdx.x * 0.5f;
}

__global__ void signs(const word *words, int *out)
{
	out[threadIdx.x] = (words[threadIdx.x].bits >> 31) + words[threadIdx.x].bytes[3];
}

int main()
{
	word *words;
	int *out;

	cudaMalloc(&words, 64 * sizeof(word));
	cudaMalloc(&out, 64 * sizeof(int));
	write<<<1, 64>>>(words);
	signs<<<1, 64>>>(words, out);
	cudaDeviceSynchronize();
	cudaFree(words);
	cudaFree(out);
	puts("done");
	return 0;
}
