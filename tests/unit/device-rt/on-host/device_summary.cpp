// SPDX-License-Identifier: Apache-2.0
// The device's summaries on the host. C++ because the device's sources are.
#include "tests/unit/device-rt/device_summary.h"
#include "tests/unit/device-rt/on-host/device_shared.h"

#include <cmath>
#include <cstddef>
#include <cstring>

// These stand for device-rt/ptx.cuh and slot.cuh.
#define CT_DEVICE_RT_PTX_H
#define CT_DEVICE_RT_PTX_SHARED_H
#define CT_DEVICE_RT_SLOT_H
#define CT_INLINE [[maybe_unused]] static inline
#define CT_OUT_OF_LINE [[maybe_unused]] static
#define CT_RARE CT_OUT_OF_LINE
#define CT_RECORDS CT_OUT_OF_LINE
#define CT_ROOM_BYTES 288u
#define CT_CURSOR_IDLE 1u

struct ct_warp {
  uint64_t cursor, end, context, taken, tickets;
  uint32_t slot, start, launch, sequence, groups, first, serving, exited, mode;
};
enum : uint32_t { CT_MODE_OFF, CT_MODE_RECORD, CT_MODE_COUNT, CT_MODE_VALUES };
#define CT_AT(warp, field) ((warp) + (uint32_t)offsetof(struct ct_warp, field))
#define CT_CONTEXT(context, field) (((const struct ct_context *)(context))->field)

static ct_warp Shared;

static uint32_t ct_sm() { return 5; }
static uint32_t __clz(uint32_t Value) { return static_cast<uint32_t>(__builtin_clz(Value)); }

static uint64_t shared(uint32_t At) { return reinterpret_cast<uint64_t>(&Shared) + At; }

static uint32_t ct_load8(uint64_t Address) { return load<uint8_t>(Address); }
static uint32_t ct_load16(uint64_t Address) { return load<uint16_t>(Address); }
static uint32_t ct_load(uint64_t Address) { return load<uint32_t>(Address); }
static uint64_t ct_load64(uint64_t Address) { return load<uint64_t>(Address); }
static void ct_load4(uint64_t Address, uint32_t *A, uint32_t *B, uint32_t *C, uint32_t *D) {
  *A = ct_load(Address);
  *B = ct_load(Address + 4);
  *C = ct_load(Address + 8);
  *D = ct_load(Address + 12);
}
static uint64_t ct_word_at(uint64_t Words, uint32_t Index) { return Words + 4ull * Index; }
static void ct_store64_pair(uint64_t Address, uint64_t First, uint64_t Second) {
  store(Address, First);
  store(Address + 8, Second);
}
static void ct_load64_pair(uint64_t Address, uint64_t *First, uint64_t *Second) {
  *First = ct_load64(Address);
  *Second = ct_load64(Address + 8);
}
static void ct_reduce_add(uint64_t Address, uint64_t Value) {
  store(Address, load<uint64_t>(Address) + Value);
}
static void ct_reduce_add_if(bool IsDue, uint64_t Address, uint64_t Value) {
  if (IsDue)
    ct_reduce_add(Address, Value);
}
static void ct_reduce_or(uint64_t Address, uint64_t Bits) {
  store(Address, load<uint64_t>(Address) | Bits);
}
static void ct_reduce_or32(uint64_t Address, uint32_t Bits) {
  store(Address, load<uint32_t>(Address) | Bits);
}
static void ct_reduce_max(uint64_t Address, uint64_t Value) {
  if (load<uint64_t>(Address) < Value)
    store(Address, Value);
}
static void ct_reduce_max32(uint64_t Address, uint32_t Value) {
  if (load<uint32_t>(Address) < Value)
    store(Address, Value);
}
static uint32_t bitsOf(float Value) {
  uint32_t Bits;
  memcpy(&Bits, &Value, 4);
  return Bits;
}
static float floatOf(uint32_t Bits) {
  float Value;
  memcpy(&Value, &Bits, 4);
  return Value;
}
static bool ct_is_small_whole(uint32_t Bits) {
  float Whole = floatOf(Bits) + 12582912.0f;
  return bitsOf(Whole - 12582912.0f) == Bits && fabsf(floatOf(Bits)) <= 2048;
}
static uint32_t ct_whole_part(uint32_t Bits) { return bitsOf(truncf(floatOf(Bits))); }
// To 11 bits from 2^-24 on, and below 65520; NaN is not asked for.
static uint32_t ct_through_half(uint32_t Bits) {
  float Value = floatOf(Bits), Size = fabsf(Value);
  if (!(Size < 65520))
    return Size > 0 ? bitsOf(copysignf(INFINITY, Value)) : Bits;
  float Unit = Size < 0x1p-14f ? 0x1p-24f : ldexpf(1, ilogbf(Size) - 10);
  return bitsOf(copysignf(rintf(Size / Unit) * Unit, Value));
}

static uint32_t ct_most_lanes(uint32_t Mask, uint32_t Value) {
  const uint64_t *Values = collect(Mask, Value);
  uint32_t Most = 0;
  for (uint32_t Lane = 0; Lane < CT_WARP_LANES; Lane++)
    if (Mask >> Lane & 1 && Values[Lane] > Most)
      Most = static_cast<uint32_t>(Values[Lane]);
  return Most;
}
[[maybe_unused]] static uint32_t ct_ticket(uint32_t, uint32_t, uint32_t, uint32_t) { return 0; }
[[maybe_unused]] static bool ct_is_turn(uint32_t, uint32_t, uint32_t, uint32_t) { return true; }
[[maybe_unused]] static void ct_turn_end(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t) {}
[[maybe_unused]] static void ct_warp_yield(uint32_t) {}
[[maybe_unused]] static uint64_t ct_reserve(uint32_t, uint32_t, uint32_t) { return 0; }

#include "device-rt/summary.cuh"

static const struct summary_case *Case;

static void summariseLane(uint32_t Lane) {
  uint64_t Values[CT_GROUP_MEMBERS] = {}, Distances[CT_GROUP_MEMBERS] = {};

  for (uint32_t K = 0; K < SUMMARY_MEMBERS; K++) {
    Values[K] = Case->member[K][Lane];
    Distances[K] = Case->distance[K];
  }
  if (Case->way == SUMMARY_GROUP)
    return ct_summary_group(0, Case->site, Case->element, Case->bytes, SUMMARY_MEMBERS, Values,
                            Distances, Case->address[Lane], Case->mask);
  if (Case->way == SUMMARY_INLINE)
    return ct_summary_inline(0, Case->site, 0, Case->element, Case->bytes, Case->low[Lane],
                             Case->high[Lane], Case->address[Lane], Case->mask);
  for (uint32_t At = 0; At < Case->bytes; At += CT_VALUE_BYTES_MAX)
    ct_summary_value(0, Case->site, At / CT_VALUE_BYTES_MAX, Case->element,
                     Case->bytes - At < CT_VALUE_BYTES_MAX ? Case->bytes - At : CT_VALUE_BYTES_MAX,
                     Case->low[Lane], Case->high[Lane], Case->address[Lane] + At, Case->mask);
}

void device_summary(const struct summary_case *Which) {
  uint64_t Table[CT_COUNTS_AREAS] = {0};
  struct ct_context Context = {};

  Case = Which;
  Table[7] = reinterpret_cast<uint64_t>(Which->area);
  Context.counts = reinterpret_cast<uint64_t>(Table);
  // Hooks that are inlined are those of kernels whose entry knows the tier.
  auto *Begin = Which->way == SUMMARY_ANY ? ct_count_begin : ct_summary_begin;
  Begin(0, reinterpret_cast<uint64_t>(&Context),
        CT_LAUNCH_VALUES | CT_COUNTS_FLAGS(7, Which->unit));
  runWarp(Which->mask, summariseLane);
}
