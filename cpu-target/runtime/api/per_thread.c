/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points of programs compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM:
 * _ptsz calls take stream 0 for the calling thread's own stream, _ptds calls
 * without a stream argument run in that stream and wait for it.
 */
#define __CUDA_API_VERSION_INTERNAL /* declares both variants */
#include "cpu-target/runtime/api/api.h"
#include <cuda.h>
#include <cudatrace/signature.h>

static cudaStream_t own(cudaStream_t stream)
{
	return stream ? stream : cudaStreamPerThread;
}

static cudaError_t wait_own(cudaError_t error)
{
	return error ? error : cudaStreamSynchronize(cudaStreamPerThread);
}

static const cudaLaunchConfig_t *own_config(const cudaLaunchConfig_t *config,
					    cudaLaunchConfig_t *copy)
{
	if (!config)
		return NULL;
	*copy = *config;
	copy->stream = own(config->stream);
	return copy;
}

static const CUlaunchConfig *own_driver_config(const CUlaunchConfig *config, CUlaunchConfig *copy)
{
	if (!config)
		return NULL;
	*copy = *config;
	copy->hStream = own(config->hStream);
	return copy;
}

/* Those of host-rt's calls (api.def) that this runtime has: an argument that is a stream, or holds
 * one, is the thread's own; each branch of _Generic has to compile for every type. */
#define IF(type, name) _Generic((name), type : (name), default : (type)0)
/* clang-format off */
#define OWN(type, name)                                                                           \
	_Generic((name),                                                                          \
		cudaStream_t: own(IF(cudaStream_t, name)),                                        \
		const cudaLaunchConfig_t *:                                                       \
			own_config(IF(const cudaLaunchConfig_t *, name), &(cudaLaunchConfig_t){0}), \
		const CUlaunchConfig *:                                                           \
			own_driver_config(IF(const CUlaunchConfig *, name), &(CUlaunchConfig){0}), \
		default: (name))
/* clang-format on */
#define NEXT_OWN(type, name) , OWN(type, name)

#define ALIAS_EVERY(thread, done, returns, symbol, ...)                                            \
	ALIAS_##thread(done, returns, symbol, __VA_ARGS__)
#define ALIAS_MOST ALIAS_EVERY
#define ALIAS_GPU(...)
#define ALIAS_NONE(...)
#define ALIAS_PTSZ(done, returns, symbol, ...)                                                     \
	returns symbol##_ptsz CT_PARAMETERS(__VA_ARGS__)                                           \
	{                                                                                          \
		return symbol(CT_EACH(OWN, NEXT_OWN, , __VA_ARGS__));                              \
	}
#define ALIAS_PTDS(done, returns, symbol, ...)                                                     \
	returns symbol##_ptds CT_PARAMETERS(__VA_ARGS__)                                           \
	{                                                                                          \
		return done(symbol##Async(CT_EACH(CT_ARGUMENT, CT_NEXT_ARGUMENT, , __VA_ARGS__),   \
					  cudaStreamPerThread));                                   \
	}

#define CT_API(returns, name, version, thread, where, site, ...)                                   \
	ALIAS_##where(thread, wait_own, returns, name##version, __VA_ARGS__)
/* Fills do not wait for the device, with either default stream. */
#define CT_API_SET(returns, name, version, thread, where, site, ...)                               \
	ALIAS_##where(thread, , returns, name##version, __VA_ARGS__)
#include <cudatrace/api.def>

/* The others. */
#define PTSZ(name, parameters, ...)                                                                \
	cudaError_t name##_ptsz parameters                                                         \
	{                                                                                          \
		return name(__VA_ARGS__);                                                          \
	}

PTSZ(cudaStreamGetFlags, (cudaStream_t s, unsigned *flags), own(s), flags)
PTSZ(cudaStreamGetPriority, (cudaStream_t s, int *priority), own(s), priority)
PTSZ(cudaStreamGetId, (cudaStream_t s, unsigned long long *id), own(s), id)
PTSZ(cudaStreamGetDevice, (cudaStream_t s, int *device), own(s), device)
PTSZ(cudaStreamSetAttribute,
     (cudaStream_t s, cudaStreamAttrID id, const cudaStreamAttrValue *value), own(s), id, value)
PTSZ(cudaStreamIsCapturing, (cudaStream_t s, enum cudaStreamCaptureStatus *status), own(s), status)
PTSZ(cudaStreamAttachMemAsync, (cudaStream_t s, void *p, size_t bytes, unsigned flags), own(s), p,
     bytes, flags)
PTSZ(cudaMemPrefetchAsync,
     (const void *p, size_t bytes, struct cudaMemLocation where, unsigned flags, cudaStream_t s), p,
     bytes, where, flags, own(s))
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
PTSZ(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t s), exec, own(s))

CUresult cuStreamGetCtx_ptsz(CUstream stream, CUcontext *context)
{
	return cuStreamGetCtx(own(stream), context);
}
