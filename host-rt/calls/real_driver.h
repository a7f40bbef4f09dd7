/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the driver, as real.h has those of the runtime. Weak: few programs link the
 * driver's library. */
#ifndef CT_REAL_DRIVER_H
#define CT_REAL_DRIVER_H

#include "host-rt/calls/real.h"
#include <cuda.h>

/* Of the call that CUDA 13 deprecates. */
typedef cudaError_t ct_entry_point_call(const char *name, void **function, unsigned long long flags,
					enum cudaDriverEntryPointQueryResult *status);

CT_WRAPPED_WEAK(cuLaunchKernel, cuLaunchKernel);
CT_WRAPPED_WEAK(cuLaunchKernel_ptsz, cuLaunchKernel);
CT_WRAPPED_WEAK(cuLaunchKernelEx, cuLaunchKernelEx);
CT_WRAPPED_WEAK(cuLaunchKernelEx_ptsz, cuLaunchKernelEx);
CT_WRAPPED_WEAK(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel);
CT_WRAPPED_WEAK(cuLaunchCooperativeKernel_ptsz, cuLaunchCooperativeKernel);
CT_WRAPPED_WEAK(cuKernelGetFunction, cuKernelGetFunction);
CT_WRAPPED_WEAK(cuCtxSynchronize, cuCtxSynchronize);
CT_WRAPPED_WEAK(cuStreamSynchronize, cuStreamSynchronize);
CT_WRAPPED_WEAK(cuStreamSynchronize_ptsz, cuStreamSynchronize);
CT_WRAPPED_WEAK(cuStreamQuery, cuStreamQuery);
CT_WRAPPED_WEAK(cuStreamQuery_ptsz, cuStreamQuery);
CT_WRAPPED_WEAK(cuEventSynchronize, cuEventSynchronize);
CT_WRAPPED_WEAK(cuEventQuery, cuEventQuery);
CT_WRAPPED_WEAK(cuStreamCreate, cuStreamCreate);
CT_WRAPPED_WEAK(cuStreamCreateWithPriority, cuStreamCreateWithPriority);
CT_WRAPPED_WEAK(cuStreamDestroy_v2, cuStreamDestroy_v2);
CT_WRAPPED_WEAK(cuStreamWaitEvent, cuStreamWaitEvent);
CT_WRAPPED_WEAK(cuStreamWaitEvent_ptsz, cuStreamWaitEvent);
CT_WRAPPED_WEAK(cuEventDestroy_v2, cuEventDestroy_v2);
CT_WRAPPED_WEAK(cuEventRecord, cuEventRecord);
CT_WRAPPED_WEAK(cuEventRecord_ptsz, cuEventRecord);
CT_WRAPPED_WEAK(cuEventRecordWithFlags, cuEventRecordWithFlags);
CT_WRAPPED_WEAK(cuEventRecordWithFlags_ptsz, cuEventRecordWithFlags);
CT_WRAPPED_WEAK(cuMemcpy, cuMemcpy);
CT_WRAPPED_WEAK(cuMemcpy_ptds, cuMemcpy);
CT_WRAPPED_WEAK(cuMemcpyAsync, cuMemcpyAsync);
CT_WRAPPED_WEAK(cuMemcpyAsync_ptsz, cuMemcpyAsync);
CT_WRAPPED_WEAK(cuMemcpyPeer, cuMemcpyPeer);
CT_WRAPPED_WEAK(cuMemcpyPeer_ptds, cuMemcpyPeer);
CT_WRAPPED_WEAK(cuMemcpyPeerAsync, cuMemcpyPeerAsync);
CT_WRAPPED_WEAK(cuMemcpyPeerAsync_ptsz, cuMemcpyPeerAsync);
CT_WRAPPED_WEAK(cuMemcpyHtoD_v2, cuMemcpyHtoD_v2);
CT_WRAPPED_WEAK(cuMemcpyHtoD_v2_ptds, cuMemcpyHtoD_v2);
CT_WRAPPED_WEAK(cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync_v2);
CT_WRAPPED_WEAK(cuMemcpyHtoDAsync_v2_ptsz, cuMemcpyHtoDAsync_v2);
CT_WRAPPED_WEAK(cuMemcpyDtoH_v2, cuMemcpyDtoH_v2);
CT_WRAPPED_WEAK(cuMemcpyDtoH_v2_ptds, cuMemcpyDtoH_v2);
CT_WRAPPED_WEAK(cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync_v2);
CT_WRAPPED_WEAK(cuMemcpyDtoHAsync_v2_ptsz, cuMemcpyDtoHAsync_v2);
CT_WRAPPED_WEAK(cuMemcpyDtoD_v2, cuMemcpyDtoD_v2);
CT_WRAPPED_WEAK(cuMemcpyDtoD_v2_ptds, cuMemcpyDtoD_v2);
CT_WRAPPED_WEAK(cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync_v2);
CT_WRAPPED_WEAK(cuMemcpyDtoDAsync_v2_ptsz, cuMemcpyDtoDAsync_v2);
CT_WRAPPED_WEAK(cuMemcpy2D_v2, cuMemcpy2D_v2);
CT_WRAPPED_WEAK(cuMemcpy2D_v2_ptds, cuMemcpy2D_v2);
CT_WRAPPED_WEAK(cuMemcpy2DUnaligned_v2, cuMemcpy2DUnaligned_v2);
CT_WRAPPED_WEAK(cuMemcpy2DUnaligned_v2_ptds, cuMemcpy2DUnaligned_v2);
CT_WRAPPED_WEAK(cuMemcpy2DAsync_v2, cuMemcpy2DAsync_v2);
CT_WRAPPED_WEAK(cuMemcpy2DAsync_v2_ptsz, cuMemcpy2DAsync_v2);
CT_WRAPPED_WEAK(cuMemcpy3D_v2, cuMemcpy3D_v2);
CT_WRAPPED_WEAK(cuMemcpy3D_v2_ptds, cuMemcpy3D_v2);
CT_WRAPPED_WEAK(cuMemcpy3DAsync_v2, cuMemcpy3DAsync_v2);
CT_WRAPPED_WEAK(cuMemcpy3DAsync_v2_ptsz, cuMemcpy3DAsync_v2);
CT_WRAPPED_WEAK(cuMemsetD8_v2, cuMemsetD8_v2);
CT_WRAPPED_WEAK(cuMemsetD8_v2_ptds, cuMemsetD8_v2);
CT_WRAPPED_WEAK(cuMemsetD16_v2, cuMemsetD16_v2);
CT_WRAPPED_WEAK(cuMemsetD16_v2_ptds, cuMemsetD16_v2);
CT_WRAPPED_WEAK(cuMemsetD32_v2, cuMemsetD32_v2);
CT_WRAPPED_WEAK(cuMemsetD32_v2_ptds, cuMemsetD32_v2);
CT_WRAPPED_WEAK(cuMemsetD8Async, cuMemsetD8Async);
CT_WRAPPED_WEAK(cuMemsetD8Async_ptsz, cuMemsetD8Async);
CT_WRAPPED_WEAK(cuMemsetD16Async, cuMemsetD16Async);
CT_WRAPPED_WEAK(cuMemsetD16Async_ptsz, cuMemsetD16Async);
CT_WRAPPED_WEAK(cuMemsetD32Async, cuMemsetD32Async);
CT_WRAPPED_WEAK(cuMemsetD32Async_ptsz, cuMemsetD32Async);
CT_WRAPPED_WEAK(cuMemsetD2D8_v2, cuMemsetD2D8_v2);
CT_WRAPPED_WEAK(cuMemsetD2D8_v2_ptds, cuMemsetD2D8_v2);
CT_WRAPPED_WEAK(cuMemsetD2D16_v2, cuMemsetD2D16_v2);
CT_WRAPPED_WEAK(cuMemsetD2D16_v2_ptds, cuMemsetD2D16_v2);
CT_WRAPPED_WEAK(cuMemsetD2D32_v2, cuMemsetD2D32_v2);
CT_WRAPPED_WEAK(cuMemsetD2D32_v2_ptds, cuMemsetD2D32_v2);
CT_WRAPPED_WEAK(cuMemsetD2D8Async, cuMemsetD2D8Async);
CT_WRAPPED_WEAK(cuMemsetD2D8Async_ptsz, cuMemsetD2D8Async);
CT_WRAPPED_WEAK(cuMemsetD2D16Async, cuMemsetD2D16Async);
CT_WRAPPED_WEAK(cuMemsetD2D16Async_ptsz, cuMemsetD2D16Async);
CT_WRAPPED_WEAK(cuMemsetD2D32Async, cuMemsetD2D32Async);
CT_WRAPPED_WEAK(cuMemsetD2D32Async_ptsz, cuMemsetD2D32Async);
CT_WRAPPED_WEAK(cudaGetFuncBySymbol, cudaGetFuncBySymbol);
CT_WRAPPED_WEAK(cudaGetKernel, cudaGetKernel);
CT_WRAPPED_WEAK(cudaGetDriverEntryPoint, ct_entry_point_call);
CT_WRAPPED_WEAK(cudaGetDriverEntryPoint_ptsz, ct_entry_point_call);
CT_WRAPPED_WEAK(cudaGetDriverEntryPointByVersion, cudaGetDriverEntryPointByVersion);
CT_WRAPPED_WEAK(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);

#endif
