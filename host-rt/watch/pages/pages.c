/* SPDX-License-Identifier: Apache-2.0 */
/* Protection follows from the armed ranges alone; what was protected once is remembered, so that a
 * fault of a thread that comes late is known for what it is. */
#include "host-rt/watch/pages/pages.h"
#include "host-rt/base/thread.h"
#include "host-rt/watch/pages/holds.h"
#include <cudatrace/preload.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096u
#define FOUND_MAX 64u
#define KNOWN_BITS 16u /* a filter: of other pages it says now and then that they are known */

struct ct_preload *ct_pages_library;

static uint32_t is_on;     /* atomic */
static uint32_t *is_armed; /* atomic: the library looks at it */
/* Ranges that are armed and not protected, and are to be: those that a thread is at are among them
 * until it has done all. Changed with the lock held, read without. */
static uint32_t to_protect;
static bool is_second; /* host code reports what is not protected */
static uint64_t known[(1u << KNOWN_BITS) / 64];

static uint64_t floor_page(uint64_t address)
{
	return address & ~(uint64_t)(PAGE - 1);
}

static uint64_t ceil_page(uint64_t address)
{
	return floor_page(address + PAGE - 1);
}

static uint32_t known_bit(uint64_t address)
{
	return (uint32_t)((address / PAGE) * 0x9e3779b97f4a7c15ull >> (64 - KNOWN_BITS));
}

bool ct_pages_is_known(uint64_t address)
{
	uint32_t bit = known_bit(address);

	return known[bit / 64] >> bit % 64 & 1;
}

void ct_pages_set(uint64_t page, int protection)
{
	mprotect((void *)(uintptr_t)floor_page(page), PAGE, protection);
}

static int protection_for(const struct ct_range *range)
{
	return range->origin == CT_PROTECTS_FROM_HOST ? PROT_READ : PROT_NONE;
}

int ct_pages_protection(uint64_t address)
{
	uint32_t found[FOUND_MAX];
	uint64_t page = floor_page(address);
	uint32_t count = ct_ranges_find(page, page + PAGE, found, FOUND_MAX);
	int protection = PROT_READ | PROT_WRITE;

	for (uint32_t i = 0; i < count; i++)
		if (ct_ranges[found[i]].is_protected)
			protection &= protection_for(&ct_ranges[found[i]]);
	return protection;
}

bool ct_pages_are_protected(uint64_t start, uint64_t end)
{
	uint32_t found[FOUND_MAX];
	uint32_t count = ct_ranges_find(floor_page(start), ceil_page(end), found, FOUND_MAX);

	for (uint32_t i = 0; i < count; i++)
		if (ct_ranges[found[i]].is_protected)
			return true;
	return count == FOUND_MAX;
}

void ct_pages_lose(uint64_t page, const char *reason)
{
	uint32_t found[FOUND_MAX];
	uint32_t count = ct_ranges_find(page, page + PAGE, found, FOUND_MAX);

	for (uint32_t i = 0; i < count; i++)
		ct_ranges[found[i]].lost = reason;
}

/* Whether other protected ranges have a part in its pages. */
static bool is_alone(const struct ct_range *range)
{
	uint32_t found[2];

	return ct_ranges_find(floor_page(range->start), ceil_page(range->end), found, 2) <= 1;
}

/* Sets its pages to what they should be now, page by page if need be. */
static void renew(const struct ct_range *range, int alone)
{
	uint64_t first = floor_page(range->start), end = ceil_page(range->end);

	if (is_alone(range)) {
		mprotect((void *)(uintptr_t)first, end - first, alone);
		return;
	}
	for (uint64_t page = first; page < end; page += PAGE)
		ct_pages_set(page, ct_pages_protection(page));
}

static void note_armed(void)
{
	__atomic_store_n(is_armed, ct_ranges_armed() != 0, __ATOMIC_RELAXED);
}

void ct_pages_arm(struct ct_range *range)
{
	const char *refusal;

	if (!is_on)
		return;
	range->is_protected = false;
	refusal = ct_place_refusal(range);
	range->stays_open = refusal != NULL;
	if (refusal && !is_second && !range->lost)
		range->lost = refusal;
	to_protect += !refusal;
	note_armed();
}

void ct_pages_disarm(struct ct_range *range)
{
	if (!is_on)
		return;
	if (range->is_protected) {
		range->is_protected = false;
		renew(range, PROT_READ | PROT_WRITE);
	}
	note_armed();
}

static void protect(struct ct_range *range)
{
	uint64_t first = floor_page(range->start), end = ceil_page(range->end);

	if (range->state != CT_RANGE_ARMED || range->is_protected || range->stays_open)
		return;
	if (ct_is_held(first, end)) {
		range->lost = "other threads ran while its pages were open";
		to_protect++;
		return;
	}
	if (mprotect((void *)(uintptr_t)first, end - first, protection_for(range)) != 0) {
		range->stays_open = true;
		range->lost = "its pages cannot be protected";
		return;
	}
	range->is_protected = true;
	if (!is_alone(range))
		renew(range, 0);
	for (uint64_t page = first; page < end; page += PAGE)
		known[known_bit(page) / 64] |= 1ull << known_bit(page) % 64;
}

void ct_pages_protect(void)
{
	uint32_t due = to_protect;

	if (!due || !is_on)
		return;
	for (uint32_t i = 0; i < ct_ranges_live(); i++)
		protect(&ct_ranges[ct_ranges_at(i)]);
	__atomic_sub_fetch(&to_protect, due, __ATOMIC_RELEASE);
}

static void open_range(struct ct_range *range)
{
	range->is_protected = false;
	to_protect++;
	renew(range, PROT_READ | PROT_WRITE);
}

bool ct_pages_others_run(void)
{
	return __atomic_load_n(&ct_pages_library->program_threads, __ATOMIC_RELAXED) ||
	       ct_thread_id() != (uint32_t)getpid();
}

static void open_pages(uint64_t start, uint64_t end, bool is_replaced)
{
	bool others = is_on && ct_pages_others_run();

	for (uint32_t i = 0; is_on && i < ct_ranges_live(); i++) {
		struct ct_range *range = &ct_ranges[ct_ranges_at(i)];

		if (!range->is_protected || ceil_page(range->end) <= floor_page(start) ||
		    floor_page(range->start) >= end)
			continue;
		/* While it is open others may access it. */
		if (others && !(is_replaced && range->start >= start && range->end <= end))
			range->lost = "other threads ran while its pages were open";
		open_range(range);
	}
}

void ct_pages_open(uint64_t start, uint64_t end)
{
	open_pages(start, end, false);
}

void ct_pages_open_to_replace(uint64_t start, uint64_t end)
{
	open_pages(start, end, true);
}

bool ct_pages_are_due(void)
{
	return __atomic_load_n(&to_protect, __ATOMIC_ACQUIRE);
}

void ct_pages_turn_on(bool is_after_host, uint32_t *armed)
{
	is_second = is_after_host;
	is_armed = armed;
	__atomic_store_n(&is_on, 1, __ATOMIC_RELEASE);
}

bool ct_pages_are_on(void)
{
	return is_on;
}

void ct_pages_turn_off(void)
{
	for (uint32_t i = 0; i < ct_ranges_live(); i++) {
		struct ct_range *range = &ct_ranges[ct_ranges_at(i)];
		uint64_t first = floor_page(range->start), end = ceil_page(range->end);

		if (range->is_protected)
			mprotect((void *)(uintptr_t)first, end - first, PROT_READ | PROT_WRITE);
		range->is_protected = false;
	}
	is_on = 0;
}
