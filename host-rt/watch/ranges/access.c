/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses, and the calls of instrumented code. */
#include "host-rt/watch/ranges/access.h"
#include "base/clock.h"
#include "host-rt/base/thread.h"
#include "host-rt/calls/call.h"
#include "host-rt/watch/ranges/bounds.h"
#include "host-rt/watch/ranges/lock.h"
#include "unwind/unwind.h"
#include <cudatrace/host.h>
#include <errno.h>
#include <malloc.h>
#include <string.h>

#define FOUND_MAX 256u

struct ct_watch_touch ct_watch_touch_of_call(uint32_t kind)
{
	const struct ct_call *call = ct_call_innermost;

	return (struct ct_watch_touch){.time_ns = ct_clock_real_ns(),
				       .thread = ct_thread_id(),
				       .stack = call ? call->stack : 0,
				       .kind = (uint8_t)kind,
				       .means = CT_MEANS_CALLS};
}

uint32_t ct_watch_stack(const void *base)
{
	return ct_stack_take(base);
}

/* Those that it counts for, finished if that is wanted. */
static uint32_t finish(const struct ct_watch_touch *access, bool finishes)
{
	uint64_t end = access->at + (access->bytes ? access->bytes : 1);
	uint32_t found[FOUND_MAX], count, counted, all = 0;

	do {
		counted = 0;
		count = ct_ranges_find(access->at, end, found, FOUND_MAX);
		for (uint32_t i = 0; i < count; i++) {
			if (!ct_range_counts(&ct_ranges[found[i]], access->writes))
				continue;
			counted++;
			if (finishes)
				ct_range_finish(found[i], access);
		}
		all += counted;
	} while (finishes && counted && count == FOUND_MAX);
	return all;
}

uint32_t ct_watch_access(struct ct_watch_touch *access, uint32_t (*stack)(const void *base),
			 const void *base)
{
	uint32_t count;

	if (!ct_watch_lock()) {
		ct_watch_lock_missed(
		    "it was accessed in a signal handler that interrupted the tracer");
		return 0;
	}
	count = finish(access, false);
	ct_watch_unlock();
	if (!count)
		return 0;
	access->thread = ct_thread_id();
	access->stack = stack(base);
	if (!ct_watch_lock())
		return 0;
	count = finish(access, true);
	ct_watch_unlock();
	return count;
}

void ct_watch_function(const void *pointer, uint64_t bytes, uint32_t kind, bool writes,
		       const char *function, const void *base)
{
	struct ct_watch_touch touch = {.time_ns = ct_clock_real_ns(),
				       .at = (uint64_t)(uintptr_t)pointer,
				       .bytes = bytes,
				       .reason = function,
				       .kind = (uint8_t)kind,
				       .means = CT_MEANS_PAGES,
				       .writes = writes};
	int saved = errno;

	if (bytes)
		ct_watch_access(&touch, ct_watch_stack, base);
	errno = saved;
}

void (*ct_watch_early)(const struct ct_watch_early *early);

/* Reports the first access of the thread that asked for a copy which nothing has waited for. */
static void report_early(const struct ct_watch_touch *access, const void *base)
{
	struct ct_watch_early early = {
	    .at = access->at, .bytes = access->bytes, .writes = access->writes};
	uint32_t found[FOUND_MAX], count, thread = ct_thread_id();
	bool is_early = false;

	if (!ct_watch_lock())
		return;
	count = ct_ranges_find(access->at, access->at + access->bytes, found, FOUND_MAX);
	for (uint32_t i = 0; i < count; i++) {
		const struct ct_range *range = &ct_ranges[found[i]];

		if (!ct_range_is_early(range, access->writes) || range->thread != thread)
			continue;
		is_early = true;
		early.start = range->start;
		early.call = range->call;
		ct_range_unwatch(found[i]);
	}
	ct_watch_unlock();
	if (!is_early)
		return;
	early.stack = ct_watch_stack(base);
	ct_watch_early(&early);
}

static void use(const void *pointer, uint64_t bytes, uint32_t kind, bool writes,
		const char *function, const void *base)
{
	struct ct_watch_touch access = {.at = (uint64_t)(uintptr_t)pointer,
					.bytes = bytes,
					.reason = function,
					.kind = (uint8_t)kind,
					.means = CT_MEANS_HOST,
					.writes = writes};
	int saved = errno;

	if (!bytes || !ct_bounds_may_have(access.at, bytes, writes) || !ct_watch_is_on())
		return;
	access.time_ns = ct_clock_real_ns();
	if (ct_watch_early)
		report_early(&access, base);
	ct_watch_access(&access, ct_watch_stack, base);
	errno = saved;
}

void __ct_use(const void *pointer, uint64_t bytes, uint32_t kind)
{
	use(pointer, bytes, kind, kind != CT_USE_LOAD, NULL, __builtin_frame_address(0));
}

void __ct_use_range(const void *pointer, uint64_t bytes, uint32_t kind, uint32_t writes,
		    const char *function)
{
	if (__ct_uses_span)
		use(pointer, bytes, kind, writes, function, __builtin_frame_address(0));
}

void __ct_use_string(const char *pointer, uint64_t limit, uint32_t kind, const char *function)
{
	if (__ct_uses_span && pointer)
		use(pointer, strnlen(pointer, limit) + 1, kind, false, function,
		    __builtin_frame_address(0));
}

void __ct_use_block(void *pointer, const char *function)
{
	if (__ct_uses_span && pointer)
		use(pointer, malloc_usable_size(pointer), CT_USE_FREE, true, function,
		    __builtin_frame_address(0));
}

static bool has_host_code;

void __ct_register_host(void)
{
	has_host_code = true;
}

bool ct_watch_has_host_code(void)
{
	return has_host_code;
}
