/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation calls of the CUDA runtime API. */
#include "cpu-target/runtime/memory/memory.h"
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/graph/capture.h"
#include "cpu-target/runtime/memory/pool.h"
#include "cpu-target/runtime/module/symbol.h"
#include "cpu-target/runtime/stream/stream.h"
#include <stdlib.h>
#include <string.h>

#define PITCH 512u

static cudaError_t allocate(void **address, size_t bytes, enum ct_memory_kind kind, unsigned flags)
{
	cudaError_t error = ct_error_sticky();

	if (!address)
		return ct_error_set(cudaErrorInvalidValue);
	if (!error)
		error = ct_memory_allocate(address, bytes, kind, flags);
	return ct_error_set(error);
}

cudaError_t cudaMalloc(void **address, size_t bytes)
{
	return allocate(address, bytes, CT_MEMORY_DEVICE, 0);
}

cudaError_t cudaMallocManaged(void **address, size_t bytes, unsigned flags)
{
	if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
		return ct_error_set(cudaErrorInvalidValue);
	return allocate(address, bytes, CT_MEMORY_MANAGED, flags);
}

cudaError_t cudaHostAlloc(void **address, size_t bytes, unsigned flags)
{
	const unsigned known =
	    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;

	if (flags & ~known)
		return ct_error_set(cudaErrorInvalidValue);
	return allocate(address, bytes, CT_MEMORY_HOST, flags);
}

cudaError_t cudaMallocHost(void **address, size_t bytes)
{
	return cudaHostAlloc(address, bytes, cudaHostAllocDefault);
}

cudaError_t cudaMallocPitch(void **address, size_t *pitch, size_t width, size_t height)
{
	struct cudaPitchedPtr pitched;
	cudaError_t error;

	if (!address || !pitch)
		return ct_error_set(cudaErrorInvalidValue);
	error = cudaMalloc3D(&pitched, (struct cudaExtent){width, height, 1});
	if (error)
		return error;
	*address = pitched.ptr;
	*pitch = pitched.pitch;
	return cudaSuccess;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent)
{
	size_t pitch = (extent.width + PITCH - 1) & ~(size_t)(PITCH - 1);
	size_t rows, bytes;
	cudaError_t error;
	void *address;

	if (!pitched)
		return ct_error_set(cudaErrorInvalidValue);
	if (pitch < extent.width || __builtin_mul_overflow(extent.height, extent.depth, &rows) ||
	    __builtin_mul_overflow(pitch, rows, &bytes))
		return ct_error_set(cudaErrorMemoryAllocation);
	error = cudaMalloc(&address, bytes);
	if (!error)
		*pitched = (struct cudaPitchedPtr){address, pitch, extent.width, extent.height};
	return error;
}

/* Freeing waits for everything that may use the memory, as on a GPU. */
static cudaError_t release(void *address, unsigned kinds)
{
	cudaError_t error;

	if (!address)
		return ct_api_result(cudaSuccess);
	error = ct_stream_wait_all();
	if (!error)
		error = ct_memory_withdraw(address, kinds);
	if (!error) {
		ct_pool_forget(address);
		ct_memory_discard(address);
	}
	return ct_api_synchronised(error);
}

cudaError_t cudaFree(void *address)
{
	return release(address, CT_MEMORY_DEVICE | CT_MEMORY_MANAGED);
}

cudaError_t cudaFreeHost(void *address)
{
	return release(address, CT_MEMORY_HOST);
}

/* Graphs have no nodes that free here. */
static cudaError_t check_ordered(cudaStream_t stream)
{
	cudaError_t error = ct_stream_check(stream);

	return error ? error : ct_capture_refuse(stream);
}

struct free_work {
	struct ct_work work;
	void *address;
};

static void run_free(struct ct_work *work, cudaError_t device_error)
{
	(void)device_error;
	ct_memory_discard(((struct free_work *)work)->address);
}

cudaError_t cudaFreeAsync(void *address, cudaStream_t stream)
{
	cudaError_t error = check_ordered(stream);
	struct free_work *work;

	if (error || !address)
		return ct_api_result(error);
	work = calloc(1, sizeof(*work));
	if (!work)
		return ct_error_set(cudaErrorMemoryAllocation);
	work->work.run = run_free;
	work->address = address;
	error = ct_memory_withdraw(address, CT_MEMORY_DEVICE | CT_MEMORY_MANAGED);
	if (!error) {
		ct_pool_forget(address);
		error = ct_stream_submit(stream, &work->work, NULL, NULL);
	}
	if (error)
		free(work);
	return ct_api_result(error);
}

cudaError_t cudaHostRegister(void *address, size_t bytes, unsigned flags)
{
	if (!address || !bytes)
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_memory_register(address, bytes, flags));
}

cudaError_t cudaHostUnregister(void *address)
{
	if (ct_memory_withdraw(address, CT_MEMORY_REGISTERED))
		return ct_error_set(cudaErrorHostMemoryNotRegistered);
	return ct_api_result(cudaSuccess);
}

static int is_pinned(const struct ct_allocation *allocation)
{
	return allocation->kind == CT_MEMORY_HOST || allocation->kind == CT_MEMORY_REGISTERED;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
	struct ct_allocation allocation = ct_memory_find(host);

	if (!device || flags || !is_pinned(&allocation))
		return ct_error_set(cudaErrorInvalidValue);
	*device = host;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
	struct ct_allocation allocation = ct_memory_find(host);

	if (!flags || !is_pinned(&allocation))
		return ct_error_set(cudaErrorInvalidValue);
	*flags = allocation.flags | cudaHostAllocMapped;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *address)
{
	struct ct_allocation allocation = ct_memory_find(address);
	void *pointer = (void *)address;

	if (!attributes)
		return ct_error_set(cudaErrorInvalidValue);
	memset(attributes, 0, sizeof(*attributes));
	attributes->hostPointer = allocation.kind == CT_MEMORY_DEVICE ? NULL : pointer;
	attributes->devicePointer = allocation.kind == CT_MEMORY_UNKNOWN ? NULL : pointer;
	attributes->device = allocation.kind == CT_MEMORY_UNKNOWN ? -2 : allocation.device;
	if (allocation.kind == CT_MEMORY_UNKNOWN)
		attributes->type = cudaMemoryTypeUnregistered;
	else if (allocation.kind == CT_MEMORY_DEVICE)
		attributes->type = cudaMemoryTypeDevice;
	else if (allocation.kind == CT_MEMORY_MANAGED)
		attributes->type = cudaMemoryTypeManaged;
	else
		attributes->type = cudaMemoryTypeHost;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
	size_t free_now, total_now;

	ct_memory_room(&free_now, &total_now);
	if (free_bytes)
		*free_bytes = free_now;
	if (total_bytes)
		*total_bytes = total_now;
	return ct_api_result(cudaSuccess);
}

/* Managed memory is where it always is; only the arguments can be wrong. */
static cudaError_t check_managed(const void *address, size_t bytes)
{
	struct ct_allocation allocation = ct_memory_find(address);

	if (!bytes || allocation.kind != CT_MEMORY_MANAGED ||
	    bytes > allocation.bytes - (size_t)((const char *)address - allocation.address))
		return cudaErrorInvalidValue;
	return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *address, size_t bytes, struct cudaMemLocation location,
				 unsigned flags, cudaStream_t stream)
{
	cudaError_t error = ct_stream_check(stream);

	(void)location;
	if (!error && flags)
		error = cudaErrorInvalidValue;
	return ct_api_result(error ? error : check_managed(address, bytes));
}

cudaError_t cudaMemAdvise(const void *address, size_t bytes, enum cudaMemoryAdvise advice,
			  struct cudaMemLocation location)
{
	(void)advice, (void)location;
	return ct_api_result(check_managed(address, bytes));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *address, size_t bytes,
				     unsigned flags)
{
	cudaError_t error = ct_stream_check(stream);
	struct ct_allocation allocation = ct_memory_find(address);

	(void)bytes;
	if (!error && (allocation.kind != CT_MEMORY_MANAGED || !flags || flags > 4))
		error = cudaErrorInvalidValue;
	return ct_api_result(error);
}
