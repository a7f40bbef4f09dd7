/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations: the real call, then the object's event. Of a free the event comes first. */
#include "host-rt/calls/sites.h"
#include "host-rt/events/objects.h"
#include "host-rt/events/refused.h"
#include "host-rt/watch/watch.h"
#include "host-rt/wrap/do.h"
#include "trace/codec/site.h"
#include "unwind/unwind.h"
#include <cudatrace/host.h>
#include <string.h>

static uint64_t number(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

/* Who allocates, where the site alone does not say. */
static uint32_t stack_of(const struct ct_call *call, const char *site)
{
	char passed_on[sizeof(CT_SITE_PASSED_ON)];

	if (site && strcmp(ct_site_field(site, 7, passed_on, sizeof(passed_on)), CT_SITE_PASSED_ON))
		return 0;
	return call->log ? call->stack : ct_stack_take(call->base);
}

/* After the call that returned error, which this returns. */
static cudaError_t lives(struct ct_call *call, cudaError_t error, uint64_t address, uint64_t bytes,
			 enum ct_object_kind kind)
{
	const char *site = ct_sites_take_alloc(call);

	if (error == cudaSuccess)
		ct_objects_allocated(address, bytes, kind, site, stack_of(call, site));
	return error;
}

/* pointer: where the call has stored the address. */
static cudaError_t allocated(struct ct_call *call, cudaError_t error, void *const *pointer,
			     uint64_t bytes, enum ct_object_kind kind)
{
	return lives(call, error, error == cudaSuccess && pointer ? number(*pointer) : 0, bytes,
		     kind);
}

/* The same of a call of the driver, whose errors have the same numbers. */
static CUresult allocated_by_driver(struct ct_call *call, CUresult result,
				    const CUdeviceptr *pointer, uint64_t bytes,
				    enum ct_object_kind kind)
{
	return (CUresult)lives(call, (cudaError_t)result,
			       result == CUDA_SUCCESS && pointer ? *pointer : 0, bytes, kind);
}

cudaError_t ct_do_cudaMalloc(struct ct_call *call, void **pointer, size_t bytes)
{
	return allocated(call, ct_real_cudaMalloc(call, pointer, bytes), pointer, bytes,
			 CT_OBJECT_DEVICE);
}

cudaError_t ct_do_cudaMallocManaged(struct ct_call *call, void **pointer, size_t bytes,
				    unsigned flags)
{
	return allocated(call, ct_real_cudaMallocManaged(call, pointer, bytes, flags), pointer,
			 bytes, CT_OBJECT_MANAGED);
}

cudaError_t ct_do_cudaMallocPitch(struct ct_call *call, void **pointer, size_t *pitch, size_t width,
				  size_t height)
{
	cudaError_t error = ct_real_cudaMallocPitch(call, pointer, pitch, width, height);

	return allocated(call, error, pointer, error == cudaSuccess ? *pitch * height : 0,
			 CT_OBJECT_DEVICE);
}

cudaError_t ct_do_cudaMalloc3D(struct ct_call *call, struct cudaPitchedPtr *pitched,
			       struct cudaExtent extent)
{
	cudaError_t error = ct_real_cudaMalloc3D(call, pitched, extent);

	if (error != cudaSuccess)
		return allocated(call, error, NULL, 0, CT_OBJECT_DEVICE);
	return allocated(call, error, &pitched->ptr, pitched->pitch * extent.height * extent.depth,
			 CT_OBJECT_DEVICE);
}

cudaError_t ct_do_cudaMallocAsync(struct ct_call *call, void **pointer, size_t bytes,
				  cudaStream_t stream)
{
	return allocated(call, ct_real_cudaMallocAsync(call, pointer, bytes, stream), pointer,
			 bytes, CT_OBJECT_DEVICE);
}

cudaError_t ct_do_cudaMallocFromPoolAsync(struct ct_call *call, void **pointer, size_t bytes,
					  cudaMemPool_t pool, cudaStream_t stream)
{
	return allocated(call, ct_real_cudaMallocFromPoolAsync(call, pointer, bytes, pool, stream),
			 pointer, bytes, CT_OBJECT_DEVICE);
}

cudaError_t ct_do_cudaMallocHost(struct ct_call *call, void **pointer, size_t bytes)
{
	return allocated(call, ct_real_cudaMallocHost(call, pointer, bytes), pointer, bytes,
			 CT_OBJECT_HOST);
}

cudaError_t ct_do_cudaHostAlloc(struct ct_call *call, void **pointer, size_t bytes, unsigned flags)
{
	return allocated(call, ct_real_cudaHostAlloc(call, pointer, bytes, flags), pointer, bytes,
			 CT_OBJECT_HOST);
}

/* Devices may use this memory from now on, wherever it came from. */
cudaError_t ct_do_cudaHostRegister(struct ct_call *call, void *pointer, size_t bytes,
				   unsigned flags)
{
	return allocated(call, ct_real_cudaHostRegister(call, pointer, bytes, flags), &pointer,
			 bytes, CT_OBJECT_HOST);
}

CUresult ct_do_cuMemAlloc_v2(struct ct_call *call, CUdeviceptr *pointer, size_t bytes)
{
	return allocated_by_driver(call, ct_real_cuMemAlloc_v2(call, pointer, bytes), pointer,
				   bytes, CT_OBJECT_DEVICE);
}

CUresult ct_do_cuMemAllocManaged(struct ct_call *call, CUdeviceptr *pointer, size_t bytes,
				 unsigned flags)
{
	return allocated_by_driver(call, ct_real_cuMemAllocManaged(call, pointer, bytes, flags),
				   pointer, bytes, CT_OBJECT_MANAGED);
}

CUresult ct_do_cuMemAllocPitch_v2(struct ct_call *call, CUdeviceptr *pointer, size_t *pitch,
				  size_t width, size_t height, unsigned element_bytes)
{
	CUresult result =
	    ct_real_cuMemAllocPitch_v2(call, pointer, pitch, width, height, element_bytes);

	return allocated_by_driver(call, result, pointer,
				   result == CUDA_SUCCESS ? *pitch * height : 0, CT_OBJECT_DEVICE);
}

CUresult ct_do_cuMemAllocAsync(struct ct_call *call, CUdeviceptr *pointer, size_t bytes,
			       CUstream stream)
{
	return allocated_by_driver(call, ct_real_cuMemAllocAsync(call, pointer, bytes, stream),
				   pointer, bytes, CT_OBJECT_DEVICE);
}

CUresult ct_do_cuMemAllocFromPoolAsync(struct ct_call *call, CUdeviceptr *pointer, size_t bytes,
				       CUmemoryPool pool, CUstream stream)
{
	return allocated_by_driver(
	    call, ct_real_cuMemAllocFromPoolAsync(call, pointer, bytes, pool, stream), pointer,
	    bytes, CT_OBJECT_DEVICE);
}

CUresult ct_do_cuMemAllocHost_v2(struct ct_call *call, void **pointer, size_t bytes)
{
	return (CUresult)allocated(call,
				   (cudaError_t)ct_real_cuMemAllocHost_v2(call, pointer, bytes),
				   pointer, bytes, CT_OBJECT_HOST);
}

CUresult ct_do_cuMemHostAlloc(struct ct_call *call, void **pointer, size_t bytes, unsigned flags)
{
	return (CUresult)allocated(call,
				   (cudaError_t)ct_real_cuMemHostAlloc(call, pointer, bytes, flags),
				   pointer, bytes, CT_OBJECT_HOST);
}

CUresult ct_do_cuMemHostRegister_v2(struct ct_call *call, void *pointer, size_t bytes,
				    unsigned flags)
{
	return (CUresult)allocated(
	    call, (cudaError_t)ct_real_cuMemHostRegister_v2(call, pointer, bytes, flags), &pointer,
	    bytes, CT_OBJECT_HOST);
}

/* Whoever has the handle, or has given it, uses the memory behind any wait. */
cudaError_t ct_do_cudaIpcGetMemHandle(struct ct_call *call, cudaIpcMemHandle_t *handle,
				      void *pointer)
{
	ct_watch_exported("another process may use memory of the device");
	return ct_real_cudaIpcGetMemHandle(call, handle, pointer);
}

cudaError_t ct_do_cudaIpcOpenMemHandle(struct ct_call *call, void **pointer,
				       cudaIpcMemHandle_t handle, unsigned flags)
{
	ct_watch_exported("another process may use memory of the device");
	return ct_real_cudaIpcOpenMemHandle(call, pointer, handle, flags);
}

#define OF_DEVICES (1u << CT_OBJECT_DEVICE | 1u << CT_OBJECT_MANAGED)
#define OF_HOST (1u << CT_OBJECT_HOST)

/* Frees wait for all that the devices do; what is not the devices' alone dies for the host, too. */
static void dying(uint64_t address, unsigned kinds)
{
	ct_watch_dying(address);
	ct_objects_freed(address, kinds);
}

/* After a call that frees. */
static cudaError_t ended(cudaError_t error, uint64_t address)
{
	if (error != cudaSuccess)
		ct_refused_free(address, (int)error);
	return error;
}

static cudaError_t freed_at(cudaError_t error, uint64_t address)
{
	if (error == cudaSuccess && address) {
		ct_watch_waited(CT_WATCH_ALL, 0, 0, NULL);
		ct_watch_freed(address);
	}
	return ended(error, address);
}

/* Only the devices have no use of it any more. */
static cudaError_t unregistered(cudaError_t error, uint64_t address)
{
	if (error == cudaSuccess) {
		ct_watch_waited(CT_WATCH_ALL, 0, 0, NULL);
		ct_watch_unshared(address);
	}
	return ended(error, address);
}

cudaError_t ct_do_cudaFree(struct ct_call *call, void *pointer)
{
	dying(number(pointer), OF_DEVICES);
	return freed_at(ct_real_cudaFree(call, pointer), number(pointer));
}

cudaError_t ct_do_cudaFreeAsync(struct ct_call *call, void *pointer, cudaStream_t stream)
{
	ct_objects_freed(number(pointer), OF_DEVICES);
	return ended(ct_real_cudaFreeAsync(call, pointer, stream), number(pointer));
}

cudaError_t ct_do_cudaFreeHost(struct ct_call *call, void *pointer)
{
	dying(number(pointer), OF_HOST);
	return freed_at(ct_real_cudaFreeHost(call, pointer), number(pointer));
}

cudaError_t ct_do_cudaHostUnregister(struct ct_call *call, void *pointer)
{
	ct_objects_freed(number(pointer), OF_HOST);
	return unregistered(ct_real_cudaHostUnregister(call, pointer), number(pointer));
}

CUresult ct_do_cuMemFree_v2(struct ct_call *call, CUdeviceptr pointer)
{
	dying(pointer, OF_DEVICES);
	return (CUresult)freed_at((cudaError_t)ct_real_cuMemFree_v2(call, pointer), pointer);
}

CUresult ct_do_cuMemFreeAsync(struct ct_call *call, CUdeviceptr pointer, CUstream stream)
{
	ct_objects_freed(pointer, OF_DEVICES);
	return (CUresult)ended((cudaError_t)ct_real_cuMemFreeAsync(call, pointer, stream), pointer);
}

CUresult ct_do_cuMemFreeHost(struct ct_call *call, void *pointer)
{
	dying(number(pointer), OF_HOST);
	return (CUresult)freed_at((cudaError_t)ct_real_cuMemFreeHost(call, pointer),
				  number(pointer));
}

CUresult ct_do_cuMemHostUnregister(struct ct_call *call, void *pointer)
{
	ct_objects_freed(number(pointer), OF_HOST);
	return (CUresult)unregistered((cudaError_t)ct_real_cuMemHostUnregister(call, pointer),
				      number(pointer));
}
