/* SPDX-License-Identifier: Apache-2.0 */
/* Work that keeps a device busy: of a GPU a kernel (busy_gpu.c), of the CPU target a function of
 * the host in the stream (busy_cpu.c), which CUDA has wait and be waited for alike. */
#ifndef CT_DRIVER_CALIBRATE_BUSY_H
#define CT_DRIVER_CALIBRATE_BUSY_H

#include <cuda_runtime_api.h>

#define CT_BUSY_DEVICES 2

/* Once for each device, one of the first CT_BUSY_DEVICES, while it is the current one, before any.
 * 0, or -1 with one line on stderr. */
int ct_busy_init(void);

/* Work of so many nanoseconds is asked for in a stream of the current device. 0, or -1. */
int ct_busy_begin(cudaStream_t stream, unsigned long long ns);

/* A variable of the device, CT_BUSY_SYMBOL_BYTES large, as calls that copy to symbols take it: of a
 * GPU symbol.cu has it. NULL: there is none. */
#define CT_BUSY_SYMBOL_BYTES (1u << 20)
const void *ct_busy_symbol(void);

/* "cpu" or "gpu" */
extern const char ct_busy_target[];

#endif
