/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of a launch in one buffer, CU_LAUNCH_PARAM_BUFFER_POINTER. */
#ifndef CT_CPU_TARGET_RUNTIME_API_PACKED_H
#define CT_CPU_TARGET_RUNTIME_API_PACKED_H

#include <cuda.h>
#include <stdbool.h>

/* Where each of the kernel's arguments is in the buffer, for free(); NULL if it has none.
 * CUDA_ERROR_INVALID_VALUE for options that are not known, and for a buffer that is too small. */
CUresult ct_packed_arguments(const void *stub, void **extra, void ***arguments);

#endif
