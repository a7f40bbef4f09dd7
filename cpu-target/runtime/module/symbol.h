/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels and variables as host code names them: the address of a stub or of a
 * shadow variable, registered by constructors that clang emits. Units register
 * by constructors of their own, in no defined order: names are resolved when
 * they are first used.
 */
#ifndef CT_CPU_TARGET_RUNTIME_MODULE_SYMBOL_H
#define CT_CPU_TARGET_RUNTIME_MODULE_SYMBOL_H

#include "cpu-target/runtime/exec/exec.h"
#include <cuda_runtime_api.h>

struct ct_function {
	const void *stub;
	const char *name;    /* device symbol */
	const char *unit_id; /* NULL: object that was not compiled for the CPU target */
	const struct ct_cpu_kernel *kernel; /* resolved */
	const struct ct_cpu_unit *unit;
	uint32_t max_dynamic_shared_bytes; /* cudaFuncAttributeMaxDynamicSharedMemorySize */
	int carveout;
	dim3 cluster;           /* blocks of a cluster that every launch must have; 0 in x: any */
	uint32_t wide_clusters; /* more than 8 blocks are allowed, too */
};

#define CT_SHARED_BYTES_DEFAULT 49152u /* per block, without opting in */
#define CT_SHARED_BYTES_OPTIN 232448u

/* The kernel behind a stub; borrowed, lives as long as its module.
 * cudaErrorInvalidDeviceFunction if there is none, said once on stderr for
 * objects that were not compiled for the CPU target. */
cudaError_t ct_symbol_function(const void *stub, struct ct_function **function);

/* The device variable behind a shadow; cudaErrorInvalidSymbol if there is none. */
cudaError_t ct_symbol_variable(const void *shadow, void **address, size_t *bytes);

/* Address of `bytes` bytes at `offset` in the variable behind a shadow. */
cudaError_t ct_symbol_inside(const void *shadow, size_t bytes, size_t offset, char **address);

/* Tells the execution where the __constant__ variables are, if any came since. */
void ct_symbol_publish_constants(void);

/* Is the address in a device variable? Then which. */
int ct_symbol_around(const void *address, void **start, size_t *bytes);

/* Called by the module constructors and destructors that clang emits. */
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *stub, char *device_function,
			    const char *name, int thread_limit, uint3 *tid, uint3 *bid, dim3 *block,
			    dim3 *grid, int *warp_size);
void __cudaRegisterVar(void **handle, char *shadow, char *device_address, const char *name,
		       int external, size_t bytes, int constant, int global);

#endif
