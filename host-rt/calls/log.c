/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that have ended, thread by thread. */
#include "host-rt/calls/log.h"
#include "base/clock.h"
#include "host-rt/base/thread.h"
#include "host-rt/calls/call.h"
#include "unwind/unwind.h"
#include <cudatrace/format.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define BLOCK_BYTES ((size_t)64 << 10)
#define BLOCK_ENTRIES ((BLOCK_BYTES - 2 * sizeof(uint64_t)) / sizeof(struct ct_log_entry))
#define BLOCKS_MAX (CT_LOG_BYTES / BLOCK_BYTES)
/* Numbers of names beside those of api.def: the runtime's, then the driver's. */
#define OTHERS 2048u
#define FIRST_OTHER (CT_LOG_SPANS - 2 * OTHERS)

struct block {
	struct block *next; /* atomic; NULL: it is the thread's last */
	uint64_t count;     /* atomic: of entries */
	struct ct_log_entry entry[BLOCK_ENTRIES];
};

/* A call under way. Read when the program ends: each word for itself. */
struct unended {
	uint64_t begin_ns;
	uint32_t number, stack;
};

struct ct_log {
	struct ct_log *next; /* lists_lock */
	uint32_t thread;
	uint32_t has_ended;           /* atomic */
	char name[CT_LOG_NAME_BYTES]; /* of the thread, when it ended */
	bool is_busy;                 /* a signal handler may come in between */
	struct block *last;           /* of the thread */
	struct block *first;          /* of the journal, as all below */
	size_t read;                  /* entries of the first */
	uint64_t mark;
	uint32_t depth; /* atomic: of unended calls */
	struct unended unended[CT_LOG_UNENDED_MAX];
};

uint32_t ct_log_state = CT_LOG_WAITS;

static pthread_mutex_t lists_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ct_log *logs;
static struct block *free_blocks;
static size_t blocks; /* that there are */

static pthread_mutex_t wake_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake;
static pthread_once_t wake_once = PTHREAD_ONCE_INIT;
static bool is_awake;

_Static_assert(CT_CALLS < FIRST_OTHER, "other names have numbers of their own");

static const char *other_name[2 * OTHERS]; /* atomic */
static uint64_t lost;                      /* atomic */
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static bool has_key;
static _Thread_local struct ct_log *own;

static void lose(void)
{
	__atomic_add_fetch(&lost, 1, __ATOMIC_RELAXED);
}

void ct_log_turn(enum ct_log_state state)
{
	__atomic_store_n(&ct_log_state, state, __ATOMIC_RELEASE);
}

static bool may_grow(const struct ct_log *log)
{
	return blocks < BLOCKS_MAX &&
	       (!log || __atomic_load_n(&ct_log_state, __ATOMIC_RELAXED) == CT_LOG_TAKES);
}

/* Another one for the log; its first if that is NULL. */
static struct block *take_block(const struct ct_log *log)
{
	struct block *block = NULL;

	pthread_mutex_lock(&lists_lock);
	if (free_blocks) {
		block = free_blocks;
		free_blocks = block->next;
	} else if (may_grow(log)) {
		block = malloc(sizeof(*block));
		blocks += block != NULL;
	}
	pthread_mutex_unlock(&lists_lock);
	if (block) {
		block->next = NULL;
		block->count = 0;
	}
	return block;
}

static void give_back(struct block *block)
{
	pthread_mutex_lock(&lists_lock);
	block->next = free_blocks;
	free_blocks = block;
	pthread_mutex_unlock(&lists_lock);
}

/* Its thread's next call, in another destructor, makes another one. */
static void end_log(void *log)
{
	struct ct_log *ended = log;

	own = NULL;
	prctl(PR_GET_NAME, ended->name);
	__atomic_store_n(&ended->has_ended, 1, __ATOMIC_RELEASE);
}

static void make_key(void)
{
	has_key = pthread_key_create(&key, end_log) == 0;
}

static struct ct_log *make_log(void)
{
	struct ct_log *log = calloc(1, sizeof(*log));

	pthread_once(&key_once, make_key);
	if (log)
		log->first = log->last = take_block(NULL);
	if (!log || !log->first) {
		free(log);
		return NULL;
	}
	log->thread = ct_thread_id();
	pthread_mutex_lock(&lists_lock);
	log->next = logs;
	logs = log;
	pthread_mutex_unlock(&lists_lock);
	if (has_key)
		pthread_setspecific(key, log);
	own = log;
	return log;
}

void ct_log_enter(struct ct_call *call, const void *base)
{
	call->log = own ? own : make_log();
	if (!call->log)
		lose();
	call->stack = ct_stack_take(base);
}

/* An open call is reported here, where it begins. */
void ct_log_real_begins(struct ct_call *call)
{
	struct ct_log *log = call->log;

	if (call->begin_ns)
		return;
	call->begin_ns = ct_clock_real_ns();
	if (call->depth >= CT_LOG_UNENDED_MAX)
		return;
	__atomic_store_n(&log->unended[call->depth].begin_ns, call->begin_ns, __ATOMIC_RELAXED);
	__atomic_store_n(&log->unended[call->depth].number, call->number, __ATOMIC_RELAXED);
	__atomic_store_n(&log->unended[call->depth].stack, call->stack, __ATOMIC_RELAXED);
	__atomic_store_n(&log->depth, call->depth + 1, __ATOMIC_RELEASE);
}

void ct_log_real_ends(struct ct_call *call)
{
	call->end_ns = ct_clock_real_ns();
}

/* Room for one more entry: the thread's last block, or a new one. */
static struct block *make_room(struct ct_log *log)
{
	struct block *more;

	if (log->last->count < BLOCK_ENTRIES)
		return log->last;
	more = take_block(log);
	if (!more)
		return NULL;
	__atomic_store_n(&log->last->next, more, __ATOMIC_RELEASE);
	log->last = more;
	ct_log_wake();
	return more;
}

/* On the log's thread, which a signal handler may have interrupted in here. */
static void add(struct ct_log *log, const struct ct_log_entry *entry)
{
	struct block *block;

	if (log->is_busy) {
		lose();
		return;
	}
	log->is_busy = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	block = make_room(log);
	if (block) {
		block->entry[block->count] = *entry;
		__atomic_store_n(&block->count, block->count + 1, __ATOMIC_RELEASE);
	} else {
		lose();
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	log->is_busy = false;
}

static struct ct_log_entry entry_of(const struct ct_call *call)
{
	return (struct ct_log_entry){
	    .begin_ns = call->begin_ns,
	    .end_ns = call->end_ns,
	    .stream = call->stream,
	    .bytes = call->bytes,
	    .stack = call->stack,
	    .correlation = call->correlation,
	    .launch = call->launch,
	    .id = call->id,
	    .result = call->result,
	    .number = call->number,
	    .flags = call->is_inner ? CT_SPAN_INNER : 0,
	    .copy = call->copy,
	};
}

/* A call that CUDA never got has no time. */
void ct_log_leave(struct ct_call *call)
{
	struct ct_log_entry entry;

	__atomic_store_n(&call->log->depth, call->depth, __ATOMIC_RELEASE);
	if (!call->begin_ns || ct_log_is_closed())
		return;
	entry = entry_of(call);
	add(call->log, &entry);
}

void ct_log_add(const struct ct_log_call *call)
{
	uint32_t other = call->id % OTHERS + (call->is_of_driver ? OTHERS : 0);
	struct ct_log *log = own ? own : make_log();
	const struct ct_log_entry entry = {
	    .begin_ns = call->begin_ns,
	    .end_ns = call->end_ns,
	    .stream = call->stream,
	    .stack = call->stack,
	    .correlation = call->correlation,
	    .id = call->number,
	    .result = call->result,
	    .number = (uint16_t)(FIRST_OTHER + other),
	};

	__atomic_store_n(&other_name[other], call->name, __ATOMIC_RELEASE);
	if (log)
		add(log, &entry);
	else
		lose();
}

void ct_log_add_span(const struct ct_log_entry *entry)
{
	struct ct_log *log = own ? own : make_log();

	if (log)
		add(log, entry);
	else
		lose();
}

const char *ct_log_name(uint16_t number, bool *is_of_driver)
{
	*is_of_driver =
	    number >= FIRST_OTHER ? number >= FIRST_OTHER + OTHERS : ct_call_is_of_driver(number);
	return number < FIRST_OTHER
		   ? ct_call_name(number)
		   : __atomic_load_n(&other_name[number - FIRST_OTHER], __ATOMIC_ACQUIRE);
}

static void make_wake(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&wake, &attributes);
	pthread_condattr_destroy(&attributes);
}

void ct_log_wait(uint64_t ns)
{
	uint64_t until = ct_clock_monotonic_ns() + ns;
	const struct timespec time = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
	int err = 0;

	pthread_once(&wake_once, make_wake);
	pthread_mutex_lock(&wake_lock);
	while (!is_awake && err == 0)
		err = pthread_cond_timedwait(&wake, &wake_lock, &time);
	is_awake = false;
	pthread_mutex_unlock(&wake_lock);
}

void ct_log_wake(void)
{
	pthread_once(&wake_once, make_wake);
	pthread_mutex_lock(&wake_lock);
	is_awake = true;
	pthread_cond_signal(&wake);
	pthread_mutex_unlock(&wake_lock);
}

static bool is_done(const struct ct_log *log)
{
	return ct_log_has_ended(log) &&
	       log->read == __atomic_load_n(&log->first->count, __ATOMIC_ACQUIRE) &&
	       !__atomic_load_n(&log->first->next, __ATOMIC_ACQUIRE);
}

struct ct_log *ct_log_next(struct ct_log *log)
{
	struct ct_log *done = NULL, *next;

	pthread_mutex_lock(&lists_lock);
	for (struct ct_log **link = log ? &log->next : &logs; *link && is_done(*link);) {
		next = (*link)->next;
		(*link)->next = done;
		done = *link;
		*link = next;
	}
	next = log ? log->next : logs;
	pthread_mutex_unlock(&lists_lock);
	for (; done; done = log) {
		log = done->next;
		give_back(done->first);
		free(done);
	}
	return next;
}

uint32_t ct_log_thread(const struct ct_log *log)
{
	return log->thread;
}

const char *ct_log_thread_name(const struct ct_log *log, char name[CT_LOG_NAME_BYTES])
{
	char path[64];
	FILE *file;

	if (ct_log_has_ended(log))
		return memcpy(name, log->name, CT_LOG_NAME_BYTES);
	*name = '\0';
	snprintf(path, sizeof(path), "/proc/self/task/%u/comm", log->thread);
	file = fopen(path, "re");
	if (file && fgets(name, CT_LOG_NAME_BYTES, file))
		name[strcspn(name, "\n")] = '\0';
	if (file)
		fclose(file);
	return name;
}

bool ct_log_has_ended(const struct ct_log *log)
{
	return __atomic_load_n(&log->has_ended, __ATOMIC_ACQUIRE);
}

size_t ct_log_read(struct ct_log *log, const struct ct_log_entry **entries)
{
	struct block *block = log->first, *next;
	size_t count = __atomic_load_n(&block->count, __ATOMIC_ACQUIRE), first = log->read;

	if (first == BLOCK_ENTRIES && (next = __atomic_load_n(&block->next, __ATOMIC_ACQUIRE))) {
		log->first = next;
		give_back(block);
		block = next;
		count = __atomic_load_n(&block->count, __ATOMIC_ACQUIRE);
		first = 0;
	}
	*entries = block->entry + first;
	log->read = count;
	return count - first;
}

bool ct_log_unended(const struct ct_log *log, uint32_t i, struct ct_log_entry *entry)
{
	uint32_t depth = __atomic_load_n(&log->depth, __ATOMIC_ACQUIRE);

	if (i >= depth || i >= CT_LOG_UNENDED_MAX)
		return false;
	*entry = (struct ct_log_entry){
	    .begin_ns = __atomic_load_n(&log->unended[i].begin_ns, __ATOMIC_RELAXED),
	    .number = (uint16_t)__atomic_load_n(&log->unended[i].number, __ATOMIC_RELAXED),
	    .stack = __atomic_load_n(&log->unended[i].stack, __ATOMIC_RELAXED),
	    .flags = CT_SPAN_OPEN,
	};
	entry->end_ns = ct_clock_real_ns();
	return true;
}

uint64_t ct_log_lost(void)
{
	return __atomic_load_n(&lost, __ATOMIC_RELAXED);
}

uint64_t *ct_log_mark(struct ct_log *log)
{
	return &log->mark;
}
