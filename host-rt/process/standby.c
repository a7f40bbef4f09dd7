/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that waits for the end of the program. */
#include "host-rt/process/standby.h"
#include "host-rt/base/thread.h"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#define ASKED_MAX 8u /* who ends asks a few times */

static sem_t asked;
static void *(*function[ASKED_MAX])(void *);
static uint32_t count; /* atomic: of functions */
static pid_t process;  /* whose thread waits; 0: none */

/* Detached. The program's signals are for the program's threads. */
static int begin(void *(*run)(void *))
{
	sigset_t all, before;
	pthread_t thread;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&thread, NULL, run, NULL);
	if (err == 0)
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

static void *begin_when_asked(void *unused)
{
	ct_thread_begin_ours();
	for (uint32_t i = 0; i < ASKED_MAX; i++) {
		void *(*run)(void *);

		while (sem_wait(&asked) != 0)
			;
		/* Who asked has taken the place, and may be about to fill it. */
		while (!(run = __atomic_load_n(&function[i], __ATOMIC_ACQUIRE)))
			usleep(100);
		if (begin(run) < 0)
			run(NULL);
	}
	return unused;
}

void ct_standby_begin(void)
{
	for (uint32_t i = 0; i < ASKED_MAX; i++)
		function[i] = NULL;
	count = 0;
	process = sem_init(&asked, 0, 0) == 0 && begin(begin_when_asked) == 0 ? getpid() : 0;
}

bool ct_standby_run(void *(*run)(void *unused))
{
	uint32_t place;

	/* In the child of a vfork the memory is its parent's, and so is the trace. */
	if (process != getpid())
		return false;
	place = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
	if (place >= ASKED_MAX)
		return false;
	__atomic_store_n(&function[place], run, __ATOMIC_RELEASE);
	sem_post(&asked);
	return true;
}
