/* SPDX-License-Identifier: Apache-2.0 */
/* Count a group of lanes, and mark the sectors it touches (counts.h; on the GPU:
 * device-rt/count.cuh). */
#include "cpu-target/runtime/producer/counts.h"
#include <cudatrace/ring.h>
#include <stddef.h>

#define SECTOR(address) ((address) >> CT_COUNTS_SECTOR_SHIFT)

static void *at(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

struct ct_producer_counts ct_producer_counts_of(uint64_t context, uint32_t flags, uint32_t worker)
{
	const uint64_t *areas = at(((const struct ct_context *)at(context))->counts);

	if (!(flags & CT_LAUNCH_COUNTS))
		return (struct ct_producer_counts){NULL, 0, 0, 0};
	return (struct ct_producer_counts){at(areas[CT_COUNTS_AREA_OF(flags)]),
					   CT_COUNTS_UNIT_OF(flags), worker % CT_COUNTS_REPLICAS,
					   !!(flags & CT_LAUNCH_VALUES)};
}

uint32_t ct_producer_counter(const struct ct_producer_counts *counts, uint64_t site)
{
	struct ct_counts_area *area = counts->area;
	const struct ct_counts_unit *units = at(area->units), *own = &units[counts->unit];

	if (!CT_SITE_TAG(site))
		return CT_SITE_INDEX(site) < own->sites ? own->first + CT_SITE_INDEX(site)
							: area->site_count;
	for (uint32_t i = 0; i < area->unit_count; i++)
		if (units[i].tag == CT_SITE_TAG(site) && units[i].arch == own->arch &&
		    CT_SITE_INDEX(site) < units[i].sites) {
			__atomic_store_n(&area->foreign, 1, __ATOMIC_RELAXED);
			return units[i].first + CT_SITE_INDEX(site);
		}
	return area->site_count;
}

static void add(const struct ct_producer_counts *counts, uint32_t counter, uint64_t lanes,
		uint64_t sectors, uint64_t bytes)
{
	struct ct_counts_site *sites = at(counts->area->sites);
	struct ct_counts_site *to =
	    &sites[counts->row * (counts->area->site_count + 1ull) + counter];
	const uint64_t value[4] = {1, lanes, sectors, bytes};

	for (int i = 0; i < 4; i++)
		__atomic_add_fetch(&to->value[i], value[i], __ATOMIC_RELAXED);
}

uint64_t ct_producer_sectors(uint32_t mask, const uint64_t address[CT_WARP_LANES],
			     const uint64_t bytes[CT_WARP_LANES], uint64_t from[CT_WARP_LANES])
{
	uint64_t sum = 0;

	for (uint32_t mine = mask; mine; mine &= mine - 1) {
		int lane = __builtin_ctz(mine);
		uint64_t first = SECTOR(address[lane]);
		uint64_t last = SECTOR(address[lane] + bytes[lane] - 1);

		from[lane] = first;
		for (uint32_t rest = mask; rest; rest &= rest - 1) {
			int other = __builtin_ctz(rest);
			uint64_t start = SECTOR(address[other]);

			from[lane] = CT_COUNTS_FROM(
			    from[lane], start < first || (start == first && other < lane),
			    SECTOR(address[other] + bytes[other] - 1));
		}
		sum += from[lane] <= last ? last + 1 - from[lane] : 0;
	}
	return sum;
}

/* Bits [bit, bit + count) of a map. */
static void mark(uint64_t *map, uint64_t bit, uint64_t count)
{
	while (count) {
		uint64_t shift = bit % 64, here = 64 - shift, bits;

		here = count < here ? count : here;
		bits = (~0ull >> (64 - here)) << shift;
		if ((__atomic_load_n(&map[bit / 64], __ATOMIC_RELAXED) & bits) != bits)
			__atomic_or_fetch(&map[bit / 64], bits, __ATOMIC_RELAXED);
		bit += here;
		count -= here;
	}
}

uint32_t ct_producer_object_after(const struct ct_counts_object *object, uint32_t count,
				  uint64_t address)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (object[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* One lane: sectors from `from` on in each object that [address, last] meets. */
static void touch(const struct ct_counts_area *area, uint32_t operation, uint64_t address,
		  uint64_t last, uint64_t from)
{
	const struct ct_counts_object *object = at(area->objects);
	uint64_t *read = at(area->bits), *written = read + area->bit_words;

	for (uint32_t i = ct_producer_object_after(object, area->object_count, address);
	     i < area->object_count && object[i].start <= last; i++) {
		uint64_t low = SECTOR(object[i].start > address ? object[i].start : address);
		uint64_t high = SECTOR(object[i].end - 1 < last ? object[i].end - 1 : last);
		uint64_t bit;

		low = low > from ? low : from;
		if (low > high)
			continue;
		bit = object[i].first_bit + low - SECTOR(object[i].start);
		if (operation & CT_COUNTS_READS)
			mark(read, bit, high - low + 1);
		if (operation & CT_COUNTS_WRITES)
			mark(written, bit, high - low + 1);
	}
}

void ct_producer_count(const struct ct_producer_counts *counts, uint64_t site, uint32_t mask,
		       const uint64_t address[CT_WARP_LANES], const uint64_t bytes[CT_WARP_LANES])
{
	const struct ct_counts_area *area = counts->area;
	uint32_t counter = ct_producer_counter(counts, site);
	uint32_t operation = ((const uint32_t *)at(area->operations))[counter];
	uint64_t from[CT_WARP_LANES], sum = 0;
	uint64_t sectors = ct_producer_sectors(mask, address, bytes, from);

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);

		sum += bytes[lane];
		if (operation && area->bits && !(address[lane] & CT_ADDRESS_SPACE_BIT))
			touch(area, operation, address[lane], address[lane] + bytes[lane] - 1,
			      area->shared ? 0 : from[lane]);
	}
	add(counts, counter, (uint64_t)__builtin_popcount(mask), sectors, sum);
}

void ct_producer_count_event(const struct ct_producer_counts *counts, uint64_t site, uint32_t mask)
{
	add(counts, ct_producer_counter(counts, site), (uint64_t)__builtin_popcount(mask), 0, 0);
}
