/* SPDX-License-Identifier: Apache-2.0 */
/* The state of this process's trace, and the lock that orders its events. */
#include "host-rt/events/session.h"
#include "host-rt/base/quiet.h"
#include "trace/write/writer.h"
#include <cudatrace/error.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

enum state { UNOPENED, ACTIVE, STOPPED, CLOSED };

struct ct_session_totals ct_session_totals;

static pthread_mutex_t session_lock = PTHREAD_MUTEX_INITIALIZER;
static const char *lock_owner;            /* atomic: this_thread of who holds it */
static __thread const char this_thread;   /* its address */
static uint32_t session_state = UNOPENED; /* enum state, atomic */
static int refusal;                       /* atomic: enum ct_error; 0: none */
static struct ct_options options;
static struct ct_writer *writer;

/* In a page that the child of a fork has as 0, however it was forked: fork handlers run for those
 * of libc alone. NULL: the system has no such pages, or the trace is not open. */
static const volatile uint32_t *mark;

static void set_mark(void)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	uint32_t *page =
	    mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return;
	if (madvise(page, bytes, MADV_WIPEONFORK) < 0) {
		munmap(page, bytes);
		return;
	}
	*page = 1;
	mark = page;
}

static uint32_t state_now(void)
{
	uint32_t state = __atomic_load_n(&session_state, __ATOMIC_ACQUIRE);

	/* The trace is the parent's. */
	if (state != UNOPENED && mark && !*mark)
		return CLOSED;
	return state;
}

bool ct_session_is_active(void)
{
	uint32_t state = state_now();
	struct ct_quiet quiet;

	if (state != UNOPENED || !ct_session_root.is_due())
		return state == ACTIVE;
	ct_session_lock();
	if (session_state == UNOPENED) {
		ct_quiet_begin(&quiet);
		set_mark();
		state = ct_session_root.open(&options, &writer) ? ACTIVE : CLOSED;
		__atomic_store_n(&session_state, state, __ATOMIC_RELEASE);
		ct_quiet_end(&quiet);
	}
	ct_session_unlock();
	return state_now() == ACTIVE;
}

bool ct_session_is_open(void)
{
	uint32_t state = state_now();

	return state == ACTIVE || state == STOPPED;
}

bool ct_session_takes_records(void)
{
	return state_now() == ACTIVE && !ct_session_refusal();
}

int ct_session_refusal(void)
{
	return __atomic_load_n(&refusal, __ATOMIC_ACQUIRE);
}

const struct ct_options *ct_session_options(void)
{
	return &options;
}

struct ct_writer *ct_session_writer(void)
{
	return writer;
}

void ct_session_lock(void)
{
	pthread_mutex_lock(&session_lock);
	__atomic_store_n(&lock_owner, &this_thread, __ATOMIC_RELAXED);
}

bool ct_session_lock_is_mine(void)
{
	return __atomic_load_n(&lock_owner, __ATOMIC_RELAXED) == &this_thread;
}

void ct_session_unlock(void)
{
	__atomic_store_n(&lock_owner, NULL, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&session_lock);
}

/* When records are refused, launches and allocations are still written down. */
int ct_session_check(int err)
{
	uint32_t active = ACTIVE;
	int none = 0;
	bool is_first;

	if (err >= 0)
		return err;
	if (err == -CT_ELIMIT || err == -CT_ESPACE)
		is_first = __atomic_compare_exchange_n(&refusal, &none, -err, false,
						       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	else
		is_first = __atomic_compare_exchange_n(&session_state, &active, STOPPED, false,
						       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	if (is_first)
		ct_session_root.stopped(err);
	return err;
}

void ct_session_flush(void)
{
	if (state_now() != ACTIVE)
		return;
	ct_session_check(ct_writer_flush(writer));
	ct_session_root.flushed();
}

bool ct_session_close(void)
{
	return __atomic_exchange_n(&session_state, CLOSED, __ATOMIC_ACQ_REL) == ACTIVE;
}
