/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks by address; who asked for each. */
#include "host-rt/watch/host/allocated.h"
#include "host-rt/base/thread.h"
#include "host-rt/watch/ranges/finished.h"
#include "trace/read/live.h"
#include "unwind/unwind.h"
#include <cudatrace/preload.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* Insertion takes time with their number: of very many, large ones alone are kept, then none. */
#define BLOCKS_MAX (1u << 16)
#define BLOCKS_MANY (1u << 14)
#define LARGE (64u << 10)
#define PAGE 4096u

struct allocated {
	const char *function; /* static; NULL: it is of no allocator */
	uint32_t stack;
	uint32_t next; /* of free ones, + 1 */
	bool is_reported;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool is_mine; /* what is allocated within is ours */
static pid_t process;              /* whose lock it is: that of a child of fork may stay locked */
static struct ct_live live;
static struct allocated *allocated;
static uint32_t known, free_slot; /* + 1 */

/* Enters a block of the program's, not of ours or CUDA's: then what is allocated until `leave` is
 * ours. */
static bool enter(void)
{
	pid_t self;

	if (is_mine || ct_thread_is_ours || __ct_is_inner())
		return false;
	self = getpid();
	if (!__atomic_load_n(&process, __ATOMIC_RELAXED))
		__atomic_store_n(&process, self, __ATOMIC_RELAXED);
	is_mine = __atomic_load_n(&process, __ATOMIC_RELAXED) == self;
	return is_mine;
}

static void leave(void)
{
	pthread_mutex_unlock(&lock);
	is_mine = false;
}

static void forget(const struct ct_live_range *range)
{
	uint32_t slot = range->object;

	allocated[slot].next = free_slot;
	free_slot = slot + 1;
	ct_live_remove(&live, range->begin, slot);
}

static struct allocated *add(uint64_t begin, uint64_t end)
{
	const struct ct_live_range *other;
	uint32_t slot = free_slot ? free_slot - 1 : known;

	while ((other = ct_live_overlap(&live, begin, end)))
		forget(other);
	if (!allocated)
		allocated = ct_finished_memory(BLOCKS_MAX * sizeof(*allocated));
	if (!allocated || slot == BLOCKS_MAX || begin >= end ||
	    (known >= BLOCKS_MANY && !free_slot && end - begin < LARGE) ||
	    ct_live_insert(&live, &(struct ct_live_range){begin, end, slot}) < 0)
		return NULL;
	if (free_slot)
		free_slot = allocated[slot].next;
	else
		known++;
	allocated[slot] = (struct allocated){.function = NULL};
	return &allocated[slot];
}

void __ct_memory_allocated(const void *pointer, uint64_t bytes, const char *function,
			   const void *base)
{
	uint64_t begin = (uint64_t)(uintptr_t)pointer;
	int saved = errno;
	struct allocated *block;
	uint32_t stack;

	if (!enter())
		return;
	stack = ct_stack_take(base);
	pthread_mutex_lock(&lock);
	block = add(begin, begin + bytes);
	if (block)
		*block = (struct allocated){.function = function, .stack = stack};
	leave();
	errno = saved;
}

void __ct_memory_freed(const void *pointer)
{
	const struct ct_live_range *range;
	int saved = errno;

	if (!enter())
		return;
	pthread_mutex_lock(&lock);
	range = ct_live_find(&live, (uint64_t)(uintptr_t)pointer);
	if (range && range->begin == (uint64_t)(uintptr_t)pointer)
		forget(range);
	leave();
	errno = saved;
}

static bool is_on_stack(uint64_t address)
{
	pthread_attr_t attributes;
	void *begin = NULL;
	size_t bytes = 0;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return false;
	pthread_attr_getstack(&attributes, &begin, &bytes);
	pthread_attr_destroy(&attributes);
	return address - (uint64_t)(uintptr_t)begin < bytes;
}

/* Finds memory that no allocator has reported; it is not looked at again, nor is the page of a
 * stack. Without the lock: the dynamic loader frees what may be known here while it holds its
 * own. */
static bool find_other(uint64_t address, struct ct_event_host_block *event, char *name)
{
	uint64_t begin = address, end = address + 1;
	struct allocated *block;
	bool is_new;

	event->kind = CT_HOST_UNKNOWN;
	if (ct_variable_find(address, &begin, &end, name, CT_ALLOCATED_NAME_BYTES) == 0)
		event->kind = CT_HOST_VARIABLE;
	else if (is_on_stack(address))
		event->kind = CT_HOST_STACK;
	event->address = begin;
	event->bytes = end - begin;
	if (event->kind == CT_HOST_STACK) {
		begin -= begin % PAGE;
		end = begin + PAGE;
	}
	pthread_mutex_lock(&lock);
	is_new = !ct_live_find(&live, address); /* else another thread has come first */
	block = is_new ? add(begin, end) : NULL;
	if (block)
		block->is_reported = true;
	pthread_mutex_unlock(&lock);
	return is_new && event->kind != CT_HOST_UNKNOWN;
}

/* Finds memory that is known. False: there is nothing to tell. */
static bool find(uint64_t address, struct ct_event_host_block *event, char *name, bool *is_known)
{
	const struct ct_live_range *range = ct_live_find(&live, address);
	struct allocated *block = range ? &allocated[range->object] : NULL;

	*is_known = block != NULL;
	if (!block || block->is_reported)
		return false;
	block->is_reported = true;
	event->address = range->begin;
	event->bytes = range->end - range->begin;
	event->stack = block->stack;
	event->kind = CT_HOST_ALLOCATED;
	snprintf(name, CT_ALLOCATED_NAME_BYTES, "%s", block->function);
	return true;
}

bool ct_allocated_find(uint64_t address, struct ct_event_host_block *event,
		       char name[CT_ALLOCATED_NAME_BYTES])
{
	bool is_known, is_new;

	*event = (struct ct_event_host_block){.address = 0};
	*name = '\0';
	/* We are in the program's call. */
	if (is_mine || (process && process != getpid()))
		return false;
	is_mine = true;
	pthread_mutex_lock(&lock);
	is_new = find(address, event, name, &is_known);
	pthread_mutex_unlock(&lock);
	if (!is_known)
		is_new = find_other(address, event, name);
	is_mine = false;
	return is_new;
}
