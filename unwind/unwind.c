/* SPDX-License-Identifier: Apache-2.0 */
/* The calling thread's stack: as it was, walked, or by the unwinder. */
#include "unwind/unwind.h"
#include "unwind/backtrace.h"
#include "unwind/lock.h"
#include "unwind/rows.h"
#include "unwind/walk.h"
#include <errno.h>

static _Thread_local struct ct_stack_thread *own;
/* The frame of ct_stack_take that is under way, 0 else. */
static _Thread_local volatile uintptr_t busy, busy_caller;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static void end_thread(void *thread)
{
	own = NULL;
	ct_stack_thread_free(thread);
}

static void make_key(void)
{
	has_key = pthread_key_create(&key, end_thread) == 0;
}

static void begin_thread(void)
{
	pthread_once(&once, make_key);
	if (has_key)
		own = ct_stack_thread_new();
	if (own && pthread_setspecific(key, own) != 0)
		end_thread(own);
}

/* A signal handler has left ct_stack_take by longjmp, and nothing goes on there: its frame is not
 * further out than this one, or what it was called by stands there no more. */
__attribute__((no_sanitize_address, no_sanitize_thread)) static bool has_been_left(uintptr_t frame)
{
	if (!own || busy < own->low || busy >= own->high || frame < own->low || frame >= own->high)
		return false;
	return busy <= frame || ((const volatile uintptr_t *)busy)[1] != busy_caller;
}

static uint32_t take_by_unwinder(struct ct_stack_thread *thread, const void *base)
{
	/* The walk has failed: what it has found is of no use any more. */
	uintptr_t *addresses = (uintptr_t *)thread->walked;
	size_t count = ct_backtrace(base, addresses, CT_STACK_DEPTH_MAX + 1);
	struct ct_stack_frame frame = {0};
	uint32_t row = 0;

	thread->count = thread->word_count = 0;
	for (size_t i = count; i-- > 0;) {
		frame.address = addresses[i];
		ct_stack_thread_place(thread, &frame);
		if (i == CT_STACK_DEPTH_MAX ||
		    (i == count - 1 && frame.step.kind == CT_STEP_UNKNOWN))
			row = ct_row_unknown();
		if (i < CT_STACK_DEPTH_MAX)
			row = ct_stack_thread_row(thread, row, &frame);
		if (!row)
			return 0;
	}
	return row;
}

static uint32_t take_slowly(const void *base)
{
	int saved = errno;
	uint32_t row = 0;

	if (!own)
		begin_thread();
	if (own && own->generation != ct_modules_generation) {
		own->generation = ct_modules_generation;
		ct_stack_thread_renew(own);
	}
	if (own)
		row = ct_walk(own, (uintptr_t)base);
	if (own && !row)
		row = take_by_unwinder(own, base);
	errno = saved;
	return row;
}

uint32_t ct_stack_take(const void *base)
{
	uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
	const struct ct_stack_thread *thread;
	uint32_t row;

	if (busy) {
		if (!has_been_left(frame))
			return 0;
		ct_stack_thread_renew(own);
	}
	busy_caller = (uintptr_t)__builtin_return_address(0);
	busy = frame;
	ct_modules_watch();
	thread = own;
	if (thread && thread->generation == ct_modules_generation &&
	    ct_walk_is_same(thread, (uintptr_t)base))
		row = thread->frames[thread->count - 1].row;
	else
		row = take_slowly(base);
	busy = 0;
	return row;
}

void ct_stacks_forget(void)
{
	ct_stacks_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	ct_modules_forget();
	ct_places_forget();
	ct_rows_forget();
	busy = 0;
}
