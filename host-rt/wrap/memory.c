/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations: the real call, then the object's event. Of a free the event comes first. */
#include "host-rt/calls/sites.h"
#include "host-rt/events/objects.h"
#include "host-rt/wrap/do.h"

static uint64_t number(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

static cudaError_t born(const struct ct_call *call, cudaError_t error, void *const *pointer,
			uint64_t bytes, enum ct_object_kind kind)
{
	const char *site = ct_sites_take_alloc(call);

	if (error == cudaSuccess && pointer)
		ct_objects_born(number(*pointer), bytes, kind, site);
	return error;
}

cudaError_t ct_do_cudaMalloc(const struct ct_call *call, void **pointer, size_t bytes)
{
	return born(call, ct_real_cudaMalloc(call, pointer, bytes), pointer, bytes,
		    CT_OBJECT_DEVICE);
}

cudaError_t ct_do_cudaMallocManaged(const struct ct_call *call, void **pointer, size_t bytes,
				    unsigned flags)
{
	return born(call, ct_real_cudaMallocManaged(call, pointer, bytes, flags), pointer, bytes,
		    CT_OBJECT_MANAGED);
}

cudaError_t ct_do_cudaMallocPitch(const struct ct_call *call, void **pointer, size_t *pitch,
				  size_t width, size_t height)
{
	cudaError_t error = ct_real_cudaMallocPitch(call, pointer, pitch, width, height);

	return born(call, error, pointer, error == cudaSuccess ? *pitch * height : 0,
		    CT_OBJECT_DEVICE);
}

cudaError_t ct_do_cudaMalloc3D(const struct ct_call *call, struct cudaPitchedPtr *pitched,
			       struct cudaExtent extent)
{
	cudaError_t error = ct_real_cudaMalloc3D(call, pitched, extent);

	if (error != cudaSuccess)
		return born(call, error, NULL, 0, CT_OBJECT_DEVICE);
	return born(call, error, &pitched->ptr, pitched->pitch * extent.height * extent.depth,
		    CT_OBJECT_DEVICE);
}

cudaError_t ct_do_cudaMallocAsync(const struct ct_call *call, void **pointer, size_t bytes,
				  cudaStream_t stream)
{
	return born(call, ct_real_cudaMallocAsync(call, pointer, bytes, stream), pointer, bytes,
		    CT_OBJECT_DEVICE);
}

cudaError_t ct_do_cudaMallocFromPoolAsync(const struct ct_call *call, void **pointer, size_t bytes,
					  cudaMemPool_t pool, cudaStream_t stream)
{
	return born(call, ct_real_cudaMallocFromPoolAsync(call, pointer, bytes, pool, stream),
		    pointer, bytes, CT_OBJECT_DEVICE);
}

cudaError_t ct_do_cudaMallocHost(const struct ct_call *call, void **pointer, size_t bytes)
{
	return born(call, ct_real_cudaMallocHost(call, pointer, bytes), pointer, bytes,
		    CT_OBJECT_HOST);
}

cudaError_t ct_do_cudaHostAlloc(const struct ct_call *call, void **pointer, size_t bytes,
				unsigned flags)
{
	return born(call, ct_real_cudaHostAlloc(call, pointer, bytes, flags), pointer, bytes,
		    CT_OBJECT_HOST);
}

cudaError_t ct_do_cudaFree(const struct ct_call *call, void *pointer)
{
	ct_objects_died(number(pointer));
	return ct_real_cudaFree(call, pointer);
}

cudaError_t ct_do_cudaFreeAsync(const struct ct_call *call, void *pointer, cudaStream_t stream)
{
	ct_objects_died(number(pointer));
	return ct_real_cudaFreeAsync(call, pointer, stream);
}

cudaError_t ct_do_cudaFreeHost(const struct ct_call *call, void *pointer)
{
	ct_objects_died(number(pointer));
	return ct_real_cudaFreeHost(call, pointer);
}
