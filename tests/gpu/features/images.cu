/* SPDX-License-Identifier: Apache-2.0 */
/* Textures and surfaces: counted as events; cache hints on global memory. */
#include "feature.h"
// construct: texture fetch
// construct: surface load and store
// construct: prefetch

static const int SIZE = 8;

__global__ void images(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float *out)
{
	int x = threadIdx.x % SIZE, y = threadIdx.x / SIZE;
	float v;

	out[threadIdx.x] = tex2D<float>(texture, x, y);
	surf2Dread(&v, surface, x * 4, y);
	surf2Dwrite(v + 1, surface, x * 4, y);
}

__global__ void hints(int *p)
{
	asm volatile("prefetch.global.L2 [%0];" ::"l"(p + 32));
	asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(p));
	p[threadIdx.x] += 1;
}

int main()
{
	float host[SIZE * SIZE];
	float *out = device_array<float>(SIZE * SIZE);
	int *p = device_array<int>(64);
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	cudaResourceDesc resource = {};
	cudaTextureDesc how = {};
	cudaTextureObject_t texture;
	cudaSurfaceObject_t surface;
	cudaArray_t array;

	for (int i = 0; i < SIZE * SIZE; i++)
		host[i] = i;
	need(cudaMallocArray(&array, &format, SIZE, SIZE, cudaArraySurfaceLoadStore),
	     "cudaMallocArray");
	need(cudaMemcpy2DToArray(array, 0, 0, host, SIZE * 4, SIZE * 4, SIZE,
				 cudaMemcpyHostToDevice),
	     "copy");
	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = array;
	need(cudaCreateTextureObject(&texture, &resource, &how, nullptr),
	     "cudaCreateTextureObject");
	need(cudaCreateSurfaceObject(&surface, &resource), "cudaCreateSurfaceObject");
	images<<<1, SIZE * SIZE>>>(texture, surface, out);
	check("texture", all_equal(out, SIZE * SIZE, [](size_t i) { return i; }));
	need(cudaMemcpy2DFromArray(host, SIZE * 4, array, 0, 0, SIZE * 4, SIZE,
				   cudaMemcpyDeviceToHost),
	     "copy back");
	check("surface", host[0] == 1 && host[63] == 64);
	hints<<<1, 32>>>(p);
	check("hints", all_equal(p, 64, [](size_t i) { return i < 32; }));
	return finish();
}
