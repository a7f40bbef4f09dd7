// SPDX-License-Identifier: Apache-2.0
// The device's producer on host threads: every thread is a place for warps on an SM, one takes
// chunks out of a ring of two, one flushes beside the warps. What arrives must be what was
// recorded, warp by warp, as it comes, with values, and through the files of a trace. C++ because
// the device's sources are.
#include "tests/unit/device-rt/device_pool_trace.h"
#include "tests/unit/device-rt/on-host/device_atomics.h"
#include "tests/unit/device-rt/on-host/device_shared.h"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sched.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" {
#include "trace/codec/decode.h"
}

// These stand for CUDA and device-rt/ptx.cuh and count.cuh to the producer.
#define CT_DEVICE_RT_PTX_H
#define CT_DEVICE_RT_PTX_SHARED_H
#define CT_DEVICE_RT_COUNT_H
#define CT_DEVICE_RT_COUNT_LOOP_H
#define CT_DEVICE_RT_COUNT_KERNELS_H
#define CT_DEVICE_RT_DIGEST_H
static void ct_digest() {}
#define CT_INLINE [[maybe_unused]] static inline
#define CT_OUT_OF_LINE [[maybe_unused]] static
#define CT_RARE CT_OUT_OF_LINE
#define CT_RECORDS CT_OUT_OF_LINE
#define __shared__ thread_local
#define __global__
#define __host__
#define __align__(bytes) alignas(bytes)
#define __ldg(address) (*(address))

struct uint4 {
  uint32_t x, y, z, w;
};
struct Extent {
  uint32_t x, y, z;
};

static thread_local Extent blockIdx;
static const Extent gridDim = {1u << 20, 1, 1}, blockDim = {32, 1, 1};
static Extent thread() { return {W.Lane, 0, 0}; }
#define threadIdx thread()

static thread_local uint32_t Sm, WarpOfSm, MaskOf[CT_WARP_LANES];

static uint32_t ct_sm() { return Sm; }

/* No time passes here. */
static uint64_t ct_time() { return 0; }
static uint32_t ct_warp_of_sm() { return WarpOfSm; }
#define ct_is_sm80() false
static uint32_t __activemask() { return MaskOf[W.Lane]; }
static void __nanosleep(uint32_t) { sched_yield(); }
static uint64_t __cvta_generic_to_shared(const void *Address);

[[maybe_unused]] static uint32_t ct_shared_add(uint32_t At, uint32_t Value) {
  uint32_t Old = ct_shared_load(At);
  ct_shared_store(At, Old + Value);
  return Old;
}
#define CT_TICKETS ((1u << 20) - 1)
static void ct_ticket_init(uint32_t At) { ct_shared_store64(At, 0); }
static uint32_t ct_ticket_take(uint32_t At) {
  uint32_t Ticket = ct_shared_load(At);
  ct_shared_store(At, (Ticket + 1) % CT_TICKETS);
  return Ticket;
}
static void ct_fence_cta() {}

// Chunks that this thread has shipped.
static thread_local uint32_t Shipped;
#define ct_store_release_system(At, Value) (Shipped++, ct_store_release_system(At, Value))

static uint4 ct_load_stage(uint64_t Address) { return load<uint4>(Address); }
static void ct_store_ring(uint64_t Address, uint4 Value) { store(Address, Value); }

#include "device-rt/append.cuh"
static void ct_count(uint32_t, uint64_t, uint64_t, uint64_t, uint32_t) {}
static void ct_count_group(uint32_t, uint32_t, uint64_t, uint32_t, uint32_t, uint32_t, uint64_t,
                           uint64_t, uint64_t, uint64_t, uint64_t) {}
[[maybe_unused]] static uint32_t ct_count_loop(...) { return 0; }
#include "device-rt/encode.cuh"
#include "device-rt/group.cuh"
#include "device-rt/kernels.cu"
#include "device-rt/value.cuh"

static uint64_t shared(uint32_t At) { return reinterpret_cast<uint64_t>(ct_warps) + At; }
static uint64_t __cvta_generic_to_shared(const void *Address) {
  return static_cast<uint64_t>(static_cast<const char *>(Address) -
                               reinterpret_cast<const char *>(ct_warps));
}

namespace {

constexpr uint32_t Sms = 2, Places = 4, Slots = (Sms - 1) * 64 + 8, RingChunks = 2;
constexpr uint32_t Launches = 8, Ctas = 250;

struct Context {
  ct_context Fields;
  uint64_t Head, Tail, Waits, Losses[CT_LOSSES_WORDS], Pool[Slots];
  uint64_t Flags[RingChunks], Progress[CT_PROGRESS_STRIDE];
  uint32_t PollLock, Abort;
  alignas(16) char Stage[2][Slots][CT_CHUNK_BYTES], Ring[RingChunks][CT_CHUNK_BYTES];
} C;

uint64_t addressOf(void *Object) { return reinterpret_cast<uint64_t>(Object); }

void openContext() {
  C.Fields.stage = addressOf(C.Stage);
  C.Fields.pool = addressOf(C.Pool);
  C.Fields.head = addressOf(&C.Head);
  C.Fields.tail = addressOf(&C.Tail);
  C.Fields.poll_lock = addressOf(&C.PollLock);
  C.Fields.losses = addressOf(C.Losses);
  C.Fields.ring = addressOf(C.Ring);
  C.Fields.flags = addressOf(C.Flags);
  C.Fields.progress = addressOf(C.Progress);
  C.Fields.abort = addressOf(&C.Abort);
  C.Fields.waits = addressOf(&C.Waits);
  C.Fields.slots = Slots;
  C.Fields.ring_mask = RingChunks - 1;
  C.Fields.consumers = 1;
  for (uint32_t I = 0; I < Slots; I++)
    C.Pool[I] = CT_SLOT_EMPTY(CT_SLOT_START(I));
}

uint32_t Seed, TakeUs; // that a chunk takes the consumer

// A warp's work follows from the numbers of its launch and CTA.
uint32_t drawn(uint32_t Launch, uint32_t Cta, uint32_t I) {
  uint32_t H = Seed ^ Launch * 2654435761u ^ Cta * 40503u ^ I * 2246822519u;
  H ^= H >> 15;
  H *= 2246822519u;
  return H ^ H >> 13;
}

constexpr uint32_t GroupSite = 0, GroupCount = 3, SiteBytes[] = {4, 4, 8, 16};
uint64_t distance(uint32_t Launch, uint32_t K) { return 4096ull * K + 64 * Launch; }

// The I-th step: its kind, who takes part, and where. AloneStep: the group's first site alone.
constexpr uint32_t GroupStep = 2, AloneStep = 3;
struct Step {
  uint32_t Kind, Mask;
  uint64_t Base;
  uint32_t site() const { return Kind >= GroupStep ? GroupSite : Kind + 1; }
  // Steps of no group record what they move: 4 bytes, which grow by lane or do not, or 8.
  bool hasValue() const { return Kind < GroupStep; }
  uint64_t value(uint32_t Lane) const {
    uint64_t Low = Base % 3 ? drawn((uint32_t)Base, Lane, 8) : Lane * 3;
    return Kind == 0 ? (uint32_t)Low : Low << 32 | Lane;
  }
  uint64_t address(uint32_t Lane) const {
    uint64_t Random = drawn((uint32_t)Base, Lane, 7) % (1u << 22);
    return Base + (Kind == 1 ? Random * 4 : Lane * 4);
  }
};
// In some CTAs the lanes are never together.
bool isDivergent(uint32_t Launch, uint32_t Cta) { return drawn(Launch, Cta, 99) % 61 == 2; }
Step step(uint32_t Launch, uint32_t Cta, uint32_t I) {
  uint32_t H = drawn(Launch, Cta, I), Most = isDivergent(Launch, Cta) ? 16 : 5;
  // A first record that needs more room than there is for sure, by lanes apart.
  if (I == 0 && H % 4 == 0)
    return {AloneStep, ~0u >> 4, (1ull << 32) + (H % 9973) * 256ull};
  uint32_t Mask = H >> 28 < Most ? (H * 77u | 1u << (H % 32)) : CT_FULL_MASK;
  return {H / 7 % 4, Mask, (1ull << 32) + (H % 9973) * 256ull};
}
uint32_t steps(uint32_t Launch, uint32_t Cta) {
  uint32_t H = drawn(Launch, Cta, 99);
  return H % 61 == 1 || isDivergent(Launch, Cta) ? 200 : H % 8 == 0 ? 0 : H % 5;
}

thread_local uint32_t TheLaunch, TheCta;
std::atomic<uint32_t> AnnexSteps;
std::atomic<bool> ShippedApart; // lanes have, which had the annex

void takeStep(const Step &S, uint32_t Lane, uint32_t Mask) {
  uint32_t Warp = ct_warp_state(Lane);
  MaskOf[Lane] = Mask;
  if (S.Kind == AloneStep)
    ct_access_alone(Warp, GroupSite, S.address(Lane), 4, Mask);
  else if (S.Kind == GroupStep)
    (Mask == CT_FULL_MASK && ct_record_full(Warp, GroupSite, S.address(Lane), 4, 1u << 2)) ||
        (ct_group_record(Warp, GroupSite, S.address(Lane), 4, Mask, 2, GroupCount,
                         distance(TheLaunch, 1), distance(TheLaunch, 2), distance(TheLaunch, 3), 0,
                         0),
         true);
  else
    ct_access(Warp, S.site(), S.address(Lane), SiteBytes[S.site()], Mask);
  if (S.hasValue())
    ct_value(Warp, S.site(), 0, SiteBytes[S.site()], S.value(Lane), 0, Mask);
}

void warpLane(uint32_t Lane) {
  uint32_t Warp = ct_warp_state(Lane);
  if (Lane == 0)
    ct_warp_begin(Warp, addressOf(&C.Fields), TheLaunch);
  __syncwarp();
  if (!ct_warp_has_begun(Warp))
    ct_warp_begin_together(Warp, addressOf(&C.Fields), TheLaunch, CT_FULL_MASK);
  for (uint32_t I = 0; I < steps(TheLaunch, TheCta); I++) {
    Step S = step(TheLaunch, TheCta, I);
    bool First = S.Mask >> Lane & 1, InAnnex = ct_is_in_annex(Warp);
    uint32_t Before = Shipped;
    if (S.Mask == CT_FULL_MASK)
      takeStep(S, Lane, S.Mask);
    else // both sides of a branch, which may mix
      takeStep(S, Lane, First ? S.Mask : ~S.Mask);
    __syncwarp();
    AnnexSteps += InAnnex && Lane == 0;
    if (S.Mask != CT_FULL_MASK && !InAnnex && Shipped != Before)
      ShippedApart = true;
    __syncwarp();
  }
  // Others have returned before the last.
  if (uint32_t Last = isDivergent(TheLaunch, TheCta) ? 0xf0f0u : CT_FULL_MASK; Last >> Lane & 1)
    ct_warp_end(Warp, Last);
}

std::atomic<uint32_t> NextCta;
std::atomic<bool> Over, AllShipped;

// One place on an SM: takes CTAs of the launch until there are none.
void place(uint32_t Number, uint32_t Launch) {
  Sm = Number / Places;
  WarpOfSm = Number % 2; // some find their place taken
  TheLaunch = Launch;
  while ((TheCta = NextCta.fetch_add(1)) < Ctas) {
    blockIdx = {TheCta, 0, 0};
    runWarp(CT_FULL_MASK, warpLane);
  }
}

void launch(uint32_t Launch) {
  std::vector<std::thread> Threads;
  NextCta = 0;
  for (uint32_t I = 0; I < Sms * Places; I++)
    Threads.emplace_back(place, I, Launch);
  for (std::thread &T : Threads)
    T.join();
}

void flushLane(uint32_t) { ct_flush(addressOf(&C.Fields)); }
void flushAll() {
  for (uint32_t Slot = 0; Slot < Slots; Slot++) {
    uint64_t Word = ct_load_relaxed64(addressOf(&C.Pool[Slot]));
    if (Word == CT_SLOT_OWNED || CT_SLOT_FILL(Word) == CT_SLOT_AT(Word))
      continue; // as the kernel finds, too; saves the test a warp
    blockIdx = {Slot, 0, 0};
    runWarp(CT_FULL_MASK, flushLane);
  }
}
void flusher() {
  while (!Over) {
    flushAll();
    usleep(3000);
  }
}

std::vector<std::vector<char>> Chunks;
void consumer() {
  for (uint64_t Ticket = 0;; Ticket++) {
    uint64_t Index = Ticket % RingChunks, Flag;
    while (CT_FLAG_TAG(Flag = ct_load_acquire(addressOf(&C.Flags[Index]))) != Ticket + 1) {
      if (AllShipped && Ticket == __atomic_load_n(&C.Head, __ATOMIC_RELAXED))
        return;
      sched_yield();
    }
    if (TakeUs)
      usleep(TakeUs);
    Chunks.emplace_back(C.Ring[Index], C.Ring[Index] + CT_FLAG_BYTES(Flag));
    ct_store_release_system(addressOf(C.Progress), Ticket + 1);
  }
}

// One lane did this, in order.
struct Lane {
  uint64_t Count = 0, Hash = 0, Values = 0;
  static void mix(uint64_t &Hash, uint64_t Word) { Hash = Hash * 1099511628211ull + Word; }
  void add(uint64_t Site, uint64_t Address) {
    Count++;
    mix(Hash, Site << 48 ^ Address);
  }
};
struct WarpSeen {
  Lane Lanes[CT_WARP_LANES];
  uint32_t Segments = 0;
};
std::map<std::pair<uint32_t, uint64_t>, WarpSeen> Seen;
uint64_t Address[CT_WARP_LANES], Failures, Accesses;
WarpSeen *Now;
uint64_t InSegment = 1;

void fail(const char *What, uint32_t Launch, uint64_t Cta) {
  if (Failures++ < 10)
    fprintf(stderr, "launch %u CTA %llu: %s\n", Launch, (unsigned long long)Cta, What);
}

int onSegment(void *, const ct_segment *Segment) {
  if (!InSegment)
    fail("an empty segment is before this one", Segment->launch, Segment->cta);
  InSegment = 0;
  Now = &Seen[{Segment->launch, Segment->cta}];
  if (Segment->sequence != Now->Segments++)
    fail("a segment is not the next", Segment->launch, Segment->cta);
  return 1;
}
int onSite(void *, uint32_t, uint64_t Site, uint32_t *Bytes) {
  *Bytes = SiteBytes[Site % 4];
  return 0;
}
int onAccess(void *, uint64_t Site, const ct_decoded_access *Access) {
  InSegment++;
  for (uint32_t Rest = Access->mask; Rest; Rest &= Rest - 1) {
    Now->Lanes[__builtin_ctz(Rest)].add(Site, Address[__builtin_ctz(Rest)]);
    Accesses++;
  }
  return 0;
}

int onValue(void *, uint64_t Site, const ct_decoded_value *Value) {
  if (Value->bytes != SiteBytes[Site % 4] || Value->part)
    fail("a value is not its site's", 0, Site);
  InSegment++;
  for (uint32_t Rest = Value->mask; Rest; Rest &= Rest - 1) {
    uint64_t Word = 0;
    memcpy(&Word, Value->data[__builtin_ctz(Rest)], Value->bytes);
    Lane::mix(Now->Lanes[__builtin_ctz(Rest)].Values, Site << 48 ^ Word);
  }
  return 0;
}

void decodeAll() {
  ct_decoder Decoder = {};
  Decoder.value = onValue;
  Decoder.segment = onSegment;
  Decoder.site = onSite;
  Decoder.access = onAccess;
  Decoder.address = Address;
  for (const std::vector<char> &Chunk : Chunks)
    if (ct_decode(&Decoder, Chunk.data(), Chunk.size(), nullptr) != 0)
      fail("a chunk cannot be decoded", 0, 0);
}

void compareAll(bool WithValues) {
  for (uint32_t Launch = 1; Launch <= Launches; Launch++)
    for (uint32_t Cta = 0; Cta < Ctas; Cta++) {
      const WarpSeen &Warp = Seen[{Launch, Cta}];
      for (uint32_t L = 0; L < CT_WARP_LANES; L++) {
        Lane Expected;
        for (uint32_t I = 0; I < steps(Launch, Cta); I++) {
          Step S = step(Launch, Cta, I);
          Expected.add(S.site(), S.address(L));
          if (S.hasValue())
            Lane::mix(Expected.Values, (uint64_t)S.site() << 48 ^ S.value(L));
          for (uint32_t K = 1; S.Kind == GroupStep && K <= GroupCount; K++)
            Expected.add(GroupSite + K, S.address(L) + distance(Launch, K));
        }
        if (Expected.Count != Warp.Lanes[L].Count || Expected.Hash != Warp.Lanes[L].Hash)
          fail("a lane's accesses differ", Launch, Cta);
        if (WithValues && Expected.Values != Warp.Lanes[L].Values)
          fail("a lane's values differ", Launch, Cta);
      }
    }
}

void onFileAccess(uint32_t Launch, uint64_t Cta, uint32_t Site, uint32_t Mask,
                  const uint64_t *Address) {
  WarpSeen &Warp = Seen[{Launch, Cta}];
  for (uint32_t Rest = Mask; Rest; Rest &= Rest - 1)
    Warp.Lanes[__builtin_ctz(Rest)].add(Site, Address[__builtin_ctz(Rest)]);
}

void throughFiles() {
  std::vector<pool_chunk> Views;
  for (const std::vector<char> &Chunk : Chunks)
    Views.push_back({Chunk.data(), Chunk.size()});
  for (ct_codec Codec : {CT_CODEC_NONE, CT_CODEC_ZSTD, CT_CODEC_DELTA, CT_CODEC_DELTA_ZSTD}) {
    Seen.clear();
    if (pool_trace(Views.data(), Views.size(), Codec, Launches, Ctas, onFileAccess))
      fail("the trace does not hold it, codec", Codec, 0);
    compareAll(false);
  }
}

} // namespace

int main(int Count, char **Arguments) {
  Seed = Count > 1 ? (uint32_t)strtoul(Arguments[1], nullptr, 0) : 1;
  TakeUs = Count > 2 ? (uint32_t)strtoul(Arguments[2], nullptr, 0) : 0;
  openContext();
  std::thread Taker(consumer), Flusher(flusher);
  for (uint32_t Launch = 1; Launch <= Launches; Launch++)
    launch(Launch);
  Over = true;
  Flusher.join();
  std::thread(flushAll).join();
  AllShipped = true;
  Taker.join();
  decodeAll();
  compareAll(true);
  throughFiles();
  if (ShippedApart || !AnnexSteps)
    fail("parts of a warp shipped before their annex was full, or none was in one", 0, 0);
  for (uint64_t Loss : C.Losses)
    if (Loss)
      fail("chunks were lost", 0, 0);
  printf("%llu accesses in %zu chunks, %llu waits, %llu failures\n", (unsigned long long)Accesses,
         Chunks.size(), (unsigned long long)C.Waits, (unsigned long long)Failures);
  return Failures != 0;
}
