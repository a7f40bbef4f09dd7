/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels around a launch that is counted: its objects before it, its figures after it
 * (counts.h). */
#ifndef CT_DEVICE_RT_COUNT_KERNELS_H
#define CT_DEVICE_RT_COUNT_KERNELS_H

#include "device-rt/ptx.cuh"
#include <cudatrace/counts.h>
#include <cudatrace/summary.h>

#define CT_COUNT_THREADS 256u
#define CT_COUNT_WARPS (CT_COUNT_THREADS / 32)
/* Words of an object's map that a CTA adds up at once. */
#define CT_COUNT_THREAD_WORDS 4u
#define CT_COUNT_PIECE (CT_COUNT_THREAD_WORDS * CT_COUNT_THREADS)

/* One lane: room for so many entries side by side; false, and they count as dropped, if there is
 * none. */
static __device__ bool ct_counts_reserve(struct ct_counts_ring *ring, uint32_t count,
					 unsigned long long *to)
{
	unsigned long long *head = (unsigned long long *)&ring->head,
			   at = *(volatile uint64_t *)head;

	for (unsigned long long seen;; at = seen) {
		if (at + count - *(volatile uint64_t *)&ring->tail > CT_COUNTS_ENTRIES) {
			atomicAdd((unsigned long long *)&ring->dropped, count);
			return false;
		}
		seen = atomicCAS(head, at, at + count);
		if (seen == at)
			break;
	}
	*to = at;
	return true;
}

static __device__ struct ct_counts_entry *ct_counts_entry_at(const struct ct_counts_ring *ring,
							     unsigned long long at)
{
	return (struct ct_counts_entry *)ring->entries + at % CT_COUNTS_ENTRIES;
}

/* All but the mark, which says that the rest is there, and comes after a fence. */
static __device__ void ct_counts_put(struct ct_counts_ring *ring, unsigned long long at,
				     const struct ct_counts_entry &entry)
{
	struct ct_counts_entry *to = ct_counts_entry_at(ring, at);

	to->launch = entry.launch;
	to->kind = entry.kind;
	for (int i = 0; i < 4; i++)
		to->value[i] = entry.value[i];
	to->index = entry.index;
	to->area = entry.area;
}

static __device__ void ct_counts_mark(struct ct_counts_ring *ring, unsigned long long at)
{
	*(volatile uint64_t *)&ct_counts_entry_at(ring, at)->mark = at + 1;
}

/* The id of an object's number; of several CT_NONE. */
static __device__ uint32_t ct_counts_object_of(const struct ct_counts_object *objects,
					       uint32_t first, uint32_t last)
{
	return first != last ? CT_NONE : last ? objects[last - 1].object : 0;
}

/* The greatest over a warp. */
static __device__ uint64_t ct_counts_most(uint64_t value)
{
	for (uint32_t lanes = 16; lanes; lanes /= 2) {
		uint64_t other = __shfl_xor_sync(~0u, value, lanes);

		value = other > value ? other : value;
	}
	return value;
}

static __device__ uint64_t ct_counts_sum(uint64_t value)
{
	for (uint32_t lanes = 16; lanes; lanes /= 2)
		value += __shfl_xor_sync(~0u, value, lanes);
	return value;
}

static_assert(CT_SUMMARY_MAPS == 64, "a lane has two maps");

/* A warp: the rows of one site's summary in one, with the object's id for its hint, and cleared.
 * A lane has the head of a row, then two maps of all rows. */
static __device__ void ct_counts_summary(struct ct_counts_area *area, struct ct_counts_summary *sum,
					 uint32_t index)
{
	struct ct_counts_summary *first = (struct ct_counts_summary *)area->summaries + index, own;
	uint64_t step = area->site_count + 1ull;
	uint32_t lane = ct_lane(), properties = 0, maps[2] = {0, 0};

	own.high = own.low = own.last = own.first = 0;
	if (lane < CT_SUMMARY_ROWS) {
		struct ct_counts_summary *from = first + lane * step;

		own.high = from->high;
		own.low = from->low;
		properties = from->properties;
		own.last = from->last;
		own.first = from->first;
		from->high = from->low = 0;
		from->properties = from->last = from->first = 0;
		from->own = from->group = {};
	}
#pragma unroll
	for (uint32_t row = 0; row < CT_SUMMARY_ROWS; row++)
		for (uint32_t i = 0; i < 2; i++)
			maps[i] |= first[row * step].map[lane + 32 * i];
#pragma unroll
	for (uint32_t row = 0; row < CT_SUMMARY_ROWS; row++)
		for (uint32_t i = 0; i < 2; i++)
			first[row * step].map[lane + 32 * i] = 0;
	for (uint32_t lanes = 16; lanes; lanes /= 2)
		properties |= __shfl_xor_sync(~0u, properties, lanes);
	own.high = ct_counts_most(own.high);
	own.low = ct_counts_most(own.low);
	own.last = (uint32_t)ct_counts_most(own.last);
	own.first = (uint32_t)ct_counts_most(own.first);
	if (lane == 0) {
		sum->high = own.high;
		sum->low = own.low;
		sum->properties = properties;
		sum->last = own.last;
		sum->first = own.first;
		sum->hint =
		    own.first ? ct_counts_object_of((const struct ct_counts_object *)area->objects,
						    ~own.first, own.last)
			      : 0;
	}
	for (uint32_t i = 0; i < 2; i++)
		sum->map[lane + 32 * i] = maps[i];
	__syncwarp();
}

/* A warp: the entry of a site, and its summary behind it, an entry by each lane. */
static __device__ void ct_counts_values(struct ct_counts_area *area, struct ct_counts_ring *ring,
					struct ct_counts_entry entry, uint32_t index)
{
	__shared__ struct ct_counts_summary sums[CT_COUNT_WARPS];
	struct ct_counts_summary *sum = &sums[threadIdx.x / 32];
	uint32_t lane = ct_lane(), has_room = 0;
	unsigned long long at = 0;

	ct_counts_summary(area, sum, index);
	if (lane == 0) {
		atomicAdd((unsigned long long *)&area->found, CT_COUNTS_SITE_ENTRIES);
		has_room = ct_counts_reserve(ring, CT_COUNTS_SITE_ENTRIES, &at);
	}
	at = __shfl_sync(~0u, at, 0);
	if (__shfl_sync(~0u, has_room, 0) && lane < CT_COUNTS_SITE_ENTRIES) {
		if (lane) {
			entry.kind = lane > 1 ? CT_COUNTS_MAPS : CT_COUNTS_VALUES;
			for (uint32_t k = 0; k < 4; k++)
				entry.value[k] = ((const uint64_t *)sum)[4 * (lane - 1) + k];
		}
		ct_counts_put(ring, at + lane, entry);
		__threadfence_system();
		ct_counts_mark(ring, at + lane);
	}
	__syncwarp();
}

/* A warp: the replicas of one site in one, the first, for the last CTA to find; in tier values to
 * the ring at once. The others are cleared. */
static __device__ void ct_counts_site(struct ct_counts_area *area, struct ct_counts_ring *ring,
				      struct ct_counts_entry entry, uint32_t index)
{
	struct ct_counts_site *sites = (struct ct_counts_site *)area->sites + index;
	uint64_t value[4] = {0, 0, 0, 0};

	for (uint32_t row = ct_lane(); row < CT_COUNTS_REPLICAS; row += 32) {
		struct ct_counts_site *site = sites + row * (area->site_count + 1ull), own = *site;

		for (int i = 0; i < 4; i++)
			value[i] += own.value[i];
		if (own.value[0] | own.value[1])
			*site = {};
	}
	if (!__any_sync(~0u, value[0] != 0))
		return;
	for (int i = 0; i < 4; i++)
		entry.value[i] = ct_counts_sum(value[i]);
	entry.kind = CT_COUNTS_SITE;
	entry.index = index;
	if (area->summaries)
		ct_counts_values(area, ring, entry, index);
	else if (ct_lane() == 0)
		for (int i = 0; i < 4; i++)
			sites->value[i] = entry.value[i];
}

/* The sites that a launch may have counted: `count` from `first` on, and behind them that of no
 * unit here. */
struct ct_counts_range {
	uint32_t first, count;
};

static __device__ struct ct_counts_range ct_counts_range_of(const struct ct_counts_area *area,
							    uint32_t unit)
{
	const struct ct_counts_unit *own = (const struct ct_counts_unit *)area->units + unit;

	if (area->foreign)
		return {0, area->site_count};
	return {own->first, own->sites};
}

static __device__ uint32_t ct_counts_site_at(const struct ct_counts_area *area,
					     struct ct_counts_range range, uint32_t i)
{
	return i < range.count ? range.first + i : area->site_count;
}

static __device__ void ct_counts_sites(struct ct_counts_area *area, struct ct_counts_ring *ring,
				       const struct ct_counts_entry *entry,
				       struct ct_counts_range range)
{
	uint32_t warp = blockIdx.x * CT_COUNT_WARPS + threadIdx.x / 32;

	for (uint32_t i = warp; i <= range.count; i += gridDim.x * CT_COUNT_WARPS)
		ct_counts_site(area, ring, *entry, ct_counts_site_at(area, range, i));
}

/* Where an object's words are in a map, and how many. */
struct ct_counts_words {
	uint64_t first, count;
};

/* All threads: one piece of both maps of an object; cleared. All words are asked for before any is
 * waited for. */
static __device__ void ct_counts_piece(struct ct_counts_area *area, uint32_t object,
				       const struct ct_counts_words *words, uint64_t piece)
{
	uint64_t *from = (uint64_t *)area->bits + words->first + piece + threadIdx.x;
	uint64_t left = words->count - piece, word[2][CT_COUNT_THREAD_WORDS], sum = 0;

#pragma unroll
	for (uint32_t map = 0; map < 2; map++)
#pragma unroll
		for (uint32_t i = 0; i < CT_COUNT_THREAD_WORDS; i++)
			word[map][i] = i * CT_COUNT_THREADS + threadIdx.x < left
					   ? from[map * area->bit_words + i * CT_COUNT_THREADS]
					   : 0;
#pragma unroll
	for (uint32_t map = 0; map < 2; map++)
#pragma unroll
		for (uint32_t i = 0; i < CT_COUNT_THREAD_WORDS; i++) {
			sum += (uint64_t)__popcll(word[map][i]) << 32 * map;
			if (word[map][i])
				from[map * area->bit_words + i * CT_COUNT_THREADS] = 0;
		}
	if (!__any_sync(~0u, sum != 0))
		return;
	sum = ct_counts_sum(sum);
	if (ct_lane() < 2)
		atomicAdd((unsigned long long *)area->sums + 2 * object + ct_lane(),
			  sum >> 32 * ct_lane() & 0xffffffff);
}

/* The objects from `first` on, as many as there are threads; CTAs take pieces in turn. turn: pieces
 * until this CTA's next one; returns that of what follows. */
static __device__ uint64_t ct_counts_objects_of(struct ct_counts_area *area, uint32_t first,
						uint64_t turn)
{
	__shared__ struct ct_counts_words words[CT_COUNT_THREADS];
	uint32_t count = area->object_count - first;

	count = count < CT_COUNT_THREADS ? count : CT_COUNT_THREADS;
	__syncthreads();
	if (threadIdx.x < count) {
		const struct ct_counts_object *object =
		    (const struct ct_counts_object *)area->objects + first + threadIdx.x;
		uint64_t sectors = ((object->end - 1) >> CT_COUNTS_SECTOR_SHIFT) -
				   (object->start >> CT_COUNTS_SECTOR_SHIFT) + 1;

		words[threadIdx.x] = {object->first_bit / 64, (sectors + 63) / 64};
	}
	__syncthreads();
	for (uint32_t i = 0; i < count; i++) {
		uint64_t pieces = (words[i].count + CT_COUNT_PIECE - 1) / CT_COUNT_PIECE;

		for (; turn < pieces; turn += gridDim.x)
			ct_counts_piece(area, first + i, &words[i], turn * CT_COUNT_PIECE);
		turn -= pieces;
	}
	return turn;
}

static __device__ bool ct_counts_take(uint64_t *from, uint32_t count, struct ct_counts_entry *entry)
{
	bool is_any = false;

	for (uint32_t i = 0; i < count; i++) {
		entry->value[i] = ct_load_relaxed64((uint64_t)&from[i]);
		is_any |= entry->value[i] != 0;
	}
	for (uint32_t i = 0; is_any && i < count; i++)
		from[i] = 0;
	return is_any;
}

/* Returns the entry of the i-th of the sites and then the objects, and clears it; false: there is
 * none. */
static __device__ bool ct_counts_item(struct ct_counts_area *area, struct ct_counts_range range,
				      uint32_t i, struct ct_counts_entry *entry)
{
	uint32_t sites = area->summaries ? 0 : range.count + 1;

	if (i < sites) {
		entry->kind = CT_COUNTS_SITE;
		entry->index = ct_counts_site_at(area, range, i);
		return ct_counts_take(((struct ct_counts_site *)area->sites)[entry->index].value, 4,
				      entry);
	}
	i -= sites;
	if (!area->bits || i >= area->object_count)
		return false;
	entry->kind = CT_COUNTS_TOUCHED;
	entry->index = ((const struct ct_counts_object *)area->objects)[i].object;
	entry->value[2] = entry->value[3] = 0;
	return ct_counts_take((uint64_t *)area->sums + 2 * i, 2, entry);
}

/* All threads: how many before this one have it. */
static __device__ uint32_t ct_counts_rank(bool has)
{
	__shared__ uint32_t warps[CT_COUNT_WARPS];
	uint32_t mine = __ballot_sync(~0u, has), rank = __popc(mine & ((1u << ct_lane()) - 1));

	if (ct_lane() == 0)
		warps[threadIdx.x / 32] = __popc(mine);
	__syncthreads();
	for (uint32_t i = 0; i < threadIdx.x / 32; i++)
		rank += warps[i];
	return rank;
}

/* All threads: room for count entries, where it begins; false if there is none. */
static __device__ bool ct_counts_reserve_all(struct ct_counts_ring *ring, uint32_t count,
					     unsigned long long *at)
{
	__shared__ unsigned long long place;
	__shared__ bool has_room;

	if (threadIdx.x == 0)
		has_room = ct_counts_reserve(ring, count, &place);
	__syncthreads();
	*at = place;
	return has_room;
}

/* The last CTA: the entries of sites and objects, a thread for each of as many as there are
 * threads, and in the end that the launch is complete. Marks are the last that is written: then the
 * area is as before the launch. */
static __device__ void ct_counts_finish(struct ct_counts_area *area, struct ct_counts_ring *ring,
					struct ct_counts_entry entry, struct ct_counts_range range)
{
	const uint32_t items = range.count + 1 + area->object_count;
	uint64_t found = area->summaries ? ct_load_relaxed64((uint64_t)&area->found) : 0;
	struct ct_counts_entry done = entry;
	bool is_end = false;

	done.kind = CT_COUNTS_DONE;
	done.index = area->bits != 0 || area->summaries;
	for (uint32_t i = threadIdx.x; !is_end; i += CT_COUNT_THREADS) {
		bool has = i < items && ct_counts_item(area, range, i, &entry);
		uint32_t count = __syncthreads_count(has), rank = ct_counts_rank(has);
		unsigned long long at = 0;
		bool has_room;

		is_end = i - threadIdx.x + CT_COUNT_THREADS >= items;
		found += count;
		has_room = count + is_end && ct_counts_reserve_all(ring, count + is_end, &at);
		if (has && has_room)
			ct_counts_put(ring, at + rank, entry);
		if (is_end && threadIdx.x == 0) {
			done.value[0] = found;
			area->found = 0;
			area->foreign = 0;
			area->arrived = 0;
			area->launch++;
			if (has_room)
				ct_counts_put(ring, at + count, done);
		}
		__threadfence_system();
		__syncthreads();
		if (has && has_room)
			ct_counts_mark(ring, at + rank);
		if (is_end && has_room && threadIdx.x == 0)
			ct_counts_mark(ring, at + count);
	}
}

extern "C" __global__ void ct_counts_collect(struct ct_counts_area *area,
					     struct ct_counts_ring *ring, uint32_t launch,
					     uint32_t number, uint32_t unit)
{
	__shared__ bool is_last;
	struct ct_counts_range range = ct_counts_range_of(area, unit);
	struct ct_counts_entry entry = {};
	uint64_t turn = blockIdx.x;

	entry.launch = launch;
	entry.area = number;
	ct_counts_sites(area, ring, &entry, range);
	for (uint32_t i = 0; area->bits && i < area->object_count; i += CT_COUNT_THREADS)
		turn = ct_counts_objects_of(area, i, turn);
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0)
		is_last = atomicAdd(&area->arrived, 1) == gridDim.x - 1;
	__syncthreads();
	if (!is_last)
		return;
	__threadfence();
	ct_counts_finish(area, ring, entry, range);
}

/* The objects [first, first + count) of an area, and what changes with them. */
extern "C" __global__ void ct_counts_objects(struct ct_counts_area *area,
					     struct ct_counts_batch batch)
{
	struct ct_counts_object *objects = (struct ct_counts_object *)area->objects;

	for (uint32_t i = batch.objects + threadIdx.x; i < area->object_count; i += blockDim.x)
		objects[i] = {}; /* hints of sites may still name them */
	__syncthreads();
	if (threadIdx.x < batch.count)
		objects[batch.first + threadIdx.x] = batch.object[threadIdx.x];
	if (threadIdx.x == 0) {
		area->object_count = batch.objects;
		area->shared = batch.shared;
		area->bits = batch.bits;
		area->bit_words = batch.bit_words;
	}
}

extern "C" __host__ const void *__ct_counts_collect_kernel(void)
{
	return (const void *)ct_counts_collect;
}

extern "C" __host__ const void *__ct_counts_objects_kernel(void)
{
	return (const void *)ct_counts_objects;
}

#endif
