/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels by whatever the program may launch them by: the host function, or a
 * handle that the CUDA runtime gave it for one (cudaGetFuncBySymbol,
 * cudaGetKernel). Any thread, no lock needed.
 */
#ifndef CT_HOST_RT_LAUNCH_HANDLES_H
#define CT_HOST_RT_LAUNCH_HANDLES_H

#include "host-rt/base/registry.h"

/* handle stands for what other (a host function or a handle) stands for. */
void ct_handles_note(const void *handle, const void *other);

/* NULL if it is not a kernel we compiled. */
struct ct_kernel *ct_handles_kernel(const void *function);

#endif
