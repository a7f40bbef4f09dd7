/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel attributes and occupancy. */
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/exec/exec.h"
#include "cpu-target/runtime/launch/launch.h"
#include "cpu-target/runtime/module/symbol.h"
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
	attributes->clusterDimMustBeSet = function->cluster.x != 0;
	attributes->requiredClusterWidth = (int)function->cluster.x;
	attributes->requiredClusterHeight = (int)function->cluster.y;
	attributes->requiredClusterDepth = (int)function->cluster.z;
	attributes->nonPortableClusterSizeAllowed = (int)function->wide_clusters;
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

static cudaError_t set_cluster(unsigned *blocks, int value)
{
	if (value < 0 || value > CT_CLUSTER_BLOCKS_MAX)
		return cudaErrorInvalidValue;
	*blocks = (unsigned)value;
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
	case cudaFuncAttributeRequiredClusterWidth:
		return ct_api_result(set_cluster(&function->cluster.x, value));
	case cudaFuncAttributeRequiredClusterHeight:
		return ct_api_result(set_cluster(&function->cluster.y, value));
	case cudaFuncAttributeRequiredClusterDepth:
		return ct_api_result(set_cluster(&function->cluster.z, value));
	case cudaFuncAttributeNonPortableClusterSizeAllowed:
		function->wide_clusters = value != 0;
		return ct_api_result(cudaSuccess);
	case cudaFuncAttributeClusterSchedulingPolicyPreference: /* a hint */
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

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *stub, int blocks,
						      int threads)
{
	struct ct_function *function;
	cudaError_t error = ct_symbol_function(stub, &function);
	size_t share;

	if (error)
		return ct_error_set(error);
	if (!bytes || blocks <= 0 || threads <= 0 || threads > 1024)
		return ct_error_set(cudaErrorInvalidValue);
	share = ct_launch_shared_share((unsigned)blocks);
	if (share > CT_SHARED_BYTES_OPTIN)
		share = CT_SHARED_BYTES_OPTIN;
	*bytes = share > function->kernel->static_shared_bytes
		     ? share - function->kernel->static_shared_bytes
		     : 0;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *stub,
						 const cudaLaunchConfig_t *config)
{
	struct ct_function *function;
	cudaError_t error = ct_symbol_function(stub, &function);

	if (error)
		return ct_error_set(error);
	if (!blocks || !config)
		return ct_error_set(cudaErrorInvalidValue);
	*blocks = function->wide_clusters ? CT_CLUSTER_BLOCKS_MAX : CT_CLUSTER_BLOCKS_PORTABLE;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *stub,
					   const cudaLaunchConfig_t *config)
{
	struct ct_launch_request request = {.stub = stub};
	unsigned size;
	int blocks;
	cudaError_t error;

	if (!clusters || !config)
		return ct_error_set(cudaErrorInvalidValue);
	ct_launch_apply_attributes(&request, config->attrs, config->numAttrs);
	size = request.cluster.x ? request.cluster.x * request.cluster.y * request.cluster.z : 1;
	error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	    &blocks, stub, (int)(config->blockDim.x * config->blockDim.y * config->blockDim.z),
	    config->dynamicSmemBytes);
	if (!error)
		*clusters = (int)((unsigned)blocks * ct_cpu_worker_count() / size);
	return error;
}
