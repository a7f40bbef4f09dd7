// SPDX-License-Identifier: Apache-2.0
// An array is read through a texture, beyond its borders as well: the border is clamped.
#include <cstdio>

__global__ void sample(cudaTextureObject_t image, float *out, int width)
{
	int x = threadIdx.x;

	out[x] = tex2D<float>(image, x - 4 + 0.5f, 0.5f) + (x >= width);
}

int main()
{
	const int width = 16, height = 4;
	float host[width * height] = {}, *out;
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	cudaArray_t array;
	cudaResourceDesc resource = {};
	cudaTextureDesc description = {};
	cudaTextureObject_t image;

	cudaMallocArray(&array, &format, width, height);
	cudaMemcpy2DToArray(array, 0, 0, host, width * sizeof(float), width * sizeof(float), height,
			    cudaMemcpyHostToDevice);
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = array;
	description.addressMode[0] = cudaAddressModeClamp;
	description.addressMode[1] = cudaAddressModeClamp;
	cudaCreateTextureObject(&image, &resource, &description, nullptr);
	cudaMalloc(&out, 32 * sizeof(float));
	sample<<<1, 32>>>(image, out, width);
	cudaDeviceSynchronize();
	cudaDestroyTextureObject(image);
	cudaFreeArray(array);
	cudaFree(out);
	puts("done");
	return 0;
}
