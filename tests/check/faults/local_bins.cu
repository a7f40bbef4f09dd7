// SPDX-License-Identifier: Apache-2.0
// Private bins of each thread: the largest value has none.
#include <cstdio>

__global__ void bins_of_rows(const unsigned char *in, int *out, int width)
{
	int bins[16] = {};

	for (int x = 0; x < width; x++)
		bins[in[threadIdx.x * width + x]]++; // check: local-out-of-bounds
	for (int b = 0; b < 16; b++)
		out[threadIdx.x * 16 + b] = bins[b];
}

int main()
{
	const int width = 17, height = 8;
	unsigned char host[width * height], *in;
	int *out;

	for (int i = 0; i < width * height; i++)
		host[i] = (unsigned char)(i % width);
	cudaMalloc(&in, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMalloc(&out, height * 16 * sizeof(int));
	bins_of_rows<<<1, height>>>(in, out, width);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
