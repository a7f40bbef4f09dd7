/* SPDX-License-Identifier: Apache-2.0 */
/* A thread's caches of places and rows; the bounds of its stack. */
#include "unwind/thread.h"
#include "unwind/rows.h"
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

static void find_bounds(struct ct_stack_thread *thread)
{
	pthread_attr_t attributes;
	size_t bytes;
	void *low;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	if (pthread_attr_getstack(&attributes, &low, &bytes) == 0) {
		thread->low = (uintptr_t)low;
		thread->high = (uintptr_t)low + bytes;
	}
	pthread_attr_destroy(&attributes);
}

struct ct_stack_thread *ct_stack_thread_new(void)
{
	struct ct_stack_thread *thread = mmap(NULL, sizeof(*thread), PROT_READ | PROT_WRITE,
					      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (thread == MAP_FAILED)
		return NULL;
	madvise(thread, sizeof(*thread), MADV_NOHUGEPAGE);
	find_bounds(thread);
	return thread;
}

void ct_stack_thread_free(struct ct_stack_thread *thread)
{
	munmap(thread, sizeof(*thread));
}

void ct_stack_thread_renew(struct ct_stack_thread *thread)
{
	thread->count = thread->word_count = 0;
	memset(thread->places, 0, sizeof(thread->places));
	memset(thread->links, 0, sizeof(thread->links));
	memset(thread->gaps, 0, sizeof(thread->gaps));
}

static uint64_t spread(uint64_t key)
{
	return key * 0x9e3779b97f4a7c15u >> 32;
}

void ct_stack_thread_place(struct ct_stack_thread *thread, struct ct_stack_frame *frame)
{
	struct ct_stack_place *known = &thread->places[spread(frame->address) % CT_THREAD_PLACES];
	struct ct_stack_place place;

	if (__builtin_expect(known->address != frame->address, false)) {
		place = ct_place_of(frame->address);
		if (place.module)
			*known = place;
		else
			known = &place;
	}
	frame->module = known->module;
	frame->step = known->step;
	frame->function = known->function;
}

uint32_t ct_stack_thread_row(struct ct_stack_thread *thread, uint32_t caller,
			     const struct ct_stack_frame *frame)
{
	uint64_t hash = spread(frame->address ^ caller * 0xd6e8feb86659fd93u);
	struct ct_row_link *link = &thread->links[hash % CT_THREAD_LINKS];
	uint32_t row;

	if (link->address == frame->address && link->caller == caller && link->row)
		return link->row;
	row = ct_row_of(caller, frame->module, frame->address);
	if (row && frame->module)
		*link = (struct ct_row_link){frame->address, caller, row};
	return row;
}
