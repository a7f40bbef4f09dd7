// SPDX-License-Identifier: Apache-2.0
// Ordered accesses of device-rt/ptx.cuh on host threads, for tests of the device's sources.
#ifndef CT_TEST_DEVICE_ATOMICS_H
#define CT_TEST_DEVICE_ATOMICS_H

#include <cstdint>

static uint64_t *word(uint64_t Address) { return reinterpret_cast<uint64_t *>(Address); }
static uint32_t *half(uint64_t Address) { return reinterpret_cast<uint32_t *>(Address); }

static void ct_fence_gpu() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static void ct_fence_system() { ct_fence_gpu(); }

static uint64_t ct_load_relaxed64(uint64_t A) { return __atomic_load_n(word(A), __ATOMIC_RELAXED); }
static uint64_t ct_load_acquire(uint64_t A) { return __atomic_load_n(word(A), __ATOMIC_ACQUIRE); }
static uint64_t ct_load_relaxed_system64(uint64_t A) { return ct_load_relaxed64(A); }
static uint32_t ct_load_relaxed_system(uint64_t A) {
  return __atomic_load_n(half(A), __ATOMIC_RELAXED);
}
static void ct_store_release_system(uint64_t A, uint64_t Value) {
  __atomic_store_n(word(A), Value, __ATOMIC_RELEASE);
}
static void ct_store_release(uint64_t A, uint32_t Value) {
  __atomic_store_n(half(A), Value, __ATOMIC_RELEASE);
}
static uint32_t ct_exchange_acquire(uint64_t A, uint32_t Value) {
  return __atomic_exchange_n(half(A), Value, __ATOMIC_ACQUIRE);
}
static uint64_t ct_exchange_relaxed64(uint64_t A, uint64_t Value) {
  return __atomic_exchange_n(word(A), Value, __ATOMIC_RELAXED);
}
static void ct_add_release64(uint64_t A, uint64_t Value) {
  __atomic_fetch_add(word(A), Value, __ATOMIC_RELEASE);
}
static uint64_t ct_add_relaxed(uint64_t A, uint64_t Value) {
  return __atomic_fetch_add(word(A), Value, __ATOMIC_RELAXED);
}
static uint64_t ct_compare_and_swap(uint64_t A, uint64_t Expected, uint64_t Value) {
  __atomic_compare_exchange_n(word(A), &Expected, Value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return Expected;
}
static void ct_max_release(uint64_t A, uint64_t Value) {
  uint64_t Old = __atomic_load_n(word(A), __ATOMIC_RELAXED);
  while (Old < Value && !__atomic_compare_exchange_n(word(A), &Old, Value, false, __ATOMIC_RELEASE,
                                                     __ATOMIC_RELAXED))
    ;
}

#endif
