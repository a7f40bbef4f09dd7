/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels launched by handles that the CUDA runtime gave out. */
#include "feature.h"
#include <cuda.h>

// construct: launch by a handle of the runtime
// construct: launch by the driver API

static const int N = 500;

__global__ void increment(int *data, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] += 1;
}

/* As a program gets the driver's calls without linking its library. */
template <typename Function> Function driver_call(const char *name)
{
	cudaDriverEntryPointQueryResult found;
	void *function = NULL;

	need(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found),
	     name);
	return (Function)function;
}

static bool all_are(const int *data, int value)
{
	return all_equal(data, N, [=](size_t) { return value; });
}

int main()
{
	int *data = device_array<int>(N), n = N;
	void *arguments[] = {&data, &n};
	cudaFunction_t function;
	cudaKernel_t kernel;
	CUfunction of_kernel;

	need(cudaGetFuncBySymbol(&function, (const void *)increment), "cudaGetFuncBySymbol");
	need(cudaGetKernel(&kernel, (const void *)increment), "cudaGetKernel");

	cudaLaunchConfig_t config = {};
	config.gridDim = dim3(2);
	config.blockDim = dim3(256);
	need(cudaLaunchKernelExC(&config, (const void *)kernel, arguments), "by kernel handle");
	check("kernel-handle", all_are(data, 1));

	auto launch = driver_call<decltype(&cuLaunchKernel)>("cuLaunchKernel");
	check("function-handle", launch((CUfunction)function, 2, 1, 1, 256, 1, 1, 0, 0, arguments,
					NULL) == CUDA_SUCCESS &&
				     all_are(data, 2));
	check("kernel-as-function", launch((CUfunction)kernel, 2, 1, 1, 256, 1, 1, 0, 0, arguments,
					   NULL) == CUDA_SUCCESS &&
					all_are(data, 3));

	auto get_function = driver_call<decltype(&cuKernelGetFunction)>("cuKernelGetFunction");
	check("function-of-kernel",
	      get_function(&of_kernel, (CUkernel)kernel) == CUDA_SUCCESS &&
		  launch(of_kernel, 2, 1, 1, 256, 1, 1, 0, 0, arguments, NULL) == CUDA_SUCCESS &&
		  all_are(data, 4));

	auto launch_ex = driver_call<decltype(&cuLaunchKernelEx)>("cuLaunchKernelEx");
	CUlaunchConfig driver_config = {};
	driver_config.gridDimX = 2;
	driver_config.gridDimY = driver_config.gridDimZ = 1;
	driver_config.blockDimX = 256;
	driver_config.blockDimY = driver_config.blockDimZ = 1;
	check("configured",
	      launch_ex(&driver_config, (CUfunction)function, arguments, NULL) == CUDA_SUCCESS &&
		  all_are(data, 5));

	auto cooperative =
	    driver_call<decltype(&cuLaunchCooperativeKernel)>("cuLaunchCooperativeKernel");
	check("cooperative", cooperative((CUfunction)function, 2, 1, 1, 256, 1, 1, 0, 0,
					 arguments) == CUDA_SUCCESS &&
				 all_are(data, 6));

	/* The driver says where the parameters of a packed buffer stand. */
	struct {
		int *data;
		int n;
	} packed = {data, N};
	size_t bytes = offsetof(decltype(packed), n) + sizeof(packed.n); /* without padding */
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE,
			 &bytes, CU_LAUNCH_PARAM_END};
	check("packed",
	      launch((CUfunction)function, 2, 1, 1, 256, 1, 1, 0, 0, NULL, extra) == CUDA_SUCCESS &&
		  all_are(data, 7));
	return finish();
}
