/* SPDX-License-Identifier: Apache-2.0 */
/* libcudatrace-uses.so: libc's functions with the watch around them (cudatrace/preload.h). */
#include "host-rt/preload/library.h"
#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#undef fread_unlocked
#undef fwrite_unlocked

EXPORTED struct ct_preload __ct_preload = {.version = CT_PRELOAD_VERSION};
static struct ct_preload_watch *watch; /* atomic; NULL: no pages are protected */

void *ct_preload_find(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

static int real_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	static __typeof__(&sigaction) real;

	if (!real)
		real = (__typeof__(real))ct_preload_find("sigaction");
	return real(number, action, old);
}

static int real_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	static __typeof__(&pthread_sigmask) real;

	if (!real)
		real = (__typeof__(real))ct_preload_find("pthread_sigmask");
	return real(how, set, old);
}

EXPORTED void __ct_preload_attach(struct ct_preload_watch *of)
{
	__ct_preload.sigaction = real_sigaction;
	__ct_preload.set_mask = real_sigmask;
	__atomic_store_n(&watch, of, __ATOMIC_RELEASE);
}

struct ct_preload_watch *ct_preload_armed(void)
{
	struct ct_preload_watch *now = __atomic_load_n(&watch, __ATOMIC_ACQUIRE);

	return now && __atomic_load_n(&now->is_armed, __ATOMIC_RELAXED) ? now : NULL;
}

/* Each of them, then everything once: one `after` ends it. */
static void before_list(struct ct_preload_watch *now, const struct iovec *list, size_t count,
			uint32_t writes, const char *function, const void *base)
{
	for (size_t i = 0; i < count; i++) {
		now->before(list[i].iov_base, list[i].iov_len, SYSTEM, writes, function, base);
		now->after();
	}
	now->before(NULL, 0, SYSTEM, 0, function, base);
}

#define CT_PRELOAD(returns, function, parameters, arguments, pointer, bytes, kind, writes)         \
	EXPORTED returns function parameters                                                       \
	{                                                                                          \
		static returns(*real) parameters;                                                  \
		struct ct_preload_watch *now = ct_preload_armed();                                 \
		returns result;                                                                    \
                                                                                                   \
		if (!real)                                                                         \
			real = (__typeof__(real))ct_preload_find(#function);                       \
		if (!now)                                                                          \
			return real arguments;                                                     \
		now->before(pointer, bytes, kind, writes, #function, __builtin_frame_address(0));  \
		result = real arguments;                                                           \
		now->after();                                                                      \
		return result;                                                                     \
	}
#define CT_PRELOAD_LIST(function, parameters, arguments, list, count, writes)                      \
	EXPORTED ssize_t function parameters                                                       \
	{                                                                                          \
		static ssize_t(*real) parameters;                                                  \
		struct ct_preload_watch *now = ct_preload_armed();                                 \
		ssize_t result;                                                                    \
                                                                                                   \
		if (!real)                                                                         \
			real = (__typeof__(real))ct_preload_find(#function);                       \
		if (!now)                                                                          \
			return real arguments;                                                     \
		before_list(now, list, (size_t)(count), writes, #function,                         \
			    __builtin_frame_address(0));                                           \
		result = real arguments;                                                           \
		now->after();                                                                      \
		return result;                                                                     \
	}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#include "host-rt/preload/preload.def"
#pragma GCC diagnostic pop

/* Handlers of faults are host-rt's; it calls the program's. */
EXPORTED int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	struct ct_preload_watch *now = __atomic_load_n(&watch, __ATOMIC_ACQUIRE);

	if (now && (number == SIGSEGV || number == SIGTRAP))
		return now->sigaction(number, action, old);
	return real_sigaction(number, action, old);
}

EXPORTED sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;

	sigemptyset(&action.sa_mask);
	return sigaction(number, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

/* A fault whose signal is blocked ends the process, so these are not. */
static const sigset_t *without_faults(int how, const sigset_t *set, sigset_t *copy)
{
	if (!set || how == SIG_UNBLOCK || !__atomic_load_n(&watch, __ATOMIC_ACQUIRE))
		return set;
	*copy = *set;
	sigdelset(copy, SIGSEGV);
	sigdelset(copy, SIGTRAP);
	return copy;
}

EXPORTED int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t copy;

	return real_sigmask(how, without_faults(how, set, &copy), old);
}

EXPORTED int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	static __typeof__(&sigprocmask) real;
	sigset_t copy;

	if (!real)
		real = (__typeof__(real))ct_preload_find("sigprocmask");
	return real(how, without_faults(how, set, &copy), old);
}

struct start {
	void *(*function)(void *);
	void *argument;
	bool is_inner;
};

/* This thread is the driver's or the tracer's: so are those that it makes. */
static __thread bool is_inner_thread;

/* A thread may have been made with all signals blocked, before pages were protected. */
static void *begin(void *memory)
{
	struct start start = *(struct start *)memory;
	sigset_t faults;

	free(memory);
	is_inner_thread = start.is_inner;
	sigemptyset(&faults);
	sigaddset(&faults, SIGSEGV);
	sigaddset(&faults, SIGTRAP);
	real_sigmask(SIG_UNBLOCK, &faults, NULL);
	return start.function(start.argument);
}

EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			    void *(*function)(void *), void *argument)
{
	static __typeof__(&pthread_create) real;
	static __typeof__(&__ct_is_inner) is_inner;
	struct start *start = malloc(sizeof(*start));
	bool inner;
	int error;

	if (!real) {
		real = (__typeof__(real))ct_preload_find("pthread_create");
		is_inner = (__typeof__(is_inner))dlsym(RTLD_DEFAULT, "__ct_is_inner");
	}
	inner = is_inner_thread || (is_inner && is_inner());
	if (!inner)
		__atomic_add_fetch(&__ct_preload.program_threads, 1, __ATOMIC_RELAXED);
	if (!start)
		return real(thread, attributes, function, argument);
	*start = (struct start){function, argument, inner};
	error = real(thread, attributes, begin, start);
	if (error)
		free(start);
	return error;
}
