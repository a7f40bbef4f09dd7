/* SPDX-License-Identifier: Apache-2.0 */
/* Driver calls that launch kernels, as real.h has those of the runtime. Weak: few programs link the
 * driver's library. */
#ifndef CT_REAL_DRIVER_H
#define CT_REAL_DRIVER_H

#include "real.h"
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
CT_WRAPPED_WEAK(cudaGetFuncBySymbol, cudaGetFuncBySymbol);
CT_WRAPPED_WEAK(cudaGetKernel, cudaGetKernel);
CT_WRAPPED_WEAK(cudaGetDriverEntryPoint, ct_entry_point_call);
CT_WRAPPED_WEAK(cudaGetDriverEntryPoint_ptsz, ct_entry_point_call);
CT_WRAPPED_WEAK(cudaGetDriverEntryPointByVersion, cudaGetDriverEntryPointByVersion);
CT_WRAPPED_WEAK(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);

#endif
