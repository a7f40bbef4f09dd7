/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of threads: another one in the child of a fork. */
#include "host-rt/base/thread.h"
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local uint32_t ct_thread_own;
_Thread_local bool ct_thread_is_ours;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void forget(void)
{
	ct_thread_own = 0;
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, forget);
}

uint32_t ct_thread_ask(void)
{
	pthread_once(&once, watch_forks);
	ct_thread_own = (uint32_t)syscall(SYS_gettid);
	return ct_thread_own;
}
