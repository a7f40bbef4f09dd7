/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver API as far as programs of the runtime API use it: devices, the
 * context, launches and attributes of functions they got from the runtime. A
 * function's and a kernel's handle is the address of its stub.
 */
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/api/packed.h"
#include "cpu-target/runtime/api/submit.h"
#include "cpu-target/runtime/base/device.h"
#include "cpu-target/runtime/launch/launch.h"
#include "cpu-target/runtime/module/symbol.h"
#include "cpu-target/runtime/stream/stream.h"
#include <cuda.h>
#include <stdlib.h>
#include <string.h>

static char context_object; /* its address is the handle of the only context */

#define CONTEXT ((CUcontext)(void *)&context_object)

/* Both APIs number errors alike, but for this one. */
static CUresult result_of(cudaError_t error)
{
	return error == cudaErrorInvalidDeviceFunction ? CUDA_ERROR_INVALID_HANDLE
						       : (CUresult)error;
}

/* Handles are those of the runtime API. */

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *stub)
{
	struct ct_function *found;
	cudaError_t error = ct_symbol_function(stub, &found);

	if (!function)
		return ct_error_set(cudaErrorInvalidValue);
	if (!error)
		*function = (cudaFunction_t)(void *)stub;
	return ct_api_result(error);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *stub)
{
	return cudaGetFuncBySymbol((cudaFunction_t *)kernel, stub);
}

CUresult cuInit(unsigned flags)
{
	return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
	return result_of(cudaDriverGetVersion(version));
}

CUresult cuDeviceGetCount(int *count)
{
	return result_of(cudaGetDeviceCount(count));
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	*device = ordinal;
	return ordinal ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
	struct cudaDeviceProp properties;
	cudaError_t error = cudaGetDeviceProperties(&properties, device);

	if (error)
		return result_of(error);
	if (!name || bytes <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	strncpy(name, properties.name, (size_t)bytes);
	name[bytes - 1] = '\0';
	return CUDA_SUCCESS;
}

/* Attributes have the same numbers in both APIs. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	return result_of(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
	return result_of(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
	size_t free_bytes;

	if (!bytes)
		return CUDA_ERROR_INVALID_VALUE;
	return device < 0 || device >= ct_device_number()
		   ? CUDA_ERROR_INVALID_DEVICE
		   : result_of(cudaMemGetInfo(&free_bytes, bytes));
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	*context = CONTEXT;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	return context && context != CONTEXT ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

/* There is one context, and it is always current: below it and above it is itself. */
CUresult cuCtxPushCurrent(CUcontext context)
{
	return context ? cuCtxSetCurrent(context) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
	return context ? cuCtxGetCurrent(context) : CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
	return result_of(cudaGetDevice(device));
}

CUresult cuCtxSynchronize(void)
{
	return result_of(cudaDeviceSynchronize());
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE : cuCtxGetCurrent(context);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
	int device;
	cudaError_t error = cudaStreamGetDevice(stream, &device);

	return error ? result_of(error) : cuCtxGetCurrent(context);
}

CUresult cuStreamSynchronize(CUstream stream)
{
	return result_of(cudaStreamSynchronize(stream));
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
	*name = cudaGetErrorName((cudaError_t)error);
	return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
	*text = cudaGetErrorString((cudaError_t)error);
	return CUDA_SUCCESS;
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
	return result_of(cudaGetFuncBySymbol((cudaFunction_t *)function, (const void *)kernel));
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
	return result_of(cudaFuncGetName(name, (const void *)function));
}

CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
	return result_of(cudaFuncGetName(name, (const void *)kernel));
}

static int value_of(const struct cudaFuncAttributes *a, CUfunction_attribute attribute, int *value)
{
	switch (attribute) {
#define CASE(name, member)                                                                         \
	case CU_FUNC_ATTRIBUTE_##name:                                                             \
		*value = (int)a->member;                                                           \
		return 0;
		CASE(MAX_THREADS_PER_BLOCK, maxThreadsPerBlock)
		CASE(SHARED_SIZE_BYTES, sharedSizeBytes)
		CASE(CONST_SIZE_BYTES, constSizeBytes)
		CASE(LOCAL_SIZE_BYTES, localSizeBytes)
		CASE(NUM_REGS, numRegs)
		CASE(PTX_VERSION, ptxVersion)
		CASE(BINARY_VERSION, binaryVersion)
		CASE(CACHE_MODE_CA, cacheModeCA)
		CASE(MAX_DYNAMIC_SHARED_SIZE_BYTES, maxDynamicSharedSizeBytes)
		CASE(PREFERRED_SHARED_MEMORY_CARVEOUT, preferredShmemCarveout)
		CASE(CLUSTER_SIZE_MUST_BE_SET, clusterDimMustBeSet)
		CASE(REQUIRED_CLUSTER_WIDTH, requiredClusterWidth)
		CASE(REQUIRED_CLUSTER_HEIGHT, requiredClusterHeight)
		CASE(REQUIRED_CLUSTER_DEPTH, requiredClusterDepth)
		CASE(NON_PORTABLE_CLUSTER_SIZE_ALLOWED, nonPortableClusterSizeAllowed)
		CASE(CLUSTER_SCHEDULING_POLICY_PREFERENCE, clusterSchedulingPolicyPreference)
#undef CASE
	default:
		return -1;
	}
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
	struct cudaFuncAttributes attributes;
	cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)function);

	if (error)
		return result_of(error);
	return value && value_of(&attributes, attribute, value) == 0 ? CUDA_SUCCESS
								     : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel,
			      CUdevice device)
{
	return device ? CUDA_ERROR_INVALID_DEVICE
		      : cuFuncGetAttribute(value, attribute, (CUfunction)kernel);
}

/* Attributes that can be set have the same numbers in both APIs. */
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
	return result_of(
	    cudaFuncSetAttribute((const void *)function, (enum cudaFuncAttribute)attribute, value));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
						     size_t dynamic_shared_bytes)
{
	return result_of(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	    blocks, (const void *)function, threads, dynamic_shared_bytes));
}

static CUresult submit(struct ct_launch_request *request, void **extra)
{
	void **unpacked = NULL;
	CUresult result = CUDA_SUCCESS;

	if (extra && request->args)
		result = CUDA_ERROR_INVALID_VALUE;
	else if (extra)
		result = ct_packed_arguments(request->stub, extra, &unpacked);
	if (unpacked)
		request->args = unpacked;
	if (result == CUDA_SUCCESS)
		result = result_of(ct_error_set(ct_submit_launch(request)));
	free(unpacked);
	return result;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
			unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
			CUstream stream, void **args, void **extra)
{
	struct ct_launch_request request = {
	    .stub = (const void *)function,
	    .grid = {grid_x, grid_y, grid_z},
	    .block = {block_x, block_y, block_z},
	    .dynamic_shared_bytes = shared_bytes,
	    .stream = stream,
	    .args = args,
	};

	return submit(&request, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
				   unsigned grid_z, unsigned block_x, unsigned block_y,
				   unsigned block_z, unsigned shared_bytes, CUstream stream,
				   void **args)
{
	struct ct_launch_request request = {
	    .stub = (const void *)function,
	    .grid = {grid_x, grid_y, grid_z},
	    .block = {block_x, block_y, block_z},
	    .dynamic_shared_bytes = shared_bytes,
	    .cooperative = 1,
	    .stream = stream,
	    .args = args,
	};

	return submit(&request, NULL);
}

/* Launch attributes are the same type in both APIs. */
_Static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute), "launch attributes");

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **args,
			  void **extra)
{
	struct ct_launch_request request;

	if (!config || (config->numAttrs && !config->attrs))
		return CUDA_ERROR_INVALID_VALUE;
	request = (struct ct_launch_request){
	    .stub = (const void *)function,
	    .grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
	    .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
	    .dynamic_shared_bytes = config->sharedMemBytes,
	    .stream = config->hStream,
	    .args = args,
	};
	ct_launch_apply_attributes(&request, (const cudaLaunchAttribute *)config->attrs,
				   config->numAttrs);
	return submit(&request, extra);
}
