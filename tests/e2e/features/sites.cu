/* SPDX-License-Identifier: Apache-2.0 */
/* Objects and launches, each by another way of saying so; some whose place cannot be known. */
#include "feature.h"

__global__ void one(int *p)
{
	*p = 1;
}
__global__ void two(int *p)
{
	*p = 2;
}
__global__ void three(int *p)
{
	*p = 3;
}
__global__ void four(int *p)
{
	*p = 4;
}
__global__ void five(int *p)
{
	*p = 5;
}

static unsigned thrown()
{
	throw 1;
}

/* A note for a call that then is not made shall not be taken for the place of another. */
static void allocate()
{
	static char registered[4096];
	struct cudaPitchedPtr pitched;
	cudaStream_t stream;
	int *plain, *pinned, *managed, *ordered, *never, *somewhere;
	void *as_void, *pinned_void;
	cudaError_t (*by_pointer)(void **, size_t, unsigned) = cudaMallocManaged;

	need(cudaStreamCreate(&stream), "cudaStreamCreate");
	need(cudaMalloc(&plain, 64), "cudaMalloc");
	need(cudaMalloc(&as_void, 128), "cudaMalloc");
	need(cudaMallocHost(&pinned, 192), "cudaMallocHost");
	need(cudaMallocHost(&pinned_void, 256), "cudaMallocHost");
	need(cudaMallocManaged(&managed, 320), "cudaMallocManaged");
	need(cudaMallocAsync(&ordered, 384, stream), "cudaMallocAsync");
	need(cudaHostRegister(registered, sizeof(registered), 0), "cudaHostRegister");
	need(cudaHostUnregister(registered), "cudaHostUnregister");
	try {
		cudaMallocManaged(&never, 448, thrown());
	} catch (int) {
	}
	need(cudaMalloc3D(&pitched, make_cudaExtent(512, 1, 1)), "cudaMalloc3D");
	try {
		cudaMallocManaged(&never, 576, thrown());
	} catch (int) {
	}
	need(cudaMalloc(&plain, 640), "cudaMalloc");
	need(by_pointer((void **)&somewhere, 704, cudaMemAttachGlobal), "by pointer");
}

static void launch(int *p)
{
	cudaLaunchConfig_t config = {};
	void *arguments[] = {&p};
	cudaError_t (*by_pointer)(const void *, dim3, dim3, void **, size_t, cudaStream_t) =
	    cudaLaunchKernel;

	config.gridDim = config.blockDim = dim3(1);
	one<<<1, 1>>>(p);
	need(cudaLaunchKernel(two, dim3(1), dim3(1), arguments, 0, nullptr), "cudaLaunchKernel");
	need(cudaLaunchKernelEx(&config, three, p), "cudaLaunchKernelEx");
	need(cudaLaunchCooperativeKernel(four, dim3(1), dim3(1), arguments),
	     "cudaLaunchCooperativeKernel");
	need(by_pointer((const void *)five, dim3(1), dim3(1), arguments, 0, nullptr), "by pointer");
}

int main()
{
	int *p = device_array<int>(1);

	allocate();
	launch(p);
	return finish();
}
