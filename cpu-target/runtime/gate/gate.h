/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate before the calls of CUDA: a process that was forked from one that
 * had used CUDA has no threads to run anything, and locks that are not released;
 * its calls return cudaErrorInitializationError, as with a GPU. In the runtime
 * that programs link every call that needs the device begins with a look at
 * ct_gate_open (cmake/CtGates.cmake); where it is 0, ct_gate_enter decides.
 */
#ifndef CT_CPU_TARGET_RUNTIME_GATE_GATE_H
#define CT_CPU_TARGET_RUNTIME_GATE_GATE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

/* 1: this process uses CUDA. The kernel clears the page in every child, however it was forked. */
extern char ct_gate_open[];

/* cudaSuccess: this process is the first of its line that uses CUDA. */
cudaError_t ct_gate_enter(void);

/* The process was forked from one that had used CUDA. */
bool ct_gate_is_child(void);

#endif
