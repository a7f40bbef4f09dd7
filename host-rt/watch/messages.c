/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is given to MPI, which may be a device's: what code that we have compiled reports,
 * or the library that ctrun preloads. Of MPI nothing is known but its C binding: handles are passed
 * on as they came, in a register, which on x86-64 serves those that are pointers (Open MPI) and
 * those that are numbers (MPICH).
 */
#include "base/clock.h"
#include "host-rt/base/thread.h"
#include "host-rt/watch/order/devices.h"
#include "host-rt/watch/ranges/access.h"
#include "host-rt/watch/ranges/lock.h"
#include <cudatrace/host.h>
#include <dlfcn.h>
#include <errno.h>

#define EXTENT_MOST 16u

typedef int type_extent(uint64_t type, long *low, long *extent);
typedef int communicator_size(uint64_t communicator, int *size);

/* Those of the program's link, be it static. */
extern type_extent MPI_Type_get_extent __attribute__((weak));
extern communicator_size MPI_Comm_size __attribute__((weak));

/* Returns the extent of a type; if MPI does not say it, as large as items mostly are at most. */
static uint64_t extent_of(uint64_t type)
{
	type_extent *ask = MPI_Type_get_extent;
	long low, extent;

	if (!ask)
		ask = (type_extent *)dlsym(RTLD_DEFAULT, "MPI_Type_get_extent");
	return ask && ask(type, &low, &extent) == 0 && extent > 0 ? (uint64_t)extent : EXTENT_MOST;
}

static uint64_t size_of(uint64_t communicator)
{
	communicator_size *ask = MPI_Comm_size;
	int size;

	if (!ask)
		ask = (communicator_size *)dlsym(RTLD_DEFAULT, "MPI_Comm_size");
	return ask && ask(communicator, &size) == 0 && size > 0 ? (uint64_t)size : 1;
}

static void access_device(struct ct_watch_touch *touch, const void *base)
{
	const struct ct_block *block;
	bool is_device;

	if (!ct_watch_lock())
		return;
	is_device = ct_block_find_device(touch->at) != NULL;
	ct_watch_unlock();
	if (!is_device)
		return;
	touch->thread = ct_thread_id();
	touch->stack = ct_watch_stack(base);
	if (!ct_watch_lock())
		return;
	block = ct_block_find_device(touch->at);
	if (block)
		ct_devices_access(block, touch);
	ct_watch_unlock();
}

static void use(const void *pointer, uint64_t bytes, uint32_t writes, const char *function,
		const void *base)
{
	struct ct_watch_touch touch = {.time_ns = ct_clock_real_ns(),
				       .at = (uint64_t)(uintptr_t)pointer,
				       .bytes = bytes,
				       .reason = function,
				       .kind = CT_USE_LIBRARY,
				       .means = CT_MEANS_HOST,
				       .writes = writes != 0};

	if (!bytes || !pointer)
		return;
	ct_watch_access(&touch, ct_watch_stack, base);
	access_device(&touch, base);
}

void __ct_use_message(const void *pointer, uint64_t count, uint64_t type, uint64_t communicator,
		      uint32_t flags, const char *function)
{
	int saved = errno;

	if (!ct_watch_is_on())
		return;
	count = (uint64_t)(int)count * extent_of(type);
	if (flags & CT_MESSAGE_OF_RANKS)
		count *= size_of(communicator);
	use(pointer, count, flags & CT_MESSAGE_WRITES, function, __builtin_frame_address(0));
	errno = saved;
}

void __ct_use_messages(const void *pointer, const int *counts, const int *places, uint64_t type,
		       uint64_t communicator, uint32_t flags, const char *function)
{
	uint64_t extent, ranks, most = 0;
	int saved = errno;

	if (!ct_watch_is_on() || !counts || !places)
		return;
	extent = extent_of(type);
	ranks = size_of(communicator);
	for (uint64_t i = 0; i < ranks; i++)
		if (counts[i] > 0 && (uint64_t)places[i] + (uint64_t)counts[i] > most)
			most = (uint64_t)places[i] + (uint64_t)counts[i];
	use(pointer, most * extent, flags & CT_MESSAGE_WRITES, function,
	    __builtin_frame_address(0));
	errno = saved;
}

/* The pages are open from now on. */
void __ct_use_anything(const char *function)
{
	struct ct_watch_touch touch = {.time_ns = ct_clock_real_ns(),
				       .thread = ct_thread_id(),
				       .reason = function,
				       .kind = CT_USE_UNKNOWN,
				       .means = CT_MEANS_HOST};
	int saved = errno;

	if (!ct_watch_is_on())
		return;
	touch.stack = ct_watch_stack(__builtin_frame_address(0));
	if (ct_watch_lock()) {
		for (uint32_t i = ct_ranges_live(); i-- > 0;)
			if (ct_ranges[ct_ranges_at(i)].state == CT_RANGE_ARMED)
				ct_range_finish(ct_ranges_at(i), &touch);
		ct_devices_lose_all(&touch);
		ct_watch_unlock();
	}
	errno = saved;
}
