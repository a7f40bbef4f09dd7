// SPDX-License-Identifier: Apache-2.0
// All of a pitched allocation is copied to the host, with the padding that was never written.
#include <cstdio>
#include <vector>

__global__ void fill(char *rows, size_t pitch, int width)
{
	if (threadIdx.x < width)
		rows[blockIdx.x * pitch + threadIdx.x] = 'r';
}

int main()
{
	const int width = 100, height = 5;
	size_t pitch;
	char *rows;

	cudaMallocPitch((void **)&rows, &pitch, width, height);
	fill<<<height, 128>>>(rows, pitch, width);
	std::vector<char> host(pitch * height);
	cudaMemcpy(host.data(), rows, pitch * height, cudaMemcpyDeviceToHost);
	printf("%c\n", host[pitch + 3]);
	cudaFree(rows);
	return 0;
}
