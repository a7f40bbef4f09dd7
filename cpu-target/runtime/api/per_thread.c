/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points of programs compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM:
 * _ptsz calls take stream 0 for the calling thread's own stream, _ptds calls
 * without a stream argument run in that stream and wait for it.
 */
#define __CUDA_API_VERSION_INTERNAL /* declares both variants */
#include "cpu-target/runtime/api/api.h"

static cudaStream_t own(cudaStream_t stream)
{
	return stream ? stream : cudaStreamPerThread;
}

static cudaError_t wait_own(cudaError_t error)
{
	return error ? error : cudaStreamSynchronize(cudaStreamPerThread);
}

#define PTSZ(name, parameters, ...)                                                                \
	cudaError_t name##_ptsz parameters                                                         \
	{                                                                                          \
		return name(__VA_ARGS__);                                                          \
	}

#define PTDS(name, parameters, ...)                                                                \
	cudaError_t name##_ptds parameters                                                         \
	{                                                                                          \
		return wait_own(name##Async(__VA_ARGS__, cudaStreamPerThread));                    \
	}

PTSZ(cudaLaunchKernel,
     (const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s), f, grid,
     block, args, shared, own(s))
PTSZ(cudaLaunchCooperativeKernel,
     (const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s), f, grid,
     block, args, shared, own(s))

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *function,
				     void **args)
{
	cudaLaunchConfig_t own_config;

	if (!config)
		return ct_error_set(cudaErrorInvalidValue);
	own_config = *config;
	own_config.stream = own(config->stream);
	return cudaLaunchKernelExC(&own_config, function, args);
}

PTSZ(cudaLaunchHostFunc, (cudaStream_t s, cudaHostFn_t f, void *user), own(s), f, user)
PTSZ(cudaStreamAddCallback, (cudaStream_t s, cudaStreamCallback_t f, void *user, unsigned flags),
     own(s), f, user, flags)

PTSZ(cudaStreamSynchronize, (cudaStream_t s), own(s))
PTSZ(cudaStreamQuery, (cudaStream_t s), own(s))
PTSZ(cudaStreamGetFlags, (cudaStream_t s, unsigned *flags), own(s), flags)
PTSZ(cudaStreamGetPriority, (cudaStream_t s, int *priority), own(s), priority)
PTSZ(cudaStreamGetId, (cudaStream_t s, unsigned long long *id), own(s), id)
PTSZ(cudaStreamGetDevice, (cudaStream_t s, int *device), own(s), device)
PTSZ(cudaStreamIsCapturing, (cudaStream_t s, enum cudaStreamCaptureStatus *status), own(s), status)
PTSZ(cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t event, unsigned flags), own(s), event, flags)
PTSZ(cudaStreamAttachMemAsync, (cudaStream_t s, void *p, size_t bytes, unsigned flags), own(s), p,
     bytes, flags)
PTSZ(cudaEventRecord, (cudaEvent_t event, cudaStream_t s), event, own(s))
PTSZ(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t s, unsigned flags), event, own(s),
     flags)

PTSZ(cudaMallocAsync, (void **p, size_t bytes, cudaStream_t s), p, bytes, own(s))
PTSZ(cudaFreeAsync, (void *p, cudaStream_t s), p, own(s))
PTSZ(cudaMemPrefetchAsync,
     (const void *p, size_t bytes, struct cudaMemLocation where, unsigned flags, cudaStream_t s), p,
     bytes, where, flags, own(s))

PTSZ(cudaMemcpyAsync,
     (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t s), to, from,
     bytes, kind, own(s))
PTDS(cudaMemcpy, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind), to, from,
     bytes, kind)
PTSZ(cudaMemcpy2DAsync,
     (void *to, size_t tp, const void *from, size_t fp, size_t w, size_t h,
      enum cudaMemcpyKind kind, cudaStream_t s),
     to, tp, from, fp, w, h, kind, own(s))
PTDS(cudaMemcpy2D,
     (void *to, size_t tp, const void *from, size_t fp, size_t w, size_t h,
      enum cudaMemcpyKind kind),
     to, tp, from, fp, w, h, kind)
PTSZ(cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *p, cudaStream_t s), p, own(s))
PTDS(cudaMemcpy3D, (const struct cudaMemcpy3DParms *p), p)
PTSZ(cudaMemcpyToSymbolAsync,
     (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
      cudaStream_t s),
     symbol, from, bytes, offset, kind, own(s))
PTDS(cudaMemcpyToSymbol,
     (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
     symbol, from, bytes, offset, kind)
PTSZ(cudaMemcpyFromSymbolAsync,
     (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
      cudaStream_t s),
     to, symbol, bytes, offset, kind, own(s))
PTDS(cudaMemcpyFromSymbol,
     (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind), to,
     symbol, bytes, offset, kind)

/* Fills do not wait for the device, with either default stream. */
#define PTDS_FILL(name, parameters, ...)                                                           \
	cudaError_t name##_ptds parameters                                                         \
	{                                                                                          \
		return name##Async(__VA_ARGS__, cudaStreamPerThread);                              \
	}

PTSZ(cudaMemsetAsync, (void *to, int value, size_t bytes, cudaStream_t s), to, value, bytes, own(s))
PTDS_FILL(cudaMemset, (void *to, int value, size_t bytes), to, value, bytes)
PTSZ(cudaMemset2DAsync, (void *to, size_t pitch, int value, size_t w, size_t h, cudaStream_t s), to,
     pitch, value, w, h, own(s))
PTDS_FILL(cudaMemset2D, (void *to, size_t pitch, int value, size_t w, size_t h), to, pitch, value,
	  w, h)
PTSZ(cudaMemset3DAsync,
     (struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t s), to, value,
     extent, own(s))
PTDS_FILL(cudaMemset3D, (struct cudaPitchedPtr to, int value, struct cudaExtent extent), to, value,
	  extent)

PTSZ(cudaGetDriverEntryPointByVersion,
     (const char *symbol, void **function, unsigned version, unsigned long long flags,
      enum cudaDriverEntryPointQueryResult *status),
     symbol, function, version, flags, status)

PTSZ(cudaStreamBeginCapture, (cudaStream_t s, enum cudaStreamCaptureMode mode), own(s), mode)
PTSZ(cudaStreamBeginCaptureToGraph,
     (cudaStream_t s, cudaGraph_t graph, const cudaGraphNode_t *from,
      const cudaGraphEdgeData *edges, size_t count, enum cudaStreamCaptureMode mode),
     own(s), graph, from, edges, count, mode)
PTSZ(cudaStreamEndCapture, (cudaStream_t s, cudaGraph_t *graph), own(s), graph)
PTSZ(cudaStreamGetCaptureInfo,
     (cudaStream_t s, enum cudaStreamCaptureStatus *status, unsigned long long *id,
      cudaGraph_t *graph, const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges,
      size_t *count),
     own(s), status, id, graph, nodes, edges, count)
PTSZ(cudaStreamUpdateCaptureDependencies,
     (cudaStream_t s, cudaGraphNode_t *nodes, const cudaGraphEdgeData *edges, size_t count,
      unsigned flags),
     own(s), nodes, edges, count, flags)
PTSZ(cudaGraphInstantiateWithParams,
     (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphInstantiateParams *params), exec, graph,
     params)
PTSZ(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t s), exec, own(s))
PTSZ(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t s), exec, own(s))
