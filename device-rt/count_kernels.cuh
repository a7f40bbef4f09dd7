/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels around a launch that is counted: its objects before it, its figures after it
 * (counts.h). */
#ifndef CT_DEVICE_COUNT_KERNELS_CUH
#define CT_DEVICE_COUNT_KERNELS_CUH

#include "device-rt/ptx.cuh"
#include <cudatrace/counts.h>
#include <cudatrace/summary.h>

#define CT_COUNT_THREADS 256u
/* Words of an object's map that one CTA reduces alone; larger ones are shared by all. */
#define CT_COUNT_SMALL_WORDS 4096u

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

/* Rows of one site's summary in one, with the object's id for its hint, and cleared. */
static __device__ void ct_counts_summary(struct ct_counts_area *area, struct ct_counts_summary *sum,
					 uint32_t index)
{
	*sum = {};
	for (uint32_t row = 0; row < CT_SUMMARY_ROWS; row++) {
		struct ct_counts_summary *from = (struct ct_counts_summary *)area->summaries +
						 row * (area->site_count + 1ull) + index;

		sum->high = from->high > sum->high ? from->high : sum->high;
		sum->low = from->low > sum->low ? from->low : sum->low;
		sum->properties |= from->properties;
		sum->last = from->last > sum->last ? from->last : sum->last;
		sum->first = from->first > sum->first ? from->first : sum->first;
		for (uint32_t i = 0; i < CT_SUMMARY_MAPS; i++)
			sum->map[i] |= from->map[i];
		*from = {};
	}
	sum->hint = ct_counts_object_of((const struct ct_counts_object *)area->objects, ~sum->first,
					sum->last);
	if (!sum->first)
		sum->hint = 0;
}

/* The entry of a site, and its summary behind it. */
static __device__ void ct_counts_values(struct ct_counts_area *area, struct ct_counts_ring *ring,
					struct ct_counts_entry entry, uint32_t index)
{
	struct ct_counts_summary sum;
	unsigned long long at;

	ct_counts_summary(area, &sum, index);
	atomicAdd((unsigned long long *)&area->found, CT_COUNTS_SITE_ENTRIES);
	if (!ct_counts_reserve(ring, CT_COUNTS_SITE_ENTRIES, &at))
		return;
	ct_counts_put(ring, at, entry);
	for (uint32_t i = 0; i + 1 < CT_COUNTS_SITE_ENTRIES; i++) {
		entry.kind = i ? CT_COUNTS_MAPS : CT_COUNTS_VALUES;
		for (uint32_t k = 0; k < 4; k++)
			entry.value[k] = ((const uint64_t *)&sum)[4 * i + k];
		ct_counts_put(ring, at + 1 + i, entry);
	}
}

/* Sum the replicas of one site and clear them. */
static __device__ void ct_counts_site(struct ct_counts_area *area, struct ct_counts_ring *ring,
				      struct ct_counts_entry entry, uint32_t index)
{
	struct ct_counts_site *sites = (struct ct_counts_site *)area->sites;

	for (int i = 0; i < 4; i++)
		entry.value[i] = 0;
	for (uint32_t row = 0; row < CT_COUNTS_REPLICAS; row++) {
		struct ct_counts_site *site = &sites[row * (area->site_count + 1ull) + index];

		if (!site->value[0])
			continue;
		for (int i = 0; i < 4; i++) {
			entry.value[i] += site->value[i];
			site->value[i] = 0;
		}
	}
	entry.kind = CT_COUNTS_SITE;
	entry.index = index;
	if (entry.value[0] && area->summaries)
		ct_counts_values(area, ring, entry, index);
	else if (entry.value[0])
		ct_counts_found(area, ring, &entry);
}

static __device__ void ct_counts_sites(struct ct_counts_area *area, struct ct_counts_ring *ring,
				       const struct ct_counts_entry *entry, uint32_t unit)
{
	const struct ct_counts_unit *own = (const struct ct_counts_unit *)area->units + unit;
	uint32_t first = area->foreign ? 0 : own->first;
	uint32_t end = area->foreign ? area->site_count : own->first + own->sites;
	uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;

	for (uint32_t i = first + thread; i < end; i += gridDim.x * blockDim.x)
		ct_counts_site(area, ring, *entry, i);
	if (thread == 0)
		ct_counts_site(area, ring, *entry, area->site_count);
}

/* The bits of words [first, end) that this thread comes by, step words apart; cleared. */
static __device__ uint64_t ct_counts_bits(uint64_t *map, uint64_t first, uint64_t end,
					  uint64_t step)
{
	uint64_t sum = 0;

	for (uint64_t i = first; i < end; i += step)
		if (map[i]) {
			sum += __popcll(map[i]);
			map[i] = 0;
		}
	return sum;
}

static __device__ void ct_counts_object(struct ct_counts_area *area, uint32_t index)
{
	const struct ct_counts_object *object =
	    (const struct ct_counts_object *)area->objects + index;
	uint64_t first = object->first_bit / 64;
	uint64_t sectors = ((object->end - 1) >> CT_COUNTS_SECTOR_SHIFT) -
			   (object->start >> CT_COUNTS_SECTOR_SHIFT) + 1;
	uint64_t words = (sectors + 63) / 64, at = threadIdx.x, step = blockDim.x;

	if (words > CT_COUNT_SMALL_WORDS) {
		at += (uint64_t)blockIdx.x * blockDim.x;
		step *= gridDim.x;
	} else if (index % gridDim.x != blockIdx.x) {
		return;
	}
	for (uint32_t map = 0; map < 2; map++) {
		uint64_t sum = ct_counts_bits((uint64_t *)area->bits + map * area->bit_words,
					      first + at, first + words, step);

		for (uint32_t lanes = 16; lanes; lanes /= 2)
			sum += __shfl_down_sync(~0u, sum, lanes);
		if (sum && ct_lane() == 0)
			atomicAdd((unsigned long long *)area->sums + 2 * index + map, sum);
	}
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
	__threadfence();
	ct_counts_append(ring, entry);
}

extern "C" __global__ void ct_counts_collect(struct ct_counts_area *area,
					     struct ct_counts_ring *ring, uint32_t launch,
					     uint32_t number, uint32_t unit)
{
	__shared__ bool is_last;
	struct ct_counts_entry entry = {};

	entry.launch = launch;
	entry.area = number;
	ct_counts_sites(area, ring, &entry, unit);
	for (uint32_t i = 0; area->bits && i < area->object_count; i++)
		ct_counts_object(area, i);
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
