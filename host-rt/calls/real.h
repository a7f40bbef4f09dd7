/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two names that --wrap makes of a call: __wrap_X is ours, __real_X the
 * CUDA runtime's. CT_WRAPPED declares both with the type of a declared call:
 * the _ptsz and _ptds names have the same types as the plain ones.
 */
#ifndef CT_REAL_H
#define CT_REAL_H

#include <cuda_runtime_api.h>

#define CT_WRAPPED(name, like)                                                                     \
	extern __typeof__(like) __real_##name;                                                     \
	extern __typeof__(like) __wrap_##name

/* Of calls that not every runtime has: the CPU target's, other versions of CUDA's. */
#define CT_WRAPPED_WEAK(name, like)                                                                \
	extern __typeof__(like) __real_##name __attribute__((weak));                               \
	extern __typeof__(like) __wrap_##name

CT_WRAPPED(cudaLaunchKernel, cudaLaunchKernel);
CT_WRAPPED(cudaLaunchKernel_ptsz, cudaLaunchKernel);
CT_WRAPPED(cudaLaunchCooperativeKernel, cudaLaunchCooperativeKernel);
CT_WRAPPED(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel);
CT_WRAPPED(cudaLaunchKernelExC, cudaLaunchKernelExC);
CT_WRAPPED(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC);
CT_WRAPPED(cudaMalloc, cudaMalloc);
CT_WRAPPED(cudaMallocManaged, cudaMallocManaged);
CT_WRAPPED(cudaMallocPitch, cudaMallocPitch);
CT_WRAPPED(cudaMalloc3D, cudaMalloc3D);
CT_WRAPPED(cudaMallocAsync, cudaMallocAsync);
CT_WRAPPED(cudaMallocAsync_ptsz, cudaMallocAsync);
CT_WRAPPED(cudaMallocHost, cudaMallocHost);
CT_WRAPPED(cudaHostAlloc, cudaHostAlloc);
CT_WRAPPED(cudaFree, cudaFree);
CT_WRAPPED(cudaFreeAsync, cudaFreeAsync);
CT_WRAPPED(cudaFreeAsync_ptsz, cudaFreeAsync);
CT_WRAPPED(cudaFreeHost, cudaFreeHost);
CT_WRAPPED(cudaDeviceSynchronize, cudaDeviceSynchronize);
CT_WRAPPED(cudaStreamSynchronize, cudaStreamSynchronize);
CT_WRAPPED(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);
CT_WRAPPED(cudaStreamQuery, cudaStreamQuery);
CT_WRAPPED(cudaStreamQuery_ptsz, cudaStreamQuery);
CT_WRAPPED(cudaEventSynchronize, cudaEventSynchronize);
CT_WRAPPED(cudaEventQuery, cudaEventQuery);
CT_WRAPPED(cudaStreamCreate, cudaStreamCreate);
CT_WRAPPED(cudaStreamCreateWithFlags, cudaStreamCreateWithFlags);
CT_WRAPPED(cudaStreamCreateWithPriority, cudaStreamCreateWithPriority);
CT_WRAPPED(cudaStreamDestroy, cudaStreamDestroy);
CT_WRAPPED(cudaStreamWaitEvent, cudaStreamWaitEvent);
CT_WRAPPED(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent);
CT_WRAPPED(cudaEventDestroy, cudaEventDestroy);
CT_WRAPPED(cudaEventRecord, cudaEventRecord);
CT_WRAPPED(cudaEventRecord_ptsz, cudaEventRecord);
CT_WRAPPED(cudaEventRecordWithFlags, cudaEventRecordWithFlags);
CT_WRAPPED(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);
CT_WRAPPED(cudaMemcpy, cudaMemcpy);
CT_WRAPPED(cudaMemcpy_ptds, cudaMemcpy);
CT_WRAPPED(cudaMemcpyAsync, cudaMemcpyAsync);
CT_WRAPPED(cudaMemcpyAsync_ptsz, cudaMemcpyAsync);
CT_WRAPPED(cudaMemcpy2D, cudaMemcpy2D);
CT_WRAPPED(cudaMemcpy2D_ptds, cudaMemcpy2D);
CT_WRAPPED(cudaMemcpy2DAsync, cudaMemcpy2DAsync);
CT_WRAPPED(cudaMemcpy2DAsync_ptsz, cudaMemcpy2DAsync);
CT_WRAPPED(cudaMemcpy3D, cudaMemcpy3D);
CT_WRAPPED(cudaMemcpy3D_ptds, cudaMemcpy3D);
CT_WRAPPED(cudaMemcpy3DAsync, cudaMemcpy3DAsync);
CT_WRAPPED(cudaMemcpy3DAsync_ptsz, cudaMemcpy3DAsync);
CT_WRAPPED(cudaMemcpyPeer, cudaMemcpyPeer);
CT_WRAPPED(cudaMemcpyPeerAsync, cudaMemcpyPeerAsync);
CT_WRAPPED(cudaMemcpyToSymbol, cudaMemcpyToSymbol);
CT_WRAPPED(cudaMemcpyToSymbol_ptds, cudaMemcpyToSymbol);
CT_WRAPPED(cudaMemcpyToSymbolAsync, cudaMemcpyToSymbolAsync);
CT_WRAPPED(cudaMemcpyToSymbolAsync_ptsz, cudaMemcpyToSymbolAsync);
CT_WRAPPED(cudaMemcpyFromSymbol, cudaMemcpyFromSymbol);
CT_WRAPPED(cudaMemcpyFromSymbol_ptds, cudaMemcpyFromSymbol);
CT_WRAPPED(cudaMemcpyFromSymbolAsync, cudaMemcpyFromSymbolAsync);
CT_WRAPPED(cudaMemcpyFromSymbolAsync_ptsz, cudaMemcpyFromSymbolAsync);
CT_WRAPPED(cudaMemset, cudaMemset);
CT_WRAPPED(cudaMemset_ptds, cudaMemset);
CT_WRAPPED(cudaMemsetAsync, cudaMemsetAsync);
CT_WRAPPED(cudaMemsetAsync_ptsz, cudaMemsetAsync);
CT_WRAPPED(cudaMemset2D, cudaMemset2D);
CT_WRAPPED(cudaMemset2D_ptds, cudaMemset2D);
CT_WRAPPED(cudaMemset2DAsync, cudaMemset2DAsync);
CT_WRAPPED(cudaMemset2DAsync_ptsz, cudaMemset2DAsync);
CT_WRAPPED(cudaMemset3D, cudaMemset3D);
CT_WRAPPED(cudaMemset3D_ptds, cudaMemset3D);
CT_WRAPPED(cudaMemset3DAsync, cudaMemset3DAsync);
CT_WRAPPED(cudaMemset3DAsync_ptsz, cudaMemset3DAsync);
CT_WRAPPED_WEAK(cudaMemcpy2DToArray, cudaMemcpy2DToArray);
CT_WRAPPED_WEAK(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray);
CT_WRAPPED_WEAK(cudaMemcpy2DToArrayAsync, cudaMemcpy2DToArrayAsync);
CT_WRAPPED_WEAK(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArrayAsync);
CT_WRAPPED_WEAK(cudaMemcpy2DFromArray, cudaMemcpy2DFromArray);
CT_WRAPPED_WEAK(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray);
CT_WRAPPED_WEAK(cudaMemcpy2DFromArrayAsync, cudaMemcpy2DFromArrayAsync);
CT_WRAPPED_WEAK(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArrayAsync);
CT_WRAPPED_WEAK(cudaMemcpy3DPeer, cudaMemcpy3DPeer);
CT_WRAPPED_WEAK(cudaMemcpy3DPeer_ptds, cudaMemcpy3DPeer);
CT_WRAPPED_WEAK(cudaMemcpy3DPeerAsync, cudaMemcpy3DPeerAsync);
CT_WRAPPED_WEAK(cudaMemcpy3DPeerAsync_ptsz, cudaMemcpy3DPeerAsync);
CT_WRAPPED_WEAK(cudaMemcpyBatchAsync, cudaMemcpyBatchAsync);
CT_WRAPPED_WEAK(cudaMemcpyBatchAsync_ptsz, cudaMemcpyBatchAsync);
CT_WRAPPED(cudaDeviceReset, cudaDeviceReset);
CT_WRAPPED(cudaFuncSetAttribute, cudaFuncSetAttribute);
CT_WRAPPED(cudaFuncSetCacheConfig, cudaFuncSetCacheConfig);
CT_WRAPPED_WEAK(cudaGraphInstantiate, cudaGraphInstantiate);
CT_WRAPPED_WEAK(cudaGraphInstantiateWithFlags, cudaGraphInstantiateWithFlags);
CT_WRAPPED_WEAK(cudaGraphInstantiateWithParams, cudaGraphInstantiateWithParams);
CT_WRAPPED_WEAK(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);
CT_WRAPPED_WEAK(cudaGraphLaunch, cudaGraphLaunch);
CT_WRAPPED_WEAK(cudaGraphLaunch_ptsz, cudaGraphLaunch);
CT_WRAPPED_WEAK(cudaGraphExecUpdate, cudaGraphExecUpdate);
CT_WRAPPED_WEAK(cudaGraphExecKernelNodeSetParams, cudaGraphExecKernelNodeSetParams);
CT_WRAPPED_WEAK(cudaGraphExecMemcpyNodeSetParams, cudaGraphExecMemcpyNodeSetParams);
CT_WRAPPED_WEAK(cudaGraphExecMemcpyNodeSetParams1D, cudaGraphExecMemcpyNodeSetParams1D);
CT_WRAPPED_WEAK(cudaGraphExecMemcpyNodeSetParamsToSymbol, cudaGraphExecMemcpyNodeSetParamsToSymbol);
CT_WRAPPED_WEAK(cudaGraphExecMemcpyNodeSetParamsFromSymbol,
		cudaGraphExecMemcpyNodeSetParamsFromSymbol);
CT_WRAPPED_WEAK(cudaGraphExecMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams);
CT_WRAPPED_WEAK(cudaGraphExecChildGraphNodeSetParams, cudaGraphExecChildGraphNodeSetParams);
CT_WRAPPED_WEAK(cudaGraphExecNodeSetParams, cudaGraphExecNodeSetParams);
CT_WRAPPED_WEAK(cudaGraphNodeSetEnabled, cudaGraphNodeSetEnabled);
CT_WRAPPED_WEAK(cudaGraphExecDestroy, cudaGraphExecDestroy);
CT_WRAPPED_WEAK(cudaGraphAddNode, cudaGraphAddNode);

/* Deprecated, and in many programs. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
CT_WRAPPED_WEAK(cudaMemcpyToArray, cudaMemcpyToArray);
CT_WRAPPED_WEAK(cudaMemcpyToArray_ptds, cudaMemcpyToArray);
CT_WRAPPED_WEAK(cudaMemcpyToArrayAsync, cudaMemcpyToArrayAsync);
CT_WRAPPED_WEAK(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArrayAsync);
CT_WRAPPED_WEAK(cudaMemcpyFromArray, cudaMemcpyFromArray);
CT_WRAPPED_WEAK(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray);
CT_WRAPPED_WEAK(cudaMemcpyFromArrayAsync, cudaMemcpyFromArrayAsync);
CT_WRAPPED_WEAK(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArrayAsync);
#pragma GCC diagnostic pop

#endif
