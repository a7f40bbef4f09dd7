// SPDX-License-Identifier: Apache-2.0
// Loads and stores of device-rt/ptx.cuh on the host, for tests of the device's sources.
#ifndef CT_TEST_DEVICE_MEMORY_H
#define CT_TEST_DEVICE_MEMORY_H

#include "tests/unit/device-rt/on-host/device_warp.h"

[[maybe_unused]] static uint32_t ct_lane() { return W.Lane; }

[[maybe_unused]] static uint64_t ct_pick(bool First, uint64_t A, uint64_t B) {
  return First ? A : B;
}

template <typename T> [[maybe_unused]] static T load(uint64_t Address) {
  T Value;
  memcpy(&Value, reinterpret_cast<const void *>(Address), sizeof(Value));
  return Value;
}
template <typename T> static void store(uint64_t Address, T Value) {
  memcpy(reinterpret_cast<void *>(Address), &Value, sizeof(Value));
}

static void ct_store64(uint64_t Address, uint64_t Value) { store(Address, Value); }
static void ct_store32(uint64_t Address, uint32_t Value) { store(Address, Value); }
static void ct_store16(uint64_t Address, uint32_t Value) {
  store(Address, static_cast<uint16_t>(Value));
}
static void ct_store8(uint64_t Address, uint32_t Value) {
  store(Address, static_cast<uint8_t>(Value));
}

#endif
