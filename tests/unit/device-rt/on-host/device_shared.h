// SPDX-License-Identifier: Apache-2.0
// The states of warps, in memory of the host that the includer names: shared(At).
#ifndef CT_TEST_DEVICE_SHARED_H
#define CT_TEST_DEVICE_SHARED_H

#include "tests/unit/device-rt/on-host/device_memory.h"

static uint64_t shared(uint32_t At);

static uint32_t ct_shared_load(uint32_t At) { return load<uint32_t>(shared(At)); }
static uint64_t ct_shared_load64(uint32_t At) { return load<uint64_t>(shared(At)); }
static void ct_shared_store(uint32_t At, uint32_t Value) { store(shared(At), Value); }
static void ct_shared_store64(uint32_t At, uint64_t Value) { store(shared(At), Value); }
[[maybe_unused]] static void ct_shared_load_pair(uint32_t At, uint64_t *First, uint64_t *Second) {
  *First = ct_shared_load64(At);
  *Second = ct_shared_load64(At + 8);
}
static void ct_shared_store_pair(uint32_t At, uint64_t First, uint64_t Second) {
  ct_shared_store64(At, First);
  ct_shared_store64(At + 8, Second);
}
[[maybe_unused]] static void ct_shared_store4(uint32_t At, uint32_t A, uint32_t B, uint32_t C,
                                              uint32_t D) {
  ct_shared_store_pair(At, A | (uint64_t)B << 32, C | (uint64_t)D << 32);
}

#endif
