// SPDX-License-Identifier: Apache-2.0
// The pitch is in bytes, and is used as if it were in elements.
#include <cstdio>

__global__ void fill(float *field, size_t pitch, int width, int height)
{
	int x = threadIdx.x, y = threadIdx.y;

	if (x < width && y < height)
		field[y * pitch + x] = 1.f; // check: out-of-bounds
}

int main()
{
	const int width = 20, height = 4;
	size_t pitch;
	float *field;

	cudaMallocPitch((void **)&field, &pitch, width * sizeof(float), height);
	fill<<<1, dim3(32, height)>>>(field, pitch, width, height);
	cudaDeviceSynchronize();
	cudaFree(field);
	puts("done");
	return 0;
}
