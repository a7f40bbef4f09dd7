/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds that grow with each range and are renewed when none is armed any more, or few are; and
 * for each page whether there are some, by the low bits of its number; both for all accesses and
 * for loads. */
#include "host-rt/watch/bounds.h"
#include <cudatrace/host.h>
#include <string.h>

#define PAGES_MAX CT_USE_PAGES /* of a range whose pages are counted */
#define FEW 16u

/* An access of so many bytes that begins before a range reaches into it. */
#define REACH CT_USE_BYTES_MAX

uint64_t __ct_uses_low, __ct_uses_span;
uint64_t __ct_loads_low, __ct_loads_span;
uint8_t __ct_uses_pages[CT_USE_PAGES], __ct_loads_pages[CT_USE_PAGES];

/* Of ranges that some accesses count for. */
struct bounds {
	uint64_t *low, *span; /* instructions read both; atomic */
	uint8_t *pages;       /* instructions read them; atomic: whether there are some */
	uint32_t counts[CT_USE_PAGES];
	uint32_t large; /* ranges of more pages: all are theirs */
	uint32_t armed;
};

/* Loads of what devices read from the host count for nothing, and programs have many. */
static struct bounds of_all = {
    .low = &__ct_uses_low, .span = &__ct_uses_span, .pages = __ct_uses_pages};
static struct bounds of_loads = {
    .low = &__ct_loads_low, .span = &__ct_loads_span, .pages = __ct_loads_pages};
static bool is_unused;

static void set_page(struct bounds *bounds, uint32_t page)
{
	__atomic_store_n(&bounds->pages[page], bounds->large || bounds->counts[page],
			 __ATOMIC_RELEASE);
}

static void count_large(struct bounds *bounds, uint32_t more)
{
	bounds->large += more;
	if (bounds->large <= 1)
		for (uint32_t page = 0; page < CT_USE_PAGES; page++)
			set_page(bounds, page);
}

/* more: 1, or UINT32_MAX to take it back. */
static void count(struct bounds *bounds, const struct ct_range *range, uint32_t more)
{
	uint64_t reach = range->start < REACH ? range->start : REACH;
	uint64_t first = (range->start - reach) >> CT_USE_PAGE_SHIFT;
	uint64_t last = (range->end - 1) >> CT_USE_PAGE_SHIFT;

	if (last - first >= PAGES_MAX) {
		count_large(bounds, more);
		return;
	}
	for (uint64_t at = first; at <= last; at++) {
		uint32_t page = (uint32_t)(at & (CT_USE_PAGES - 1));

		bounds->counts[page] += more;
		set_page(bounds, page);
	}
}

void ct_bounds_use(bool is_used)
{
	is_unused = !is_used;
}

/* Whoever reads in between finds wider bounds than there are. */
static void set(struct bounds *bounds, uint64_t low, uint64_t end)
{
	uint64_t old = *bounds->low, old_end = old + *bounds->span;

	low -= low < REACH ? low : REACH;
	if (!*bounds->span || end <= low) {
		__atomic_store_n(bounds->span, 0, __ATOMIC_RELEASE);
		__atomic_store_n(bounds->low, low, __ATOMIC_RELEASE);
	} else if (low < old) {
		__atomic_store_n(bounds->span, old_end - low, __ATOMIC_RELEASE);
		__atomic_store_n(bounds->low, low, __ATOMIC_RELEASE);
	}
	__atomic_store_n(bounds->low, low, __ATOMIC_RELEASE);
	__atomic_store_n(bounds->span, end > low ? end - low : 0, __ATOMIC_RELEASE);
}

static void arm(struct bounds *bounds, const struct ct_range *range)
{
	uint64_t low = *bounds->low, end = low + *bounds->span;

	count(bounds, range, 1);
	if (!bounds->armed++) {
		set(bounds, range->start, range->end);
		return;
	}
	low += REACH;
	if (range->start < low || range->end > end)
		set(bounds, range->start < low ? range->start : low,
		    range->end > end ? range->end : end);
}

void ct_bounds_arm(const struct ct_range *range)
{
	if (is_unused)
		return;
	arm(&of_all, range);
	if (ct_range_counts(range, false))
		arm(&of_loads, range);
}

static void renew(struct bounds *bounds, const struct ct_range *without)
{
	uint64_t low = UINT64_MAX, end = 0;

	for (uint32_t i = 0; i < ct_ranges_live(); i++) {
		const struct ct_range *range = &ct_ranges[ct_ranges_at(i)];

		if (range == without || !ct_range_counts(range, bounds == &of_all))
			continue;
		low = range->start < low ? range->start : low;
		end = range->end > end ? range->end : end;
	}
	set(bounds, low, end);
}

static void disarm(struct bounds *bounds, const struct ct_range *range)
{
	count(bounds, range, UINT32_MAX);
	if (!--bounds->armed)
		__atomic_store_n(bounds->span, 0, __ATOMIC_RELEASE);
	else if (ct_ranges_live() <= FEW)
		renew(bounds, range);
}

void ct_bounds_disarm(const struct ct_range *range)
{
	if (is_unused)
		return;
	disarm(&of_all, range);
	if (ct_range_counts(range, false))
		disarm(&of_loads, range);
}

/* Entries are 0 or 1. */
static bool has_some(const uint8_t *pages, uint64_t first, uint64_t last)
{
	uint64_t from = first & (CT_USE_PAGES - 1), count = last - first + 1;
	uint64_t until_end = CT_USE_PAGES - from;

	if (count > until_end)
		return memchr(pages + from, 1, until_end) || memchr(pages, 1, count - until_end);
	return count == 1 ? pages[from] : memchr(pages + from, 1, count) != NULL;
}

static bool may_have(uint64_t first, uint64_t last, bool of_loads)
{
	first >>= CT_USE_PAGE_SHIFT;
	last >>= CT_USE_PAGE_SHIFT;
	return last - first >= PAGES_MAX ||
	       has_some(of_loads ? __ct_loads_pages : __ct_uses_pages, first, last);
}

bool ct_bounds_may_have(uint64_t address, uint64_t bytes, bool writes)
{
	return may_have(address, address + (bytes ? bytes - 1 : 0), !writes);
}

uint32_t __ct_use_is_apart(uint64_t first, uint64_t end, uint32_t of_loads)
{
	return first < end && !may_have(first, end - 1, of_loads);
}
