/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program whose main thread has called pthread_exit ends with its last thread. Threads of the
 * runtime and of the tracer never end: when no other is left, the process exits as the C library
 * has it exit.
 */
#include "cpu-target/runtime/base/service.h"
#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOOK_EVERY_NS 20000000

static sigset_t mask_of_main;

/* Whether a thread of the program runs: by its name, or the main one that has not ended. */
static bool is_of_program(const char *thread)
{
	char path[64], text[256] = "", *state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%.20s/stat", thread);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		*text = '\0';
	fclose(file);
	state = strrchr(text, ')');
	if (!state || state[1] != ' ' || state[2] == 'Z' || state[2] == 'X')
		return false;
	return !strstr(text, "(" CT_SERVICE_NAME ")");
}

static bool is_program_alive(void)
{
	DIR *tasks = opendir("/proc/self/task");
	bool alive = !tasks; /* not known */
	struct dirent *task;

	while (tasks && !alive && (task = readdir(tasks)))
		alive = isdigit((unsigned char)*task->d_name) && is_of_program(task->d_name);
	if (tasks)
		closedir(tasks);
	return alive;
}

static void *wait_for_program(void *unused)
{
	const struct timespec pause = {.tv_nsec = LOOK_EVERY_NS};

	while (is_program_alive())
		nanosleep(&pause, NULL);
	pthread_sigmask(SIG_SETMASK, &mask_of_main, NULL);
	exit(0);
	return unused;
}

/* Runs where the main thread calls pthread_exit, not where it returns. */
static void main_has_ended(void *unused)
{
	(void)unused;
	pthread_sigmask(SIG_SETMASK, NULL, &mask_of_main);
	ct_service_start(wait_for_program, NULL);
}

__attribute__((constructor)) static void watch_main(void)
{
	pthread_key_t key;

	if (syscall(SYS_gettid) == getpid() && pthread_key_create(&key, main_has_ended) == 0)
		pthread_setspecific(key, &mask_of_main);
}
