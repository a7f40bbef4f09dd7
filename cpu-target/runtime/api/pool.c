/* SPDX-License-Identifier: Apache-2.0 */
/* Memory pools of the CUDA runtime API, and allocations in stream order. None is shared with other
 * processes. */
#include "cpu-target/runtime/memory/pool.h"
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/graph/capture.h"
#include "cpu-target/runtime/stream/stream.h"

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
	if (!pool)
		return ct_error_set(cudaErrorInvalidValue);
	*pool = ct_pool_default(device);
	return ct_api_result(*pool ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
	if (!pool)
		return ct_error_set(cudaErrorInvalidValue);
	*pool = ct_pool_current(device);
	return ct_api_result(*pool ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
	return ct_api_result(ct_pool_select(device, pool));
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties)
{
	return ct_api_result(pool && properties ? ct_pool_new(pool, properties)
						: cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
	return ct_api_result(ct_pool_delete(pool));
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
	return ct_api_result(value ? ct_pool_set(pool, attribute, value) : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
	return ct_api_result(value ? ct_pool_get(pool, attribute, value) : cudaErrorInvalidValue);
}

/* Nothing is kept that could be given back. */
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep)
{
	(void)bytes_to_keep;
	return ct_api_result(ct_pool_check(pool));
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
				 size_t count)
{
	cudaError_t error = list || !count ? cudaSuccess : cudaErrorInvalidValue;

	for (size_t i = 0; i < count && !error; i++)
		error = ct_pool_set_access(pool, &list[i]);
	return ct_api_result(error);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
				 struct cudaMemLocation *location)
{
	if (!flags || !location || location->type != cudaMemLocationTypeDevice)
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_pool_get_access(pool, location->id, flags));
}

/* Graphs have no nodes that allocate here. */
cudaError_t cudaMallocFromPoolAsync(void **address, size_t bytes, cudaMemPool_t pool,
				    cudaStream_t stream)
{
	cudaError_t error = ct_stream_check(stream);

	if (!error)
		error = ct_capture_refuse(stream);
	if (!error && !address)
		error = cudaErrorInvalidValue;
	if (!error)
		error = ct_error_sticky();
	return ct_error_set(error ? error : ct_pool_allocate(pool, address, bytes));
}

cudaError_t cudaMallocAsync(void **address, size_t bytes, cudaStream_t stream)
{
	int device = ct_stream_device(stream);

	if (device < 0)
		return ct_error_set(cudaErrorInvalidResourceHandle);
	return cudaMallocFromPoolAsync(address, bytes, ct_pool_current(device), stream);
}
