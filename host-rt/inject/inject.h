/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcudatrace-inject.so: what of the runtime needs neither our compiler nor our linker, for any
 * program that uses CUDA (ctrun --inject). It is loaded
 *
 *	by the driver, when it begins	(CUDA_INJECTION64_PATH)	InitializeInjection
 *	by a copy of NVTX, at its first call	(NVTX_INJECTION64_PATH)	InitializeInjectionNvtx2
 *
 * It calls no function of CUDA's runtime, of which a program may have several or none: CUPTI tells
 * of calls and of devices. In place of what the rest of the runtime does with CUDA stand the
 * functions of absent.c and devices.c.
 */
#ifndef CT_HOST_RT_INJECT_INJECT_H
#define CT_HOST_RT_INJECT_INJECT_H

#include "host-rt/nvtx/nvtx.h"

/* By the names that the driver and NVTX look for. 1: done. */
__attribute__((visibility("default"))) int InitializeInjection(void);
__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(NvtxGetExportTableFunc_t table_of);

#endif
