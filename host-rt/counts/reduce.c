/* SPDX-License-Identifier: Apache-2.0 */
/* The reduction of an area on the host, for the CPU target. */
#include "host-rt/counts/reduce.h"
#include <string.h>

static void *at(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

/* Streams end their launches side by side: the head is shared. */
static void append(struct ct_counts_ring *ring, const struct ct_counts_entry *entry)
{
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
	struct ct_counts_entry *to;

	do {
		if (head - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) >= CT_COUNTS_ENTRIES) {
			__atomic_add_fetch(&ring->dropped, 1, __ATOMIC_RELAXED);
			return;
		}
	} while (!__atomic_compare_exchange_n(&ring->head, &head, head + 1, 0, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	to = (struct ct_counts_entry *)at(ring->entries) + head % CT_COUNTS_ENTRIES;
	memcpy((char *)to + sizeof(to->mark), (const char *)entry + sizeof(to->mark),
	       sizeof(*to) - sizeof(to->mark));
	__atomic_store_n(&to->mark, head + 1, __ATOMIC_RELEASE);
}

static void found(struct ct_counts_area *area, struct ct_counts_ring *ring,
		  const struct ct_counts_entry *entry)
{
	area->found++;
	append(ring, entry);
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
	if (entry->value[0])
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
	entry.index = area->bits != 0;
	memset(entry.value, 0, sizeof(entry.value));
	entry.value[0] = area->found;
	area->found = 0;
	area->foreign = 0;
	append(ring, &entry);
}

void ct_counts_tell_objects(uint64_t address, const struct ct_counts_batch *batch)
{
	struct ct_counts_area *area = at(address);

	memcpy((struct ct_counts_object *)at(area->objects) + batch->first, batch->object,
	       batch->count * sizeof(batch->object[0]));
	area->object_count = batch->objects;
	area->shared = batch->shared;
	area->bits = batch->bits;
	area->bit_words = batch->bit_words;
}
