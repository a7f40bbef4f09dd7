/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvcc's atomic functions with an order and a scope (CUDA C++ Programming Guide, "Built-in atomic
 * functions"), by clang's. Both take constants for order and scope, and any type for the pointer.
 */
#ifndef CUDATRACE_NVCC_ATOMICS_H
#define CUDATRACE_NVCC_ATOMICS_H

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

#endif
