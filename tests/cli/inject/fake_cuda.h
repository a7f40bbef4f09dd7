/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of CUDA that fake_cuda plays, with as many arguments as its program needs. */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stdbool.h>
#include <stddef.h>

int play_cuInit(unsigned flags);
int play_cuMemAlloc_v2(void **data, size_t bytes);
int play_cuMemcpyHtoD_v2(void *to, const void *from, size_t bytes);
int play_cuLaunchKernel(void (*kernel)(void));
int play_cudaMalloc(void **data, size_t bytes);
int play_cudaMemcpy(void *to, const void *from, size_t bytes, bool to_host);
int play_cudaLaunchKernel(void (*kernel)(void));
int play_cudaStreamSynchronize(void *stream);
int play_cudaGetLastError(void);
int play_cudaStreamBeginCapture(void);

#endif
