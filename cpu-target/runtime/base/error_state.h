/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors of the API: the last one of each host thread, and the sticky one of
 * the device, after which nothing works any more.
 */
#ifndef CT_CPU_TARGET_RUNTIME_BASE_ERROR_STATE_H
#define CT_CPU_TARGET_RUNTIME_BASE_ERROR_STATE_H

#include <cuda_runtime_api.h>

/* Remembers the error for cudaGetLastError of this host thread; returns it. */
cudaError_t ct_error_set(cudaError_t error);

/* A kernel failed: every later call that touches the device returns error.
 * The first one stays. Any thread. */
void ct_error_set_sticky(cudaError_t error);

/* The sticky error or cudaSuccess; does not touch the last error. */
cudaError_t ct_error_sticky(void);

#endif
