/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVTX (version 3, header only): whatever includes it looks for a tool at its first call, and has
 * its functions replaced by the tool's. It looks
 *
 *	1. in the library that NVTX_INJECTION64_PATH names (ctrun: libcudatrace-inject.so, which
 *	   hands on to the runtime in the program, if that has one: there is one tool in a process)
 *	2. for InitializeInjectionNvtx2_fnptr, a weak symbol that a program linked with this
 *	   runtime has from here; its shared libraries do not see it
 */
#ifndef CT_HOST_RT_NVTX_NVTX_H
#define CT_HOST_RT_NVTX_NVTX_H

#include "host-rt/nvtx/domains.h"

/* Replaces the functions of a copy of NVTX. 1: done, 0: it is not one that we know. A symbol that
 * the library looks for in the program. */
int __ct_nvtx_attach(NvtxGetExportTableFunc_t table_of);

#endif
