/* SPDX-License-Identifier: Apache-2.0 */
/* The reduction of an area on the host, for the CPU target. */
#include "host-rt/counts/reduce.h"
#include <cudatrace/summary.h>
#include <stdbool.h>
#include <string.h>

static void *at(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

/* Streams end their launches side by side: the head is shared. False: no room for so many. */
static bool reserve(struct ct_counts_ring *ring, uint32_t count, uint64_t *to)
{
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);

	do {
		if (head + count - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) >
		    CT_COUNTS_ENTRIES) {
			__atomic_add_fetch(&ring->dropped, count, __ATOMIC_RELAXED);
			return false;
		}
	} while (!__atomic_compare_exchange_n(&ring->head, &head, head + count, 0, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	*to = head;
	return true;
}

static void put(struct ct_counts_ring *ring, uint64_t head, const struct ct_counts_entry *entry)
{
	struct ct_counts_entry *to;

	to = (struct ct_counts_entry *)at(ring->entries) + head % CT_COUNTS_ENTRIES;
	memcpy((char *)to + sizeof(to->mark), (const char *)entry + sizeof(to->mark),
	       sizeof(*to) - sizeof(to->mark));
	__atomic_store_n(&to->mark, head + 1, __ATOMIC_RELEASE);
}

static void append(struct ct_counts_ring *ring, const struct ct_counts_entry *entry)
{
	uint64_t head;

	if (reserve(ring, 1, &head))
		put(ring, head, entry);
}

static void found(struct ct_counts_area *area, struct ct_counts_ring *ring,
		  const struct ct_counts_entry *entry)
{
	area->found++;
	append(ring, entry);
}

/* Rows in one, with the object's id for its hint (CT_NONE: several), and cleared. */
static void sum_up(struct ct_counts_area *area, struct ct_counts_summary *sum, uint32_t index)
{
	memset(sum, 0, sizeof(*sum));
	for (uint32_t row = 0; row < CT_SUMMARY_ROWS; row++) {
		struct ct_counts_summary *from = (struct ct_counts_summary *)at(area->summaries) +
						 row * (area->site_count + 1ull) + index;

		sum->high = from->high > sum->high ? from->high : sum->high;
		sum->low = from->low > sum->low ? from->low : sum->low;
		sum->properties |= from->properties;
		sum->last = from->last > sum->last ? from->last : sum->last;
		sum->first = from->first > sum->first ? from->first : sum->first;
		for (uint32_t i = 0; i < CT_SUMMARY_MAPS; i++)
			sum->map[i] |= from->map[i];
		memset(from, 0, sizeof(*from));
	}
	sum->hint = 0;
	if (sum->first && ~sum->first != sum->last)
		sum->hint = CT_NONE;
	else if (sum->first && sum->last)
		sum->hint = ((struct ct_counts_object *)at(area->objects))[sum->last - 1].object;
}

/* The entry of a site, and its summary behind it. */
static void reduce_values(struct ct_counts_area *area, struct ct_counts_ring *ring,
			  struct ct_counts_entry *entry, uint32_t index)
{
	struct ct_counts_summary sum;
	uint64_t head;

	sum_up(area, &sum, index);
	area->found += CT_COUNTS_SITE_ENTRIES;
	if (!reserve(ring, CT_COUNTS_SITE_ENTRIES, &head))
		return;
	put(ring, head, entry);
	for (uint32_t i = 0; i + 1 < CT_COUNTS_SITE_ENTRIES; i++) {
		entry->kind = i ? CT_COUNTS_MAPS : CT_COUNTS_VALUES;
		memcpy(entry->value, (const char *)&sum + i * sizeof(entry->value),
		       sizeof(entry->value));
		put(ring, head + 1 + i, entry);
	}
}

static void reduce_site(struct ct_counts_area *area, struct ct_counts_ring *ring,
			struct ct_counts_entry *entry, uint32_t index)
{
	struct ct_counts_site *sites = at(area->sites);

	entry->kind = CT_COUNTS_SITE;
	entry->index = index;
	memset(entry->value, 0, sizeof(entry->value));
	for (uint32_t row = 0; row < CT_COUNTS_REPLICAS; row++) {
		struct ct_counts_site *site = &sites[row * (area->site_count + 1ull) + index];

		for (int i = 0; i < 4; i++)
			entry->value[i] += site->value[i];
		memset(site, 0, sizeof(*site));
	}
	if (entry->value[0] && area->summaries)
		reduce_values(area, ring, entry, index);
	else if (entry->value[0])
		found(area, ring, entry);
}

static uint64_t take_bits(uint64_t *word, uint64_t count)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < count; i++)
		sum += (uint64_t)__builtin_popcountll(word[i]);
	memset(word, 0, count * sizeof(*word));
	return sum;
}

static void reduce_object(struct ct_counts_area *area, struct ct_counts_ring *ring,
			  struct ct_counts_entry *entry, const struct ct_counts_object *object)
{
	uint64_t sectors = ((object->end - 1) >> CT_COUNTS_SECTOR_SHIFT) -
			   (object->start >> CT_COUNTS_SECTOR_SHIFT) + 1;
	uint64_t *read = (uint64_t *)at(area->bits) + object->first_bit / 64;

	entry->kind = CT_COUNTS_TOUCHED;
	entry->index = object->object;
	memset(entry->value, 0, sizeof(entry->value));
	entry->value[0] = take_bits(read, (sectors + 63) / 64);
	entry->value[1] = take_bits(read + area->bit_words, (sectors + 63) / 64);
	if (entry->value[0] | entry->value[1])
		found(area, ring, entry);
}

void ct_counts_reduce(const struct ct_counts_collect *collect)
{
	struct ct_counts_area *area = at(collect->area);
	struct ct_counts_ring *ring = at(collect->ring);
	struct ct_counts_entry entry = {.launch = collect->launch, .area = collect->number};
	const struct ct_counts_unit *own = (struct ct_counts_unit *)at(area->units) + collect->unit;
	uint32_t first = area->foreign ? 0 : own->first;
	uint32_t end = area->foreign ? area->site_count : own->first + own->sites;

	for (uint32_t i = first; i < end; i++)
		reduce_site(area, ring, &entry, i);
	reduce_site(area, ring, &entry, area->site_count);
	for (uint32_t i = 0; area->bits && i < area->object_count; i++)
		reduce_object(area, ring, &entry, (struct ct_counts_object *)at(area->objects) + i);
	entry.kind = CT_COUNTS_DONE;
	entry.index = area->bits != 0 || area->summaries;
	memset(entry.value, 0, sizeof(entry.value));
	entry.value[0] = area->found;
	area->found = 0;
	area->foreign = 0;
	area->launch++;
	append(ring, &entry);
}

void ct_counts_tell_objects(uint64_t address, const struct ct_counts_batch *batch)
{
	struct ct_counts_area *area = at(address);
	struct ct_counts_object *objects = at(area->objects);

	if (batch->objects < area->object_count) /* hints of sites may still name them */
		memset(objects + batch->objects, 0,
		       (area->object_count - batch->objects) * sizeof(*objects));
	memcpy(objects + batch->first, batch->object, batch->count * sizeof(*objects));
	area->object_count = batch->objects;
	area->shared = batch->shared;
	area->bits = batch->bits;
	area->bit_words = batch->bit_words;
}
