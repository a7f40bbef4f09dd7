/* SPDX-License-Identifier: Apache-2.0 */
/* Open spans: of each thread a list, of those that any thread may end one for all. */
#include "host-rt/spans/spans.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/map.h"
#include "host-rt/base/thread.h"
#include "unwind/unwind.h"
#include <cudatrace/format.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct span {
	const void *group;
	uint64_t begin_ns;
	uint32_t kind, name, stack;
};

struct thread {
	struct thread *next, **link; /* threads_lock */
	uint32_t id;
	bool is_busy; /* a signal handler may come in between */
	pthread_mutex_t lock;
	struct span *open; /* outermost first */
	size_t count, room;
};

static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *threads;
static _Thread_local struct thread *own;
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static bool has_key;

static pthread_mutex_t started_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ct_map started; /* by number: struct ct_log_entry * */
static uint64_t last_started;
static _Thread_local bool is_starting;

static struct ct_log_entry entry_of(const struct span *span, uint32_t thread, uint8_t flags)
{
	return (struct ct_log_entry){
	    .begin_ns = span->begin_ns,
	    .end_ns = span->kind == CT_SPAN_MARK ? span->begin_ns : ct_clock_real_ns(),
	    .stack = span->stack,
	    .thread = thread,
	    .name = span->name,
	    .number = (uint16_t)(CT_LOG_SPANS + span->kind),
	    .flags = flags,
	};
}

/* Spans that the thread did not leave are open for ever. */
static void end_thread(void *of)
{
	struct thread *thread = of;
	struct ct_log_entry entry;

	own = NULL;
	pthread_mutex_lock(&threads_lock);
	*thread->link = thread->next;
	if (thread->next)
		thread->next->link = thread->link;
	pthread_mutex_unlock(&threads_lock);
	while (thread->count && !ct_log_is_closed()) {
		entry = entry_of(&thread->open[--thread->count], thread->id, CT_SPAN_OPEN);
		ct_log_add_span(&entry);
	}
	free(thread->open);
	pthread_mutex_destroy(&thread->lock);
	free(thread);
}

static void make_key(void)
{
	has_key = pthread_key_create(&key, end_thread) == 0;
}

static struct thread *begin_thread(void)
{
	struct thread *thread = calloc(1, sizeof(*thread));

	pthread_once(&key_once, make_key);
	if (!thread || !has_key || pthread_setspecific(key, thread) != 0) {
		free(thread);
		return NULL;
	}
	thread->id = ct_thread_id();
	pthread_mutex_init(&thread->lock, NULL);
	pthread_mutex_lock(&threads_lock);
	thread->next = threads;
	thread->link = &threads;
	if (threads)
		threads->link = &thread->next;
	threads = thread;
	pthread_mutex_unlock(&threads_lock);
	own = thread;
	return thread;
}

/* The calling thread's, locked; NULL: nothing is recorded. */
static struct thread *enter(void)
{
	struct thread *thread = own;

	if (ct_log_is_closed())
		return NULL;
	if (!thread)
		thread = begin_thread();
	if (!thread || thread->is_busy)
		return NULL;
	thread->is_busy = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	pthread_mutex_lock(&thread->lock);
	return thread;
}

static void leave(struct thread *thread)
{
	pthread_mutex_unlock(&thread->lock);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->is_busy = false;
}

static int level_of(const struct thread *thread, const void *group)
{
	int level = 0;

	for (size_t i = 0; i < thread->count; i++)
		level += thread->open[i].group == group;
	return level;
}

int ct_span_push(uint32_t kind, const void *group, uint32_t name, const void *base)
{
	struct thread *thread = enter();
	int level = CT_SPAN_NO_LEVEL;

	if (!thread)
		return level;
	if (ct_array_reserve(&thread->open, &thread->room, thread->count + 1,
			     sizeof(*thread->open)) == 0) {
		level = level_of(thread, group);
		thread->open[thread->count++] = (struct span){.group = group,
							      .begin_ns = ct_clock_real_ns(),
							      .kind = kind,
							      .name = name,
							      .stack = ct_stack_take(base)};
	}
	leave(thread);
	return level;
}

/* True: the innermost of the group is taken out, into *entry. */
static bool take_out(struct thread *thread, const void *group, struct ct_log_entry *entry)
{
	size_t i = thread->count;

	while (i && thread->open[i - 1].group != group)
		i--;
	if (!i)
		return false;
	*entry =
	    entry_of(&thread->open[i - 1], thread->id, i < thread->count ? CT_SPAN_OVERLAPS : 0);
	memmove(&thread->open[i - 1], &thread->open[i], (thread->count - i) * sizeof(struct span));
	thread->count--;
	return true;
}

int ct_span_pop(const void *group)
{
	struct thread *thread = enter();
	struct ct_log_entry entry;
	int level;

	if (!thread)
		return CT_SPAN_NO_LEVEL;
	level = level_of(thread, group) - 1;
	if (take_out(thread, group, &entry))
		ct_log_add_span(&entry);
	leave(thread);
	return level;
}

uint64_t ct_span_start(uint32_t name, const void *base)
{
	struct span span = {.kind = CT_SPAN_RANGE, .name = name};
	struct ct_log_entry *entry;
	union ct_map_value *place = NULL;
	uint64_t number = 0;

	if (ct_log_is_closed() || is_starting)
		return 0;
	entry = malloc(sizeof(*entry));
	if (!entry)
		return 0;
	span.begin_ns = ct_clock_real_ns();
	span.stack = ct_stack_take(base);
	*entry = entry_of(&span, ct_thread_id(), CT_SPAN_OVERLAPS);
	is_starting = true;
	pthread_mutex_lock(&started_lock);
	place = ct_map_put(&started, last_started + 1, 0);
	if (place) {
		number = ++last_started;
		place->pointer = entry;
	}
	pthread_mutex_unlock(&started_lock);
	is_starting = false;
	if (!place)
		free(entry);
	return number;
}

void ct_span_stop(uint64_t span)
{
	struct ct_log_entry *entry = NULL;
	union ct_map_value *place;

	if (ct_log_is_closed() || is_starting)
		return;
	is_starting = true;
	pthread_mutex_lock(&started_lock);
	place = ct_map_find(&started, span, 0);
	if (place) {
		entry = place->pointer;
		ct_map_remove(&started, span, 0);
	}
	pthread_mutex_unlock(&started_lock);
	is_starting = false;
	if (!entry)
		return;
	entry->end_ns = ct_clock_real_ns();
	ct_log_add_span(entry);
	free(entry);
}

void ct_span_mark(uint32_t name, const void *base)
{
	struct span span = {.kind = CT_SPAN_MARK, .name = name};
	struct ct_log_entry entry;

	if (ct_log_is_closed())
		return;
	span.begin_ns = ct_clock_real_ns();
	span.stack = ct_stack_take(base);
	entry = entry_of(&span, ct_thread_id(), 0);
	ct_log_add_span(&entry);
}

/* The program may have left for good from a signal handler, in the middle of a push. */
static bool lock_patiently(pthread_mutex_t *lock)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	for (int i = 0; i < 100; i++) {
		if (pthread_mutex_trylock(lock) == 0)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

static int tell_thread(struct thread *thread,
		       int (*each)(void *user, const struct ct_log_entry *entry), void *user)
{
	struct ct_log_entry entry;
	int err = 0;

	if (!lock_patiently(&thread->lock))
		return 0;
	for (size_t i = thread->count; i-- > 0 && err == 0;) {
		entry = entry_of(&thread->open[i], thread->id, CT_SPAN_OPEN);
		err = each(user, &entry);
	}
	pthread_mutex_unlock(&thread->lock);
	return err;
}

int ct_spans_open(int (*each)(void *user, const struct ct_log_entry *entry), void *user)
{
	int err = 0;

	if (!lock_patiently(&threads_lock))
		return 0;
	for (struct thread *thread = threads; thread && err == 0; thread = thread->next)
		err = tell_thread(thread, each, user);
	pthread_mutex_unlock(&threads_lock);
	if (!lock_patiently(&started_lock))
		return err;
	for (struct ct_map_entry *at = NULL; err == 0 && (at = ct_map_next(&started, at));) {
		struct ct_log_entry entry = *(struct ct_log_entry *)at->value.pointer;

		entry.end_ns = ct_clock_real_ns();
		entry.flags |= CT_SPAN_OPEN;
		err = each(user, &entry);
	}
	pthread_mutex_unlock(&started_lock);
	return err;
}
