/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels around a launch that is counted: its objects before it, its figures after it
 * (counts.h). */
#ifndef CT_DEVICE_COUNT_KERNELS_CUH
#define CT_DEVICE_COUNT_KERNELS_CUH

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

static __device__ void ct_counts_put(struct ct_counts_ring *ring, unsigned long long at,
				     const struct ct_counts_entry &entry)
{
	struct ct_counts_entry *to =
	    (struct ct_counts_entry *)ring->entries + at % CT_COUNTS_ENTRIES;

	to->launch = entry.launch;
	to->kind = entry.kind;
	for (int i = 0; i < 4; i++)
		to->value[i] = entry.value[i];
	to->index = entry.index;
	to->area = entry.area;
	ct_store_release_system((uint64_t)&to->mark, at + 1);
}

static __device__ void ct_counts_append(struct ct_counts_ring *ring,
					const struct ct_counts_entry &entry)
{
	unsigned long long at;

	if (ct_counts_reserve(ring, 1, &at))
		ct_counts_put(ring, at, entry);
}

static __device__ void ct_counts_found(struct ct_counts_area *area, struct ct_counts_ring *ring,
				       const struct ct_counts_entry *entry)
{
	atomicAdd((unsigned long long *)&area->found, 1);
	ct_counts_append(ring, *entry);
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
	}
	__syncwarp();
}

/* A warp: sum the replicas of one site and clear them. */
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
		ct_counts_found(area, ring, &entry);
}

static __device__ void ct_counts_sites(struct ct_counts_area *area, struct ct_counts_ring *ring,
				       const struct ct_counts_entry *entry, uint32_t unit)
{
	const struct ct_counts_unit *own = (const struct ct_counts_unit *)area->units + unit;
	uint32_t first = area->foreign ? 0 : own->first;
	uint32_t end = area->foreign ? area->site_count : own->first + own->sites;
	uint32_t warp = blockIdx.x * CT_COUNT_WARPS + threadIdx.x / 32;

	for (uint32_t i = first + warp; i < end; i += gridDim.x * CT_COUNT_WARPS)
		ct_counts_site(area, ring, *entry, i);
	if (warp == 0)
		ct_counts_site(area, ring, *entry, area->site_count);
}

/* Where an object's words are in a map, and how many. */
struct ct_counts_words {
	uint64_t first, count;
};

/* All threads: one piece of both maps of an object; cleared. */
static __device__ void ct_counts_piece(struct ct_counts_area *area, uint32_t object,
				       const struct ct_counts_words *words, uint64_t piece)
{
	for (uint32_t map = 0; map < 2; map++) {
		uint64_t *from = (uint64_t *)area->bits + map * area->bit_words + words->first;
		uint64_t word[CT_COUNT_THREAD_WORDS], sum = 0;

#pragma unroll
		for (uint32_t i = 0; i < CT_COUNT_THREAD_WORDS; i++) {
			uint64_t at = piece + i * CT_COUNT_THREADS + threadIdx.x;

			word[i] = at < words->count ? from[at] : 0;
		}
#pragma unroll
		for (uint32_t i = 0; i < CT_COUNT_THREAD_WORDS; i++) {
			sum += __popcll(word[i]);
			if (word[i])
				from[piece + i * CT_COUNT_THREADS + threadIdx.x] = 0;
		}
		sum = ct_counts_sum(sum);
		if (sum && ct_lane() == 0)
			atomicAdd((unsigned long long *)area->sums + 2 * object + map, sum);
	}
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

/* The last CTA: what objects add up to, and that the launch is complete. */
static __device__ void ct_counts_finish(struct ct_counts_area *area, struct ct_counts_ring *ring,
					struct ct_counts_entry entry)
{
	uint64_t *sums = (uint64_t *)area->sums;

	for (uint32_t i = threadIdx.x; area->bits && i < area->object_count; i += blockDim.x) {
		uint64_t read = ct_load_relaxed64((uint64_t)&sums[2 * i]),
			 written = ct_load_relaxed64((uint64_t)&sums[2 * i + 1]);

		if (!(read | written))
			continue;
		entry.kind = CT_COUNTS_TOUCHED;
		entry.index = ((const struct ct_counts_object *)area->objects)[i].object;
		entry.value[0] = read;
		entry.value[1] = written;
		sums[2 * i] = sums[2 * i + 1] = 0;
		ct_counts_found(area, ring, &entry);
	}
	__syncthreads();
	if (threadIdx.x)
		return;
	entry.kind = CT_COUNTS_DONE;
	entry.index = area->bits != 0 || area->summaries;
	entry.value[0] = atomicExch((unsigned long long *)&area->found, 0);
	area->foreign = 0;
	area->arrived = 0;
	area->launch++;
	__threadfence();
	ct_counts_append(ring, entry);
}

extern "C" __global__ void ct_counts_collect(struct ct_counts_area *area,
					     struct ct_counts_ring *ring, uint32_t launch,
					     uint32_t number, uint32_t unit)
{
	__shared__ bool is_last;
	struct ct_counts_entry entry = {};
	uint64_t turn = blockIdx.x;

	entry.launch = launch;
	entry.area = number;
	ct_counts_sites(area, ring, &entry, unit);
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
	ct_counts_finish(area, ring, entry);
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
