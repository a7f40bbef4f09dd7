/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries of values, lane by lane; what a warp has in common when it is joined. */
#include "cpu-target/runtime/producer/summary.h"
#include <cudatrace/summary.h>
#include <stdbool.h>
#include <string.h>

enum counter { TIMES, ELEMENTS, ZEROS, SAME };

static void *at(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

static void add(const struct ct_producer_counts *counts, uint32_t index, enum counter counter,
		uint64_t value)
{
	struct ct_counts_site *sites = at(counts->area->sites);
	uint64_t row = counts->row * (counts->area->site_count + 1ull);

	if (value)
		__atomic_add_fetch(&sites[row + index].value[counter], value, __ATOMIC_RELAXED);
}

static void raise64(uint64_t *to, uint64_t value)
{
	uint64_t seen = __atomic_load_n(to, __ATOMIC_RELAXED);

	while (seen < value && !__atomic_compare_exchange_n(to, &seen, value, 1, __ATOMIC_RELAXED,
							    __ATOMIC_RELAXED))
		;
}

static void raise32(uint32_t *to, uint32_t value)
{
	uint32_t seen = __atomic_load_n(to, __ATOMIC_RELAXED);

	while (seen < value && !__atomic_compare_exchange_n(to, &seen, value, 1, __ATOMIC_RELAXED,
							    __ATOMIC_RELAXED))
		;
}

static void include(uint32_t *bits, uint32_t more)
{
	if ((__atomic_load_n(bits, __ATOMIC_RELAXED) & more) != more)
		__atomic_or_fetch(bits, more, __ATOMIC_RELAXED);
}

static bool is_in(const struct ct_counts_object *object, uint64_t address, uint32_t bytes)
{
	return object->start <= address && address + bytes <= object->end;
}

static void note_object(const struct ct_counts_area *area, struct ct_counts_summary *summary,
			uint64_t address, uint32_t bytes)
{
	const struct ct_counts_object *object = at(area->objects);
	uint32_t hint = __atomic_load_n(&summary->hint, __ATOMIC_RELAXED), i, number;

	if (hint && is_in(&object[hint - 1], address, bytes))
		return;
	i = ct_producer_object_after(object, area->object_count, address);
	number = i < area->object_count && is_in(&object[i], address, bytes) ? i + 1 : 0;
	if (number)
		__atomic_store_n(&summary->hint, number, __ATOMIC_RELAXED);
	raise32(&summary->last, number);
	raise32(&summary->first, ~number);
}

static void note_value(struct ct_counts_summary *summary, uint32_t element, uint64_t bits)
{
	uint32_t bytes = CT_ELEMENT_BYTES(element), scalar = CT_ELEMENT_SCALAR(element);
	uint32_t hash = ct_summary_hash(bytes, bits);
	uint64_t key = ct_summary_key(scalar, bytes, bits);
	uint32_t properties =
	    ct_summary_properties(scalar, bytes, bits) & ct_summary_properties_all(scalar, bytes);

	if (ct_summary_is_nan(scalar, bytes, bits)) {
		properties |= CT_PROPERTY_NAN;
	} else {
		raise64(&summary->high, key);
		raise64(&summary->low, ct_summary_ones(bytes) - key);
	}
	if ((element & CT_ELEMENT_STORE) && !(element & CT_ELEMENT_GLOBAL))
		properties |= CT_PROPERTY_UNFOUND;
	include(&summary->properties, properties);
	include(&summary->map[ct_summary_map(hash)], ct_summary_bit(hash));
}

/* An element of a value. */
static uint64_t element_of(uint32_t bytes, uint64_t low, uint64_t high, uint32_t offset)
{
	return (offset < 8 ? low : high) >> 8 * (offset & 7) & ct_summary_ones(bytes);
}

void ct_producer_summarise(const struct ct_producer_counts *counts, uint64_t site, uint32_t element,
			   uint32_t bytes, uint64_t low, uint64_t high, uint64_t address)
{
	const struct ct_counts_area *area = counts->area;
	uint32_t size = CT_ELEMENT_BYTES(element), scalar = CT_ELEMENT_SCALAR(element);
	uint32_t index = ct_producer_counter(counts, site), zeros = 0, found = 0;
	struct ct_counts_summary *summary =
	    (struct ct_counts_summary *)at(area->summaries) +
	    counts->row % CT_SUMMARY_ROWS * (area->site_count + 1ull) + index;

	for (uint32_t offset = 0; offset < bytes; offset += size) {
		uint64_t bits = element_of(size, low, high, offset);

		note_value(summary, element, bits);
		zeros += ct_summary_is_zero(scalar, size, bits);
		if (!(element & CT_ELEMENT_GLOBAL))
			continue;
		note_object(area, summary, address + offset, size);
		if (element & CT_ELEMENT_STORE)
			found += !memcmp(at(address + offset), &bits, size);
	}
	add(counts, index, ELEMENTS, bytes / size);
	add(counts, index, ZEROS, zeros);
	add(counts, index, SAME, found);
}

void ct_producer_summarise_group(const struct ct_producer_counts *counts,
				 const struct ct_align_group *group)
{
	uint32_t element = group->values ? group->value[0].part >> 8 : 0, same = 0;
	unsigned first = (unsigned)__builtin_ctz(group->mask);
	uint32_t size = CT_ELEMENT_BYTES(element), index;

	if (!element)
		return;
	index = ct_producer_counter(counts, group->site);
	add(counts, index, TIMES, 1);
	for (uint32_t i = 0; element & CT_ELEMENT_LOAD && i < group->values; i++) {
		if (group->value[i].part >> 8 != element)
			continue;
		for (uint32_t offset = 0; offset < group->value[i].bytes; offset += size)
			for (uint32_t rest = group->mask; rest; rest &= rest - 1) {
				unsigned lane = (unsigned)__builtin_ctz(rest);

				same += element_of(size, group->value[i].low[lane],
						   group->value[i].high[lane], offset) ==
					element_of(size, group->value[i].low[first],
						   group->value[i].high[first], offset);
			}
	}
	add(counts, index, SAME, same);
}
