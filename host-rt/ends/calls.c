/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of _exit, _Exit and abort come here first, in programs that have the runtime. A member of
 * its own in the runtime's archive: a program that calls them and has no CUDA gets this, and
 * nothing of the runtime, which it names weakly. The runtime asks for this member
 * (process/ending.c).
 */
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* They return where the program has no other such function, as one without dynamic libraries. */
__attribute__((weak)) void __ct_end_by_exit(int status);
__attribute__((weak)) void __ct_end_by_abort(void);

const char __ct_has_ends = 1;

__attribute__((noreturn)) static void end(int status)
{
	if (__ct_end_by_exit)
		__ct_end_by_exit(status);
	for (;;)
		syscall(SYS_exit_group, status);
}

/* Weak: a program may have its own. */
__attribute__((weak, noreturn)) void _exit(int status)
{
	end(status);
}

__attribute__((weak, noreturn)) void _Exit(int status)
{
	end(status);
}

__attribute__((weak, noreturn)) void abort(void)
{
	sigset_t set;

	if (__ct_end_by_abort)
		__ct_end_by_abort();
	sigemptyset(&set);
	sigaddset(&set, SIGABRT);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(SIGABRT);
	signal(SIGABRT, SIG_DFL);
	raise(SIGABRT);
	for (;;)
		syscall(SYS_exit_group, 127);
}
