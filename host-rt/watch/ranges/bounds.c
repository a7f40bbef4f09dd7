/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds that grow with each range and are renewed when none is armed any more, or few are; and
 * for each page, by the low bits of its number, whether there are some and in which of its lines of
 * 64 bytes; all that for all accesses and for loads. Instructions look at bounds and pages, we then
 * at lines: a program's small blocks share their pages with others. */
#include "host-rt/watch/ranges/bounds.h"
#include <cudatrace/host.h>
#include <string.h>

#define PAGES_MAX CT_USE_PAGES /* of a range whose pages are counted */
#define FEW 16u
#define PAGE (1u << CT_USE_PAGE_SHIFT)
#define LINE_SHIFT 6u

/* An access of so many bytes that begins before a range reaches into it. */
#define REACH CT_USE_BYTES_MAX

uint64_t __ct_uses_low, __ct_uses_span;
uint64_t __ct_loads_low, __ct_loads_span;
uint8_t __ct_uses_pages[CT_USE_PAGES], __ct_loads_pages[CT_USE_PAGES];

/* The bounds of ranges that some accesses count for. */
struct bounds {
	uint64_t *low, *span; /* instructions read both; atomic */
	uint8_t *pages;       /* instructions read them; atomic: whether there are some */
	uint32_t *counts;     /* of ranges, by page */
	uint64_t *lines;      /* by page: bits; atomic: at least those that have some */
	uint32_t large;       /* ranges of more pages: all are theirs */
	uint32_t armed;
};

static uint32_t all_counts[CT_USE_PAGES], load_counts[CT_USE_PAGES];
static uint64_t all_lines[CT_USE_PAGES], load_lines[CT_USE_PAGES];

/* Loads of what devices read from the host count for nothing, and programs have many. */
static struct bounds of_all = {.low = &__ct_uses_low,
			       .span = &__ct_uses_span,
			       .pages = __ct_uses_pages,
			       .counts = all_counts,
			       .lines = all_lines};
static struct bounds of_loads = {.low = &__ct_loads_low,
				 .span = &__ct_loads_span,
				 .pages = __ct_loads_pages,
				 .counts = load_counts,
				 .lines = load_lines};
static bool is_unused;

static bool is_watched(const struct ct_range *range, bool writes)
{
	return ct_range_counts(range, writes) || ct_range_is_early(range, writes);
}

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

/* The first byte of an access that may reach into the range. */
static uint64_t begin_of(const struct ct_range *range)
{
	return range->start < REACH ? 0 : range->start - REACH;
}

/* Lines of a page with bytes in [first, last], of which it has some. */
static uint64_t lines_in(uint64_t page, uint64_t first, uint64_t last)
{
	uint64_t begin = page << CT_USE_PAGE_SHIFT, end = begin + PAGE - 1;
	unsigned from = first > begin ? (unsigned)(first - begin) >> LINE_SHIFT : 0;
	unsigned to = (unsigned)((last < end ? last : end) - begin) >> LINE_SHIFT;

	return (UINT64_MAX << from) & (UINT64_MAX >> (63 - to));
}

/* Returns the lines of all ranges in the page that are counted but this one; as they are if not
 * all are found: others are in a page of the same low bits. */
static uint64_t lines_without(const struct bounds *bounds, const struct ct_range *without,
			      uint64_t page, uint64_t lines)
{
	uint64_t begin = page << CT_USE_PAGE_SHIFT, some = 0;
	uint32_t found[FEW], counted = 0;
	uint32_t count = ct_ranges_find(begin, begin + PAGE + REACH, found, FEW);

	for (uint32_t i = 0; i < count; i++) {
		const struct ct_range *range = &ct_ranges[found[i]];

		if (range == without || !is_watched(range, bounds == &of_all))
			continue;
		some |= lines_in(page, begin_of(range), range->end - 1);
		counted++;
	}
	return counted == bounds->counts[page & (CT_USE_PAGES - 1)] ? some : lines;
}

/* Lines are there before their page says so. */
static void count_page(struct bounds *bounds, const struct ct_range *range, uint64_t at)
{
	uint32_t page = (uint32_t)(at & (CT_USE_PAGES - 1));
	uint64_t lines = bounds->lines[page] | lines_in(at, begin_of(range), range->end - 1);

	bounds->counts[page]++;
	__atomic_store_n(&bounds->lines[page], lines, __ATOMIC_RELEASE);
	set_page(bounds, page);
}

/* In the middle of a range lines are worth no search. */
static void discount_page(struct bounds *bounds, const struct ct_range *range, uint64_t at,
			  bool is_edge)
{
	uint32_t page = (uint32_t)(at & (CT_USE_PAGES - 1));
	uint64_t lines = bounds->lines[page];

	bounds->counts[page]--;
	set_page(bounds, page);
	if (!bounds->counts[page])
		lines = 0;
	else if (is_edge)
		lines = lines_without(bounds, range, at, lines);
	__atomic_store_n(&bounds->lines[page], lines, __ATOMIC_RELEASE);
}

static void count(struct bounds *bounds, const struct ct_range *range, bool is_armed)
{
	uint64_t first = begin_of(range) >> CT_USE_PAGE_SHIFT;
	uint64_t last = (range->end - 1) >> CT_USE_PAGE_SHIFT;

	if (last - first >= PAGES_MAX) {
		count_large(bounds, is_armed ? 1 : UINT32_MAX);
		return;
	}
	for (uint64_t at = first; at <= last; at++)
		if (is_armed)
			count_page(bounds, range, at);
		else
			discount_page(bounds, range, at, at == first || at == last);
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

	count(bounds, range, true);
	if (!bounds->armed++) {
		set(bounds, range->start, range->end);
		return;
	}
	low += REACH;
	if (range->start < low || range->end > end)
		set(bounds, range->start < low ? range->start : low,
		    range->end > end ? range->end : end);
}

void ct_bounds_arm(struct ct_range *range)
{
	if (is_unused)
		return;
	arm(&of_all, range);
	if (is_watched(range, false))
		arm(&of_loads, range);
}

static void renew(struct bounds *bounds, const struct ct_range *without)
{
	uint64_t low = UINT64_MAX, end = 0;

	for (uint32_t i = 0; i < ct_ranges_live(); i++) {
		const struct ct_range *range = &ct_ranges[ct_ranges_at(i)];

		if (range == without || !is_watched(range, bounds == &of_all))
			continue;
		low = range->start < low ? range->start : low;
		end = range->end > end ? range->end : end;
	}
	set(bounds, low, end);
}

static void disarm(struct bounds *bounds, const struct ct_range *range)
{
	count(bounds, range, false);
	if (!--bounds->armed)
		__atomic_store_n(bounds->span, 0, __ATOMIC_RELEASE);
	else if (ct_ranges_live() <= FEW)
		renew(bounds, range);
}

void ct_bounds_disarm(struct ct_range *range)
{
	if (is_unused)
		return;
	disarm(&of_all, range);
	if (is_watched(range, false))
		disarm(&of_loads, range);
}

/* Entries are 0 or 1. */
static bool has_pages(const struct bounds *bounds, uint64_t first, uint64_t last)
{
	uint64_t from = first & (CT_USE_PAGES - 1), count = last - first + 1;
	uint64_t until_end = CT_USE_PAGES - from;

	if (count > until_end)
		return memchr(bounds->pages + from, 1, until_end) ||
		       memchr(bounds->pages, 1, count - until_end);
	return memchr(bounds->pages + from, 1, count) != NULL;
}

static bool has_lines(const struct bounds *bounds, uint64_t page, uint64_t first, uint64_t last)
{
	uint64_t slot = page & (CT_USE_PAGES - 1);

	return __atomic_load_n(&bounds->pages[slot], __ATOMIC_ACQUIRE) &&
	       (bounds->large || __atomic_load_n(&bounds->lines[slot], __ATOMIC_ACQUIRE) &
				     lines_in(page, first, last));
}

/* All pages but the first and the last as a whole. */
static bool may_have(const struct bounds *bounds, uint64_t first, uint64_t last)
{
	uint64_t page = first >> CT_USE_PAGE_SHIFT, end = last >> CT_USE_PAGE_SHIFT;

	if (end - page >= PAGES_MAX || has_lines(bounds, page, first, last))
		return true;
	return end > page && (has_lines(bounds, end, first, last) ||
			      (end - page > 1 && has_pages(bounds, page + 1, end - 1)));
}

bool ct_bounds_may_have(uint64_t address, uint64_t bytes, bool writes)
{
	return may_have(writes ? &of_all : &of_loads, address, address + (bytes ? bytes - 1 : 0));
}

uint32_t __ct_use_is_apart(uint64_t first, uint64_t end, uint32_t of_loads_only)
{
	return first < end && !may_have(of_loads_only ? &of_loads : &of_all, first, end - 1);
}
