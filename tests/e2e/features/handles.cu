/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels by handle: function pointers, the runtime's handles, the driver API. */
// construct: launch through a function pointer
// construct: launch by cudaLaunchKernel
// construct: launch by a handle of the runtime
// construct: launch by the driver API
// construct: dynamic shared memory beyond the default limit
// construct: attributes of a kernel
// construct: occupancy queries
#include "feature.h"
#include <cuda.h>

enum { N = 128 };

__global__ void add(int *data, int value)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] += value;
}

__global__ void __launch_bounds__(64) dynamic(int *data, int count)
{
	extern __shared__ int shared[];

	for (int i = threadIdx.x; i < count; i += blockDim.x)
		shared[i] = i;
	__syncthreads();
	for (int i = threadIdx.x; i < count; i += blockDim.x)
		atomicAdd(data, shared[count - 1 - i]);
}

static void launches(int *data)
{
	void (*pointer)(int *, int) = add;
	int value = 2, expected = 0;
	void *args[] = {&data, &value};
	cudaFunction_t function;
	CUlaunchConfig config = {};

	auto is = [&](int added) {
		expected += added;
		return all_equal(data, N, [=](size_t) { return expected; });
	};

	pointer<<<2, N / 2>>>(data, 1);
	check("function pointer", is(1));
	need(cudaLaunchKernel((void *)add, dim3(2), dim3(N / 2), args, 0, 0), "cudaLaunchKernel");
	check("cudaLaunchKernel", is(2));
	need(cudaGetFuncBySymbol(&function, (void *)add), "cudaGetFuncBySymbol");
	check("cuLaunchKernel", cuLaunchKernel((CUfunction)function, 2, 1, 1, N / 2, 1, 1, 0, 0,
					       args, NULL) == CUDA_SUCCESS &&
				    is(2));
	config.gridDimX = 4;
	config.blockDimX = N / 4;
	config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
	check("cuLaunchKernelEx",
	      cuLaunchKernelEx(&config, (CUfunction)function, args, NULL) == CUDA_SUCCESS && is(2));
}

// Arguments in one buffer, each at its alignment.
struct Part {
	double a[5];
	char c;
};

__global__ void spread(int *out, char c, double d, Part part, short s, int4 v)
{
	out[0] = c + (int)d;
	out[1] = (int)part.a[4] + part.c;
	out[2] = s;
	out[3] = v.w;
}

static void packed(int *data)
{
	struct {
		int *out;
		char c;
		double d;
		Part part;
		short s;
		int4 v;
	} all = {data, 7, 8.5, {{1, 2, 3, 4, 5}, 9}, -3, {1, 2, 3, 4}};
	size_t bytes = sizeof(all), few = 8;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &all, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
			 CU_LAUNCH_PARAM_END};
	void *args[] = {&all.out, &all.c, &all.d, &all.part, &all.s, &all.v};
	cudaFunction_t function;
	CUlaunchConfig config = {};

	auto is = [&] {
		const int wanted[] = {15, 14, -3, 4};
		bool equal = all_equal(data, 4, [&](size_t i) { return wanted[i]; });

		need(cudaMemset(data, 0, 4 * sizeof(int)), "cudaMemset");
		return equal;
	};
	auto launch = [&](void **arguments, void **more) {
		return cuLaunchKernel((CUfunction)function, 1, 1, 1, 1, 1, 1, 0, 0, arguments,
				      more);
	};

	config.gridDimX = config.gridDimY = config.gridDimZ = 1;
	config.blockDimX = config.blockDimY = config.blockDimZ = 1;
	need(cudaGetFuncBySymbol(&function, (void *)spread), "cudaGetFuncBySymbol");
	check("packed", launch(NULL, extra) == CUDA_SUCCESS && is());
	check("packed, configured",
	      cuLaunchKernelEx(&config, (CUfunction)function, NULL, extra) == CUDA_SUCCESS && is());
	check("both", launch(args, extra) == CUDA_ERROR_INVALID_VALUE);
	extra[3] = &few;
	check("fewer bytes", launch(NULL, extra) == CUDA_SUCCESS); /* what is left is anything */
}

static void attributes(int *data)
{
	enum { BYTES = 96 << 10, COUNT = BYTES / 4 };
	cudaFuncAttributes asked;
	cudaFunction_t function;
	int blocks, value, most = 0, block = 0;

	need(cudaFuncGetAttributes(&asked, dynamic), "cudaFuncGetAttributes");
	check("launch bounds", asked.maxThreadsPerBlock == 64);
	need(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES),
	     "cudaFuncSetAttribute");
	need(cudaMemset(data, 0, sizeof(int)), "cudaMemset");
	dynamic<<<1, 64, BYTES>>>(data, COUNT);
	check("opted in",
	      all_equal(data, 1, [](size_t) { return (int)((long long)COUNT * (COUNT - 1) / 2); }));
	need(cudaGetFuncBySymbol(&function, (void *)dynamic), "cudaGetFuncBySymbol");
	check("cuFuncGetAttribute",
	      cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
				 (CUfunction)function) == CUDA_SUCCESS &&
		  value == BYTES);
	need(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 64, BYTES),
	     "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
	check("occupancy", blocks == 2);
	need(cudaOccupancyMaxPotentialBlockSize(&most, &block, dynamic, 0, 0), "BlockSize");
	check("best block size", block == 64 && most > 0);
}

int main()
{
	int *data = device_array<int>(N);

	launches(data);
	packed(data);
	attributes(data);
	return finish();
}
