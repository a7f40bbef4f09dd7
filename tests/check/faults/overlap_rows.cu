// SPDX-License-Identifier: Apache-2.0
// Rows of an image are moved up by one, in one copy of two dimensions.
#include <cstdio>

int main()
{
	const int width = 64, height = 12;
	size_t pitch;
	char *image;

	cudaMallocPitch((void **)&image, &pitch, width, height);
	cudaMemset2D(image, pitch, 3, width, height);
	// check: copy-overlap
	cudaMemcpy2D(image, pitch, image + pitch, pitch, width, height - 1,
		     cudaMemcpyDeviceToDevice);
	cudaFree(image);
	puts("done");
	return 0;
}
