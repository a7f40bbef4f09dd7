/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel attributes and occupancy. */
#include "api.h"
#include "exec.h"
#include "launch.h"
#include "symbol.h"
#include <string.h>

#define REGISTERS 32 /* what a compiler for sm_90 would give a small kernel */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *stub)
{
	struct ct_function *function;
	cudaError_t error;

	if (!attributes)
		return ct_error_set(cudaErrorInvalidValue);
	error = ct_symbol_function(stub, &function);
	if (error)
		return ct_error_set(error);
	memset(attributes, 0, sizeof(*attributes));
	attributes->sharedSizeBytes = function->kernel->static_shared_bytes;
	attributes->maxThreadsPerBlock = (int)function->kernel->max_threads;
	attributes->numRegs = REGISTERS;
	attributes->ptxVersion = 90;
	attributes->binaryVersion = 90;
	attributes->maxDynamicSharedSizeBytes = (int)function->max_dynamic_shared_bytes;
	attributes->preferredShmemCarveout = function->carveout;
	return ct_api_result(cudaSuccess);
}

static cudaError_t set_dynamic_shared(struct ct_function *function, int bytes)
{
	int64_t limit = (int64_t)CT_SHARED_BYTES_OPTIN - function->kernel->static_shared_bytes;

	if (bytes < 0 || bytes > limit)
		return cudaErrorInvalidValue;
	__atomic_store_n(&function->max_dynamic_shared_bytes, (uint32_t)bytes, __ATOMIC_RELAXED);
	return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *stub, enum cudaFuncAttribute attribute, int value)
{
	struct ct_function *function;

	if (ct_symbol_function(stub, &function))
		return ct_error_set(cudaErrorInvalidResourceHandle);
	switch (attribute) {
	case cudaFuncAttributeMaxDynamicSharedMemorySize:
		return ct_api_result(set_dynamic_shared(function, value));
	case cudaFuncAttributePreferredSharedMemoryCarveout:
		if (value < -1 || value > 100)
			return ct_error_set(cudaErrorInvalidValue);
		function->carveout = value;
		return ct_api_result(cudaSuccess);
	default:
		return ct_error_set(cudaErrorInvalidValue);
	}
}

cudaError_t cudaFuncSetCacheConfig(const void *stub, enum cudaFuncCache preference)
{
	struct ct_function *function;

	if (preference < cudaFuncCachePreferNone || preference > cudaFuncCachePreferEqual)
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_symbol_function(stub, &function));
}

cudaError_t cudaFuncGetName(const char **name, const void *stub)
{
	struct ct_function *function;
	cudaError_t error = ct_symbol_function(stub, &function);

	if (!name)
		return ct_error_set(cudaErrorInvalidValue);
	if (!error)
		*name = function->name;
	return ct_api_result(error);
}

/* ---- occupancy ---- */

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *stub,
								   int threads,
								   size_t dynamic_shared_bytes,
								   unsigned flags)
{
	struct ct_function *function;
	cudaError_t error = ct_symbol_function(stub, &function);

	if (error)
		return ct_error_set(error);
	if (!blocks || threads <= 0 || flags > cudaOccupancyDisableCachingOverride)
		return ct_error_set(cudaErrorInvalidValue);
	*blocks = 0;
	/* Launch bounds do not count here, as with CUDA. */
	if (threads <= 1024 && dynamic_shared_bytes <= function->max_dynamic_shared_bytes)
		*blocks = ct_launch_occupancy((unsigned)threads,
					      dynamic_shared_bytes +
						  function->kernel->static_shared_bytes);
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub,
							  int threads, size_t dynamic_shared_bytes)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	    blocks, stub, threads, dynamic_shared_bytes, cudaOccupancyDefault);
}
