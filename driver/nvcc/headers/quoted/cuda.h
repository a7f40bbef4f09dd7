/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clang reads "cuda.h" before a source, and would find one of the program's; nvcc reads none. The
 * first is the toolkit's, whose path the driver says; others are whose they are.
 */
#ifndef CT_DRIVER_NVCC_HEADERS_QUOTED_CUDA_H
#define CT_DRIVER_NVCC_HEADERS_QUOTED_CUDA_H
#include CT_NVCC_CUDA_H
#else
#include_next "cuda.h"
#endif
