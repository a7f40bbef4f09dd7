/* SPDX-License-Identifier: Apache-2.0 */
/* Copies from and to arrays: the trace tells the side that has addresses. Copies in batches. */
#include "feature.h"

enum { N = 256, BYTES = 4096, WIDTH = 16, HEIGHT = 8 };

__global__ void add(int *data)
{
	data[threadIdx.x] += 1;
}

static char host[BYTES];

static void arrays(char *a, char *b, cudaStream_t stream)
{
	cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
	cudaMemcpy3DParms box = {};
	cudaArray_t array, other;

	need(cudaMallocArray(&array, &format, WIDTH, HEIGHT), "cudaMallocArray");
	need(cudaMallocArray(&other, &format, WIDTH, HEIGHT), "cudaMallocArray");
	need(cudaMemcpy2DToArray(array, 4, 1, a, 64, 48, 6, cudaMemcpyDeviceToDevice), "2D");
	need(cudaMemcpy2DToArrayAsync(array, 0, 0, a, 64, 32, 5, cudaMemcpyDeviceToDevice, stream),
	     "2D async");
	need(cudaMemcpy2DFromArray(b, 128, array, 0, 0, 40, 4, cudaMemcpyDeviceToDevice), "2D");
	need(cudaMemcpy2DFromArrayAsync(b, 128, array, 0, 0, 44, 3, cudaMemcpyDeviceToDevice,
					stream),
	     "2D async");
	need(cudaMemcpy2DFromArray(host, 64, array, 0, 0, 60, 2, cudaMemcpyDeviceToHost), "2D");
	need(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, 64, 8, cudaMemcpyDeviceToDevice),
	     "from array to array");
	/* an extent in elements of the array */
	box.srcPtr = make_cudaPitchedPtr(a, 64, 64, 8);
	box.dstArray = array;
	box.extent = make_cudaExtent(10, 4, 1);
	box.kind = cudaMemcpyDeviceToDevice;
	need(cudaMemcpy3D(&box), "cudaMemcpy3D");
}

static void between(char *a, char *b, cudaStream_t stream)
{
	cudaMemcpy3DPeerParms box = {};

	box.srcPtr = make_cudaPitchedPtr(a, 64, 64, 8);
	box.dstPtr = make_cudaPitchedPtr(b, 32, 32, 8);
	box.extent = make_cudaExtent(20, 4, 2);
	need(cudaMemcpy3DPeer(&box), "cudaMemcpy3DPeer");
	need(cudaMemcpy3DPeerAsync(&box, stream), "cudaMemcpy3DPeerAsync");
}

static void batch(char *a, char *b, cudaStream_t stream)
{
	void *targets[] = {a, a + 512};
	const void *sources[] = {b, b + 1024};
	size_t bytes[] = {100, 200}, first = 0;
	cudaMemcpyAttributes attributes = {};

	attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
	need(cudaMemcpyBatchAsync(targets, sources, bytes, 2, &attributes, &first, 1, stream),
	     "cudaMemcpyBatchAsync");
}

int main()
{
	char *a, *b;
	cudaStream_t stream;

	need(cudaMalloc((void **)&a, BYTES), "cudaMalloc");
	need(cudaMalloc((void **)&b, BYTES), "cudaMalloc");
	need(cudaStreamCreate(&stream), "cudaStreamCreate");
	arrays(a, b, stream);
	between(a, b, stream);
	batch(a, b, stream);
	add<<<1, N>>>((int *)a);
	return finish();
}
