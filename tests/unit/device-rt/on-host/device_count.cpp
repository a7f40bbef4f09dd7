// SPDX-License-Identifier: Apache-2.0
// The device's counting on the host. C++ because the device's sources are.
#include "tests/unit/device-rt/device_count.h"
#include "tests/unit/device-rt/on-host/device_shared.h"

#include <cstddef>

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
static uint64_t ct_time() {
  static uint64_t Time;
  return Time += 32;
}
static uint32_t __clz(uint32_t Value) { return static_cast<uint32_t>(__builtin_clz(Value)); }

static uint64_t shared(uint32_t At) { return reinterpret_cast<uint64_t>(&Shared) + At; }

static uint32_t ct_load(uint64_t Address) { return load<uint32_t>(Address); }
static uint64_t ct_load64(uint64_t Address) { return load<uint64_t>(Address); }
static void ct_load64_pair(uint64_t Address, uint64_t *First, uint64_t *Second) {
  *First = ct_load64(Address);
  *Second = ct_load64(Address + 8);
}
static void ct_load64_pair_once(uint64_t Address, uint64_t *First, uint64_t *Second) {
  ct_load64_pair(Address, First, Second);
}
static void ct_reduce_add(uint64_t Address, uint64_t Value) {
  store(Address, load<uint64_t>(Address) + Value);
}
static void ct_reduce_or(uint64_t Address, uint64_t Bits) {
  store(Address, load<uint64_t>(Address) | Bits);
}
[[maybe_unused]] static uint32_t ct_ticket(uint32_t, uint32_t, uint32_t, uint32_t) { return 0; }
[[maybe_unused]] static bool ct_is_turn(uint32_t, uint32_t, uint32_t, uint32_t) { return true; }
[[maybe_unused]] static void ct_turn_end(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t) {}
[[maybe_unused]] static void ct_warp_yield(uint32_t) {}
[[maybe_unused]] static uint64_t ct_reserve(uint32_t, uint32_t, uint32_t) { return 0; }

static uint32_t ct_add_lanes(uint32_t Mask, uint32_t Value) {
  const uint64_t *Values = collect(Mask, Value);
  uint32_t Sum = 0;
  for (uint32_t Lane = 0; Lane < CT_WARP_LANES; Lane++)
    Sum += Mask >> Lane & 1 ? static_cast<uint32_t>(Values[Lane]) : 0;
  return Sum;
}

#include "device-rt/blocks.cuh"
#include "device-rt/count_loop.cuh"

static const struct count_case *Case;

static void countLoop(uint32_t Lane) {
  uint64_t Table[3 * CT_GROUP_MEMBERS];
  const uint32_t Count = Case->members + 1;

  for (uint32_t K = 0; K < Count; K++) {
    Table[3 * K] = Case->address[Lane] + (K ? Case->distance[K - 1] : 0);
    Table[3 * K + 1] = Case->step + Case->fan * Lane + Case->drift * K;
    Table[3 * K + 2] = Case->bytes[Lane];
  }
  ct_count_loop(0, static_cast<uint32_t>(Case->site), Count, Case->iterations,
                reinterpret_cast<uint64_t>(Table));
}

static void countLane(uint32_t Lane) {
  if (Case->iterations)
    countLoop(Lane);
  else if (Case->members)
    ct_count_group(0, static_cast<uint32_t>(Case->site), Case->address[Lane],
                   static_cast<uint32_t>(Case->bytes[Lane]), Case->mask, Case->members,
                   Case->distance[0], Case->distance[1], Case->distance[2], Case->distance[3],
                   Case->distance[4]);
  else if (Case->is_event)
    ct_count_event(0, Case->site, Case->mask);
  else if (Case->is_range)
    ct_count_range(0, Case->site, Case->address[Lane], Case->bytes[Lane], Case->mask);
  else
    ct_count(0, Case->site, Case->address[Lane], static_cast<uint32_t>(Case->bytes[Lane]),
             Case->mask);
}

void device_count(const struct count_case *Which) {
  uint64_t Table[CT_COUNTS_AREAS] = {0};
  struct ct_context Context = {};

  Case = Which;
  Table[7] = reinterpret_cast<uint64_t>(Which->area);
  Context.counts = reinterpret_cast<uint64_t>(Table);
  ct_count_begin(0, reinterpret_cast<uint64_t>(&Context), CT_COUNTS_FLAGS(7, Which->unit));
  runWarp(Which->mask, countLane);
}

static const struct block_case *Block;

// A loop that lanes leave one by one: those still in it take the step together.
static uint64_t stepsOf(uint32_t Lane) {
  uint64_t Steps = 0;

  for (uint64_t I = 0; I < Block->times[Lane]; I++) {
    uint32_t Mask = 0;

    for (uint32_t Other = 0; Other < CT_WARP_LANES; Other++)
      Mask |= static_cast<uint32_t>((Block->mask >> Other & 1) && I < Block->times[Other]) << Other;
    Steps += ct_block_step(Mask);
  }
  return Steps * Block->scale;
}

static void countBlock(uint32_t Lane) {
  struct ct_group G;

  if (Block->way == BLOCK_ONCE) {
    ct_group_init(&G, Block->mask);
    ct_block_write(Block->counters, Block->site, Block->others, &G, 1,
                   static_cast<uint64_t>(__builtin_popcount(Block->mask)));
  } else if (Block->way == BLOCK_TIMES) {
    ct_block_times(Block->counters, Block->site, Block->times[Lane], Block->mask);
  } else {
    ct_block_sum(Block->counters, Block->site, stepsOf(Lane), Block->mask);
  }
}

void device_block(const struct block_case *Which) {
  Block = Which;
  runWarp(Which->mask, countBlock);
}
