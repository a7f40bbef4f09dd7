// SPDX-License-Identifier: Apache-2.0
// Width and height are exchanged in the index of an image that is not square.
#include <cstdio>

__global__ void invert(unsigned char *image, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < height && y < width)
		image[y * width + x] ^= 255; // check: out-of-bounds
}

int main()
{
	const int width = 48, height = 32;
	unsigned char *image;

	cudaMalloc(&image, width * height);
	cudaMemset(image, 7, width * height);
	invert<<<dim3(3, 6), dim3(16, 8)>>>(image, width, height);
	cudaDeviceSynchronize();
	cudaFree(image);
	puts("done");
	return 0;
}
