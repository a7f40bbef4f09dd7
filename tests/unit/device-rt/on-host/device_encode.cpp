// SPDX-License-Identifier: Apache-2.0
// The device's encoder (device-rt/) on the host: a warp of fibers that switch
// at its collectives. C++ because the device's sources are.
#include "tests/unit/device-rt/device_encode.h"
#include "tests/unit/device-rt/on-host/device_memory.h"

// These stand for device-rt/ptx.cuh, slot.cuh and count.cuh to the encoder.
#define CT_DEVICE_RT_PTX_H
#define CT_DEVICE_RT_PTX_SHARED_H
#define CT_DEVICE_RT_SLOT_H
#define CT_DEVICE_RT_COUNT_H
#define CT_DEVICE_RT_COUNT_LOOP_H
#define CT_INLINE [[maybe_unused]] static inline
#define CT_OUT_OF_LINE [[maybe_unused]] static
#define CT_RARE CT_OUT_OF_LINE
#define CT_RECORDS CT_OUT_OF_LINE
enum { STATE_cursor, STATE_groups, STATE_mode, STATE_first };
#define CT_AT(warp, field) (0u * (warp) + STATE_##field)
enum : uint32_t { CT_MODE_OFF, CT_MODE_RECORD, CT_MODE_COUNT };
#define CT_CURSOR_IDLE 1u
#define CT_ROOM_BYTES 288u
#define ct_is_sm80() false

static uint64_t Record[CT_CHUNK_BYTES / 8];

static uint32_t ct_ticket(uint32_t, uint32_t, uint32_t, uint32_t) { return 0; }
static bool ct_is_turn(uint32_t, uint32_t, uint32_t, uint32_t) { return true; }
static void ct_turn_end(uint32_t, uint32_t Mask, uint32_t, uint32_t, uint32_t) { __syncwarp(Mask); }
static void ct_warp_yield(uint32_t) {}
static uint64_t ct_reserve(uint32_t, uint32_t, uint32_t) {
  return reinterpret_cast<uint64_t>(Record);
}
static void ct_shared_store64(uint32_t, uint64_t Value) { W.Cursor = Value; }
static uint32_t Mode = CT_MODE_RECORD;
static uint32_t ct_shared_load(uint32_t Field) { return Field == STATE_mode ? Mode : ~0u; }
static void ct_shared_load_pair(uint32_t, uint64_t *Cursor, uint64_t *End) {
  *Cursor = reinterpret_cast<uint64_t>(Record);
  *End = *Cursor + CT_CHUNK_BYTES;
}
static void ct_shared_store(uint32_t, uint32_t) {}
static const struct device_case *Case;
static struct device_counted *Counted;
static uint32_t Counts;
static void ct_count(uint32_t, uint64_t Site, uint64_t Address, uint64_t Bytes, uint32_t) {
  Counted->address[Site - Case->site][W.Lane] = Address;
  Counted->bytes[Site - Case->site][W.Lane] += Bytes;
  Counts++;
}
static void ct_count_group(uint32_t, uint32_t Site, uint64_t Address, uint64_t Bytes, uint32_t,
                           uint32_t Count, uint64_t D1, uint64_t D2, uint64_t D3, uint64_t D4,
                           uint64_t D5) {
  const uint64_t Distances[] = {0, D1, D2, D3, D4, D5};
  for (uint32_t I = 0; I <= Count; I++)
    ct_count(0, Site + I, Address + Distances[I], Bytes, 0);
}
static uint32_t ct_count_loop(uint32_t, uint32_t, uint32_t, uint64_t, uint64_t) { return 0; }

#include "device-rt/append.cuh"
#include "device-rt/content.cuh"
#include "device-rt/encode.cuh"
#include "device-rt/group.cuh"
#include "device-rt/value.cuh"

static uint32_t stateOf(uint32_t Lane) { return Case->off >> Lane & 1 ? CT_STATE_OFF : 0; }

// The inlined path takes the states of all its lanes to be the warp's.
static void accessLane(uint32_t Lane) {
  if (Case->off)
    ct_record(stateOf(Lane), Case->site, Case->low[Lane], Case->bytes, Case->mask, 0);
  else
    ct_access(0, Case->site, Case->low[Lane], Case->bytes, Case->mask);
}

static void valueLane(uint32_t Lane) {
  ct_value(stateOf(Lane), Case->site, Case->part, Case->bytes, Case->low[Lane], Case->high[Lane],
           Case->mask);
}

static void rangeLane(uint32_t Lane) {
  ct_write_range(0, Case->mask, Case->site, Case->low[Lane], Case->high[Lane]);
}

static void aloneLane(uint32_t Lane) {
  ct_access_alone(0, Case->site, Case->low[Lane], Case->bytes, Case->mask);
}

static uint32_t encode(const struct device_case *Which, uint64_t *Words, void (*Body)(uint32_t)) {
  Case = Which;
  memset(Record, 0xee, sizeof(Record));
  W.Cursor = reinterpret_cast<uint64_t>(Record);
  runWarp(Which->mask, Body);
  uint64_t Bytes = W.Cursor - reinterpret_cast<uint64_t>(Record);
  memcpy(Words, Record, Bytes);
  return static_cast<uint32_t>(Bytes / 8);
}

uint32_t device_encode_access(const struct device_case *Which, uint64_t *Words) {
  return encode(Which, Words, accessLane);
}

uint32_t device_encode_value(const struct device_case *Which, uint64_t *Words) {
  return encode(Which, Words, valueLane);
}

static struct {
  uint32_t Site, Count, Mask;
  const uint64_t *Iterations, *const *Table, *Distance;
} Several;

static void loopLane(uint32_t Lane) {
  ct_loop_record(0, Several.Site, Several.Count, Several.Iterations[Lane],
                 reinterpret_cast<uint64_t>(Several.Table[Lane]), Several.Mask);
}

static void groupLane(uint32_t) {
  uint64_t D[CT_GROUP_MEMBERS - 1] = {};
  for (uint32_t Member = 0; Member < Several.Count; Member++)
    D[Member] = Several.Distance[Member];
  ct_group_define(0, Several.Mask, Several.Site, 3, Several.Count, D[0], D[1], D[2], D[3], D[4]);
}

uint32_t device_encode_loop(uint32_t Site, uint32_t Count, uint32_t Mask,
                            const uint64_t *Iterations, const uint64_t *const *Table,
                            uint64_t *Words) {
  struct device_case Which = {};
  Which.mask = Mask;
  Several = {Site, Count, Mask, Iterations, Table, nullptr};
  return encode(&Which, Words, loopLane);
}

uint32_t device_encode_group(uint32_t Site, uint32_t Count, uint32_t Mask, const uint64_t *Distance,
                             uint64_t *Words) {
  struct device_case Which = {};
  Which.mask = Mask;
  Several = {Site, Count, Mask, nullptr, nullptr, Distance};
  return encode(&Which, Words, groupLane);
}

uint32_t device_encode_range(const struct device_case *Which, uint64_t *Words) {
  return encode(Which, Words, rangeLane);
}

static const uint64_t (*GroupValues)[CT_WARP_LANES];

static void groupValuesLane(uint32_t Lane) {
  uint64_t V[CT_GROUP_MEMBERS] = {};
  for (uint32_t Member = 0; Member < Several.Count; Member++)
    V[Member] = GroupValues[Member][Lane];
  ct_values_of_group(0, Several.Site, Case->bytes, Several.Count, V[0], V[1], V[2], V[3], V[4],
                     V[5]);
}

uint32_t device_encode_group_values(uint32_t Site, uint32_t Bytes, uint32_t Count,
                                    const uint64_t (*Value)[CT_WARP_LANES], uint64_t *Words) {
  struct device_case Which = {};
  Which.mask = CT_FULL_MASK;
  Which.bytes = Bytes;
  Several = {Site, Count, CT_FULL_MASK, nullptr, nullptr, nullptr};
  GroupValues = Value;
  return encode(&Which, Words, groupValuesLane);
}

static uint64_t *Contents;
static uint32_t ContentWords;

// One record at a time: each begins where the one before did.
static void contentLane(uint32_t Lane) {
  uint64_t Bytes = Case->high[Lane];
  for (uint64_t Offset = 0;;) {
    uint32_t Lanes = ct_lanes_where(Case->mask, Bytes > Offset), Done = 0;
    if (!Lanes)
      return;
    if (Bytes > Offset)
      Done = ct_content_write(0, Case->site, Lanes, Case->low[Lane] + Offset, Bytes - Offset,
                              static_cast<uint32_t>(Offset));
    __syncwarp(Case->mask);
    if (Lane == static_cast<uint32_t>(__builtin_ctz(Case->mask))) {
      uint64_t Written = W.Cursor - reinterpret_cast<uint64_t>(Record);
      memcpy(Contents + ContentWords, Record, Written);
      ContentWords += static_cast<uint32_t>(Written / 8);
    }
    __syncwarp(Case->mask);
    Offset += __shfl_sync(Case->mask, Done, __builtin_ctz(Lanes));
  }
}

uint32_t device_encode_content(const struct device_case *Which, uint64_t *Words) {
  uint64_t Ignored[CT_RECORD_BYTES_MAX / 8];
  Contents = Words;
  ContentWords = 0;
  encode(Which, Ignored, contentLane);
  return ContentWords;
}

static void leaderLane(uint32_t Lane) {
  uint64_t D[CT_GROUP_MEMBERS - 1] = {};
  for (uint32_t Member = 0; Member < Several.Count; Member++)
    D[Member] = Several.Distance[Member];
  ct_group_record(0, static_cast<uint32_t>(Case->site), Case->low[Lane], Case->bytes, Case->mask, 3,
                  Several.Count, D[0], D[1], D[2], D[3], D[4]);
}

uint32_t device_encode_leader(const struct device_case *Which, uint64_t *Words) {
  Several = {};
  return encode(Which, Words, leaderLane);
}

uint32_t device_encode_alone(const struct device_case *Which, uint64_t *Words) {
  return encode(Which, Words, aloneLane);
}

static uint32_t count(const struct device_case *Which, struct device_counted *Into,
                      void (*Body)(uint32_t)) {
  memset(Into, 0, sizeof(*Into));
  Case = Which;
  Counted = Into;
  Counts = 0;
  Mode = CT_MODE_COUNT;
  runWarp(Which->mask, Body);
  Mode = CT_MODE_RECORD;
  return Counts;
}

uint32_t device_count_group(const struct device_case *Which, uint32_t Count,
                            const uint64_t *Distance, struct device_counted *Into) {
  Several = {0, Count, 0, nullptr, nullptr, Distance};
  return count(Which, Into, leaderLane);
}

uint32_t device_count_alone(const struct device_case *Which, struct device_counted *Into) {
  return count(Which, Into, aloneLane);
}
