/* SPDX-License-Identifier: Apache-2.0 */
/* Last and sticky errors, and their names. */
#include "cpu-target/runtime/base/error_state.h"

static __thread cudaError_t last;
static int sticky; /* cudaError_t; written once */

cudaError_t ct_error_set(cudaError_t error)
{
	if (error != cudaSuccess)
		last = error;
	return error;
}

void ct_error_set_sticky(cudaError_t error)
{
	int none = cudaSuccess;

	__atomic_compare_exchange_n(&sticky, &none, (int)error, 0, __ATOMIC_RELEASE,
				    __ATOMIC_RELAXED);
}

cudaError_t ct_error_sticky(void)
{
	return (cudaError_t)__atomic_load_n(&sticky, __ATOMIC_ACQUIRE);
}

cudaError_t cudaGetLastError(void)
{
	cudaError_t error = last;

	last = cudaSuccess; /* the next call that touches a failed device sets it again */
	return error;
}

cudaError_t cudaPeekAtLastError(void)
{
	return last;
}

const char *cudaGetErrorName(cudaError_t error)
{
	switch (error) {
#define CT_CUDA_ERROR(name, text)                                                                  \
	case name:                                                                                 \
		return #name;
#include "cpu-target/runtime/base/error_names.def"
#undef CT_CUDA_ERROR
	}
	return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
	switch (error) {
#define CT_CUDA_ERROR(name, text)                                                                  \
	case name:                                                                                 \
		return text;
#include "cpu-target/runtime/base/error_names.def"
#undef CT_CUDA_ERROR
	}
	return "unrecognized error code";
}
