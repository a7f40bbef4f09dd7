/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds that grow with each range and are renewed when none is armed any more, or few are; and
 * a count for each page, by a hash. */
#include "host-rt/watch/bounds.h"
#include <cudatrace/host.h>

#define PAGE_BITS 12u
#define COUNTS_BITS 16u
#define PAGES_MAX 65536u /* of a range whose pages are counted */
#define FEW 16u

/* An access of so many bytes that begins before a range reaches into it. */
#define REACH CT_USE_BYTES_MAX

uint64_t __ct_uses_low, __ct_uses_span;

static uint32_t counts[1u << COUNTS_BITS]; /* atomic */
static uint32_t large;                     /* atomic: ranges of more pages */
static uint32_t armed;
static bool is_unused;

static uint32_t *count_of(uint64_t page)
{
	return &counts[page * 0x9e3779b97f4a7c15ull >> (64 - COUNTS_BITS)];
}

static void count(const struct ct_range *range, uint32_t more)
{
	uint64_t first = range->start >> PAGE_BITS, last = (range->end - 1) >> PAGE_BITS;

	if (last - first >= PAGES_MAX) {
		__atomic_add_fetch(&large, more, __ATOMIC_RELAXED);
		return;
	}
	for (uint64_t page = first; page <= last; page++)
		__atomic_add_fetch(count_of(page), more, __ATOMIC_RELAXED);
}

void ct_bounds_use(bool is_used)
{
	is_unused = !is_used;
}

/* Whoever reads in between finds wider bounds than there are. */
static void set_bounds(uint64_t low, uint64_t end)
{
	uint64_t old = __ct_uses_low, old_end = old + __ct_uses_span;

	low -= low < REACH ? low : REACH;
	if (!__ct_uses_span || end <= low) {
		__atomic_store_n(&__ct_uses_span, 0, __ATOMIC_RELEASE);
		__atomic_store_n(&__ct_uses_low, low, __ATOMIC_RELEASE);
	} else if (low < old) {
		__atomic_store_n(&__ct_uses_span, old_end - low, __ATOMIC_RELEASE);
		__atomic_store_n(&__ct_uses_low, low, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&__ct_uses_low, low, __ATOMIC_RELEASE);
	__atomic_store_n(&__ct_uses_span, end > low ? end - low : 0, __ATOMIC_RELEASE);
}

void ct_bounds_arm(const struct ct_range *range)
{
	uint64_t low = __ct_uses_low, end = low + __ct_uses_span;

	if (is_unused)
		return;
	count(range, 1);
	if (!armed++) {
		set_bounds(range->start, range->end);
		return;
	}
	low += REACH;
	if (range->start < low || range->end > end)
		set_bounds(range->start < low ? range->start : low,
			   range->end > end ? range->end : end);
}

static void renew(const struct ct_range *without)
{
	uint64_t low = UINT64_MAX, end = 0;

	for (uint32_t i = 0; i < ct_ranges_live(); i++) {
		const struct ct_range *range = &ct_ranges[ct_ranges_at(i)];

		if (range == without || range->state != CT_RANGE_ARMED)
			continue;
		low = range->start < low ? range->start : low;
		end = range->end > end ? range->end : end;
	}
	set_bounds(low, end);
}

void ct_bounds_disarm(const struct ct_range *range)
{
	if (is_unused)
		return;
	count(range, UINT32_MAX);
	if (!--armed)
		__atomic_store_n(&__ct_uses_span, 0, __ATOMIC_RELEASE);
	else if (ct_ranges_live() <= FEW)
		renew(range);
}

bool ct_bounds_may_have(uint64_t address, uint64_t bytes)
{
	uint64_t last = (address + (bytes ? bytes - 1 : 0)) >> PAGE_BITS;
	uint64_t first = address >> PAGE_BITS;

	if (__atomic_load_n(&large, __ATOMIC_RELAXED) || last - first >= PAGES_MAX)
		return true;
	for (uint64_t page = first; page <= last; page++)
		if (__atomic_load_n(count_of(page), __ATOMIC_RELAXED))
			return true;
	return false;
}
