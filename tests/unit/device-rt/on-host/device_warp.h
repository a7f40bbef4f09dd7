// SPDX-License-Identifier: Apache-2.0
// A warp on the host, for tests of the device's sources: fibers that switch at its collectives.
#ifndef CT_TEST_DEVICE_WARP_H
#define CT_TEST_DEVICE_WARP_H

#include <cstring>
#include <cudatrace/record.h>
#include <cudatrace/ring.h>
#include <ucontext.h>

namespace {

constexpr size_t StackBytes = 128 * 1024;

struct Warp {
  ucontext_t Main;
  ucontext_t Context[CT_WARP_LANES];
  char Stack[CT_WARP_LANES][StackBytes];
  uint32_t Alive;
  uint32_t Lane; // the one that runs
  uint32_t Arrived;
  uint32_t Generation[CT_WARP_LANES]; // of each lane: collectives so far
  uint64_t Value[CT_WARP_LANES];
  uint64_t Result[CT_WARP_LANES][CT_WARP_LANES]; // for each lane: of its last collective
  void (*Body)(uint32_t Lane);
  uint64_t Cursor; // after the record
};

thread_local Warp W;

void yield() {
  uint32_t Self = W.Lane;
  do
    W.Lane = (W.Lane + 1) % CT_WARP_LANES;
  while (!(W.Alive >> W.Lane & 1));
  if (W.Lane != Self)
    swapcontext(&W.Context[Self], &W.Context[W.Lane]);
}

// The values of all lanes of Mask, once all have come. Groups of lanes may mix.
const uint64_t *collect(uint32_t Mask, uint64_t Value) {
  uint32_t Generation = W.Generation[W.Lane];
  W.Value[W.Lane] = Value;
  W.Arrived |= 1u << W.Lane;
  if ((W.Arrived & Mask) == Mask) {
    W.Arrived &= ~Mask;
    for (uint32_t Rest = Mask; Rest; Rest &= Rest - 1) {
      uint32_t Lane = static_cast<uint32_t>(__builtin_ctz(Rest));
      memcpy(W.Result[Lane], W.Value, sizeof(W.Value));
      W.Generation[Lane]++;
    }
  }
  while (W.Generation[W.Lane] == Generation)
    yield();
  return W.Result[W.Lane];
}

void runLane() {
  W.Body(W.Lane);
  W.Alive &= ~(1u << W.Lane);
  if (!W.Alive)
    setcontext(&W.Main);
  while (!(W.Alive >> W.Lane & 1))
    W.Lane = (W.Lane + 1) % CT_WARP_LANES;
  setcontext(&W.Context[W.Lane]);
}

void runWarp(uint32_t Mask, void (*Body)(uint32_t)) {
  W.Alive = Mask;
  W.Arrived = 0;
  W.Body = Body;
  for (uint32_t Lane = 0; Lane < CT_WARP_LANES; Lane++) {
    getcontext(&W.Context[Lane]);
    W.Context[Lane].uc_stack.ss_sp = W.Stack[Lane];
    W.Context[Lane].uc_stack.ss_size = StackBytes;
    makecontext(&W.Context[Lane], runLane, 0);
  }
  W.Lane = static_cast<uint32_t>(__builtin_ctz(Mask));
  swapcontext(&W.Main, &W.Context[W.Lane]);
}

} // namespace

static uint64_t __shfl_sync(uint32_t Mask, uint64_t Value, uint32_t Lane) {
  return collect(Mask, Value)[Lane];
}

static uint32_t __ballot_sync(uint32_t Mask, bool Holds) {
  const uint64_t *Values = collect(Mask, Holds);
  uint32_t Ballot = 0;
  for (uint32_t Lane = 0; Lane < CT_WARP_LANES; Lane++)
    Ballot |= static_cast<uint32_t>((Mask >> Lane & 1) && Values[Lane]) << Lane;
  return Ballot;
}

[[maybe_unused]] static uint32_t __match_any_sync(uint32_t Mask, uint64_t Value) {
  const uint64_t *Values = collect(Mask, Value);
  uint32_t Equal = 0;
  for (uint32_t Lane = 0; Lane < CT_WARP_LANES; Lane++)
    Equal |= static_cast<uint32_t>((Mask >> Lane & 1) && Values[Lane] == Value) << Lane;
  return Equal;
}

static bool __all_sync(uint32_t Mask, bool Holds) { return __ballot_sync(Mask, Holds) == Mask; }
[[maybe_unused]] static bool __any_sync(uint32_t Mask, bool Holds) {
  return __ballot_sync(Mask, Holds) != 0;
}
static void __syncwarp(uint32_t Mask = CT_FULL_MASK) { collect(Mask, 0); }
static uint32_t __popc(uint32_t Value) { return static_cast<uint32_t>(__builtin_popcount(Value)); }
static uint32_t __ffs(uint32_t Value) { return Value ? 1 + __builtin_ctz(Value) : 0; }

#endif
