/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Included before each CUDA source that cuda-trace-nvcc compiles: what nvcc's own prologue gives a
 * source and clang's does not. clang has by then read cuda_runtime.h, to which __NVCC__ must be
 * unknown.
 */
#ifndef CT_DRIVER_NVCC_HEADERS_CUDATRACE_NVCC_H
#define CT_DRIVER_NVCC_HEADERS_CUDATRACE_NVCC_H

/* cuda_runtime.h includes these under nvcc, and so sources use them without including them. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__cplusplus) && defined(__CUDA__)
#include <cmath>
#if CT_NVCC_MAJOR < 13
#include <functional>
#endif
#include <new>
#include <utility>

#define CT_HOST_AS_NVCC
#include <cudatrace-host-functions.h>
#undef CT_HOST_AS_NVCC

/* gcc takes 0 for an argument that is out of its range, and clang none. */
static inline __host__ __device__ __attribute__((always_inline)) void
ct_nvcc_prefetch(const void *address, int writes = 0, int locality = 3)
{
	switch ((writes == 1) * 4 + (locality > 0 && locality < 4 ? locality : 0)) {
#define CT_NVCC_PREFETCH(writes, locality)                                                         \
	case (writes)*4 + (locality):                                                              \
		__builtin_prefetch(address, writes, locality);                                     \
		break;
		CT_NVCC_PREFETCH(0, 0)
		CT_NVCC_PREFETCH(0, 1)
		CT_NVCC_PREFETCH(0, 2)
		CT_NVCC_PREFETCH(0, 3)
		CT_NVCC_PREFETCH(1, 0)
		CT_NVCC_PREFETCH(1, 1)
		CT_NVCC_PREFETCH(1, 2)
		CT_NVCC_PREFETCH(1, 3)
#undef CT_NVCC_PREFETCH
	}
}
#define __builtin_prefetch ct_nvcc_prefetch

/* Tables of virtual functions have this for pure ones; clang only declares it. */
extern "C" inline __device__ __attribute__((weak)) void __cxa_pure_virtual(void)
{
	__trap();
}

/* The device's heap at an alignment. CCCL declares the same function for other sides. */
extern "C" __device__ void *
    __ct_nvcc_aligned_malloc(size_t, size_t) __asm__("__cuda_syscall_aligned_malloc");
static inline __device__ void *__nv_aligned_device_malloc(size_t bytes, size_t alignment)
{
	return __ct_nvcc_aligned_malloc(bytes, alignment);
}

/* CUDA's headers declare it, and nvcc takes that of host code for it. */
#if defined(__CUDA_ARCH__)
template <class T> static inline __device__ cudaError_t cudaMalloc(T **address, size_t bytes)
{
	return cudaMalloc((void **)(void *)address, bytes);
}
#endif

/* clang declares these and lacks them. */
static inline __device__ double nan(const char *tag)
{
	return __nv_nan((const signed char *)tag);
}
static inline __device__ float nanf(const char *tag)
{
	return __nv_nanf((const signed char *)tag);
}

#include <cudatrace-nvcc-atomics.h>
#include <cudatrace-nvcc-caches.h>
#endif

/* --ct-old-api: what CUDA 13 no longer has, and has under another name. */
#if defined(CT_NVCC_OLD_API) && CUDART_VERSION >= 13000
static inline __host__ cudaError_t cudaThreadSynchronize(void)
{
	return cudaDeviceSynchronize();
}
static inline __host__ cudaError_t cudaThreadExit(void)
{
	return cudaDeviceReset();
}
static inline __host__ cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
	return cudaDeviceSetLimit(limit, value);
}
static inline __host__ cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
	return cudaDeviceGetLimit(value, limit);
}
static inline __host__ cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
	return cudaDeviceSetCacheConfig(config);
}
static inline __host__ cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
	return cudaDeviceGetCacheConfig(config);
}
#endif

/* Managed variables (llvm-pass/base/managed.h). */
#if defined(__CUDA__)
#undef __managed__
#define __managed__ __attribute__((device)) __attribute__((section("ct_managed")))
#endif

/* Registers of a kernel's threads, which clang has no attribute for; it evaluates what an
 * annotation is given, in templates as well (llvm-pass/base/annotations.h). */
#if defined(__CUDA__)
#undef __maxnreg__
#define __maxnreg__(registers) __attribute__((annotate("ct.maxnreg", registers)))
#endif

/* For which sides a lambda is: the value comes from the plugin (clang-plugin/lambdas.h). Of a
 * lambda for devices clang tells host code what it returns, whether that was written down or not.
 */
#if defined(__cplusplus) && defined(__CUDA__)
template <class T> struct ct_nvcc_closure {
	enum : int { sides = 0 };
};
template <class T> struct ct_nvcc_closure<const T> : ct_nvcc_closure<T> {
};
#ifdef __CUDACC_EXTENDED_LAMBDA__
#define CT_NVCC_CLOSURE(type, is) (ct_nvcc_closure<type>::sides == is)
#else
#define CT_NVCC_CLOSURE(type, is) (ct_nvcc_closure<type>::sides < 0)
#endif
#define __nv_is_extended_device_lambda_closure_type(type) CT_NVCC_CLOSURE(type, 1)
#define __nv_is_extended_host_device_lambda_closure_type(type) CT_NVCC_CLOSURE(type, 2)
#define __nv_is_extended_device_lambda_with_preserved_return_type(type) CT_NVCC_CLOSURE(type, 1)
#endif

/* CUTLASS leaves it out where it sees clang, and descriptors of tensors have to be where it says.
 */
#ifndef CUTLASS_GRID_CONSTANT
#define CUTLASS_GRID_CONSTANT __grid_constant__
#endif

/* Objects in shared memory are neither constructed nor destroyed (clang-plugin/shared.cpp). */
#if defined(__CUDA__) && __has_attribute(ct_shared)
#undef __shared__
#define __shared__ __attribute__((shared)) __attribute__((ct_shared))
#endif

/* The driver says which nvcc it stands in for; numbers, since sources paste them into strings. */
#define __NVCC__ 1
/* clang's has no value; `#if __CUDACC__` asks for one. */
#undef __CUDACC__
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ CT_NVCC_MAJOR
#define __CUDACC_VER_MINOR__ CT_NVCC_MINOR
#define __CUDACC_VER_BUILD__ CT_NVCC_BUILD
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1

#ifndef CT_NVCC_AHEAD /* clang-plugin/ahead.h; it cannot hold what that begins */
#include <cudatrace-declared.h>
#endif

#endif
