/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX finds this in a program that is linked with the runtime. */
#include "host-rt/nvtx/nvtx.h"

extern const NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr;
const NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr = __ct_nvtx_attach;
