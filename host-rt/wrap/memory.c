/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped allocation calls: the real call, then the object's event (a free's event comes first). */
#include "host-rt/calls/real.h"
#include "host-rt/calls/sites.h"
#include "host-rt/events/objects.h"

static uint64_t number(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

static cudaError_t born(cudaError_t error, void *const *pointer, uint64_t bytes,
			enum ct_object_kind kind)
{
	const char *site = ct_sites_take_alloc();

	if (error == cudaSuccess && pointer)
		ct_objects_born(number(*pointer), bytes, kind, site);
	return error;
}

cudaError_t __wrap_cudaMalloc(void **pointer, size_t bytes)
{
	return born(__real_cudaMalloc(pointer, bytes), pointer, bytes, CT_OBJECT_DEVICE);
}

cudaError_t __wrap_cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
	return born(__real_cudaMallocManaged(pointer, bytes, flags), pointer, bytes,
		    CT_OBJECT_MANAGED);
}

cudaError_t __wrap_cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
	cudaError_t error = __real_cudaMallocPitch(pointer, pitch, width, height);

	return born(error, pointer, error == cudaSuccess ? *pitch * height : 0, CT_OBJECT_DEVICE);
}

cudaError_t __wrap_cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent)
{
	cudaError_t error = __real_cudaMalloc3D(pitched, extent);

	if (error != cudaSuccess)
		return born(error, NULL, 0, CT_OBJECT_DEVICE);
	return born(error, &pitched->ptr, pitched->pitch * extent.height * extent.depth,
		    CT_OBJECT_DEVICE);
}

cudaError_t __wrap_cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
	return born(__real_cudaMallocAsync(pointer, bytes, stream), pointer, bytes,
		    CT_OBJECT_DEVICE);
}

cudaError_t __wrap_cudaMallocAsync_ptsz(void **pointer, size_t bytes, cudaStream_t stream)
{
	return born(__real_cudaMallocAsync_ptsz(pointer, bytes, stream), pointer, bytes,
		    CT_OBJECT_DEVICE);
}

cudaError_t __wrap_cudaMallocHost(void **pointer, size_t bytes)
{
	return born(__real_cudaMallocHost(pointer, bytes), pointer, bytes, CT_OBJECT_HOST);
}

cudaError_t __wrap_cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
	return born(__real_cudaHostAlloc(pointer, bytes, flags), pointer, bytes, CT_OBJECT_HOST);
}

cudaError_t __wrap_cudaFree(void *pointer)
{
	ct_objects_died(number(pointer));
	return __real_cudaFree(pointer);
}

cudaError_t __wrap_cudaFreeAsync(void *pointer, cudaStream_t stream)
{
	ct_objects_died(number(pointer));
	return __real_cudaFreeAsync(pointer, stream);
}

cudaError_t __wrap_cudaFreeAsync_ptsz(void *pointer, cudaStream_t stream)
{
	ct_objects_died(number(pointer));
	return __real_cudaFreeAsync_ptsz(pointer, stream);
}

cudaError_t __wrap_cudaFreeHost(void *pointer)
{
	ct_objects_died(number(pointer));
	return __real_cudaFreeHost(pointer);
}
