/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvcc's atomic functions with an order and a scope (CUDA C++ Programming Guide, "Built-in atomic
 * functions"), by clang's. Both take constants for order and scope, and any type for the pointer.
 */
#ifndef CT_DRIVER_NVCC_HEADERS_OVERLAY_CUDATRACE_NVCC_ATOMICS_H
#define CT_DRIVER_NVCC_HEADERS_OVERLAY_CUDATRACE_NVCC_ATOMICS_H

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST

/* A cluster is within the device. */
#define __NV_THREAD_SCOPE_THREAD __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK __MEMORY_SCOPE_WRKGRP
#define __NV_THREAD_SCOPE_CLUSTER __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_DEVICE __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM __MEMORY_SCOPE_SYSTEM

/* The scope of those that name none is the system's, whose number is 0. */
#define CT_NVCC_SCOPE(...) (__VA_ARGS__ + 0)

#define __nv_atomic_load(from, to, order, ...)                                                     \
	__scoped_atomic_load(from, to, order, CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_load_n(from, order, ...)                                                       \
	__scoped_atomic_load_n(from, order, CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_store(to, from, order, ...)                                                    \
	__scoped_atomic_store(to, from, order, CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_store_n(to, value, order, ...)                                                 \
	__scoped_atomic_store_n(to, value, order, CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_exchange(at, from, to, order, ...)                                             \
	__scoped_atomic_exchange(at, from, to, order, CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_exchange_n(at, value, order, ...)                                              \
	__scoped_atomic_exchange_n(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_compare_exchange(at, expected, desired, weak, success, failure, ...)           \
	__scoped_atomic_compare_exchange(at, expected, desired, weak, success, failure,            \
					 CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_compare_exchange_n(at, expected, desired, weak, success, failure, ...)         \
	__scoped_atomic_compare_exchange_n(at, expected, desired, weak, success, failure,          \
					   CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_thread_fence(order, ...)                                                       \
	__scoped_atomic_thread_fence(order, CT_NVCC_SCOPE(__VA_ARGS__))

#define __nv_atomic_fetch_add(at, value, order, ...)                                               \
	__scoped_atomic_fetch_add(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_sub(at, value, order, ...)                                               \
	__scoped_atomic_fetch_sub(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_and(at, value, order, ...)                                               \
	__scoped_atomic_fetch_and(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_or(at, value, order, ...)                                                \
	__scoped_atomic_fetch_or(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_xor(at, value, order, ...)                                               \
	__scoped_atomic_fetch_xor(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_min(at, value, order, ...)                                               \
	__scoped_atomic_fetch_min(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__))
#define __nv_atomic_fetch_max(at, value, order, ...)                                               \
	__scoped_atomic_fetch_max(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__))

/* The same without what was there. */
#define __nv_atomic_add(at, value, order, ...)                                                     \
	((void)__scoped_atomic_fetch_add(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__)))
#define __nv_atomic_sub(at, value, order, ...)                                                     \
	((void)__scoped_atomic_fetch_sub(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__)))
#define __nv_atomic_and(at, value, order, ...)                                                     \
	((void)__scoped_atomic_fetch_and(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__)))
#define __nv_atomic_or(at, value, order, ...)                                                      \
	((void)__scoped_atomic_fetch_or(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__)))
#define __nv_atomic_xor(at, value, order, ...)                                                     \
	((void)__scoped_atomic_fetch_xor(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__)))
#define __nv_atomic_min(at, value, order, ...)                                                     \
	((void)__scoped_atomic_fetch_min(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__)))
#define __nv_atomic_max(at, value, order, ...)                                                     \
	((void)__scoped_atomic_fetch_max(at, value, order, CT_NVCC_SCOPE(__VA_ARGS__)))

/* Exchanges of any type of 16 bytes, which clang lacks. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <bool is, class T> struct ct_nvcc_if {
};
template <class T> struct ct_nvcc_if<true, T> {
	typedef T type;
};
template <class T>
using ct_nvcc_wide =
    typename ct_nvcc_if<sizeof(T) == 16 && alignof(T) >= 16 && __is_trivially_copyable(T), T>::type;
#define CT_NVCC_WIDE(suffix, scope)                                                                \
	template <class T>                                                                         \
	static inline __device__ ct_nvcc_wide<T> atomicExch##suffix(T *address, T value)           \
	{                                                                                          \
		unsigned long long from[2], to[2];                                                 \
                                                                                                   \
		__builtin_memcpy(from, __builtin_addressof(value), 16);                            \
		asm volatile("{ .reg .b128 from, to; mov.b128 from, {%2, %3};"                     \
			     " atom" scope ".exch.b128 to, [%4], from; mov.b128 {%0, %1}, to; }"   \
			     : "=l"(to[0]), "=l"(to[1])                                            \
			     : "l"(from[0]), "l"(from[1]), "l"(address)                            \
			     : "memory");                                                          \
		__builtin_memcpy(__builtin_addressof(value), to, 16);                              \
		return value;                                                                      \
	}                                                                                          \
	template <class T>                                                                         \
	static inline __device__ ct_nvcc_wide<T> atomicCAS##suffix(T *address, T compare, T value) \
	{                                                                                          \
		unsigned long long than[2], from[2], to[2];                                        \
                                                                                                   \
		__builtin_memcpy(than, __builtin_addressof(compare), 16);                          \
		__builtin_memcpy(from, __builtin_addressof(value), 16);                            \
		asm volatile(                                                                      \
		    "{ .reg .b128 than, from, to; mov.b128 than, {%2, %3};"                        \
		    " mov.b128 from, {%4, %5}; atom" scope ".cas.b128 to, [%6], than, from;"       \
		    " mov.b128 {%0, %1}, to; }"                                                    \
		    : "=l"(to[0]), "=l"(to[1])                                                     \
		    : "l"(than[0]), "l"(than[1]), "l"(from[0]), "l"(from[1]), "l"(address)         \
		    : "memory");                                                                   \
		__builtin_memcpy(__builtin_addressof(value), to, 16);                              \
		return value;                                                                      \
	}
CT_NVCC_WIDE(, "")
CT_NVCC_WIDE(_block, ".cta")
CT_NVCC_WIDE(_system, ".sys")
#undef CT_NVCC_WIDE
#endif

#endif
