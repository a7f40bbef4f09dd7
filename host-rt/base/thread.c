/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of threads: another one in the child of a fork. */
#include "host-rt/base/thread.h"
#include <pthread.h>
#include <sys/prctl.h>
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

#define OURS_MAX 256u /* of more, those beyond are taken for the program's */

static _Atomic uint32_t ours[OURS_MAX], ours_count;

void ct_thread_begin_ours(void)
{
	uint32_t number = ours_count++;

	ct_thread_is_ours = true;
	prctl(PR_SET_NAME, "cuda-trace");
	if (number < OURS_MAX)
		ours[number] = ct_thread_id();
}

bool ct_thread_is_of_ours(uint32_t id)
{
	uint32_t count = ours_count < OURS_MAX ? ours_count : OURS_MAX;

	for (uint32_t i = 0; i < count; i++)
		if (ours[i] == id)
			return true;
	return false;
}
