/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the CUDA runtime API share. A call that this runtime does
 * not have is not defined at all: the program then fails to link, with the name.
 */
#ifndef CT_CPU_TARGET_RUNTIME_API_API_H
#define CT_CPU_TARGET_RUNTIME_API_API_H

#include "cpu-target/runtime/base/error_state.h"

/* The result of a call that touches the device: the sticky error if there is
 * one, else the call's own; remembered for cudaGetLastError. */
cudaError_t ct_api_result(cudaError_t error);

/* The same for calls that waited: first shows what device code printed. */
cudaError_t ct_api_synchronised(cudaError_t error);

#endif
