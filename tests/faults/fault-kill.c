/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault-kill CTPOST WORK KILLS PROGRAM ARGUMENT...
 * Runs the program traced, and KILLS times again with SIGKILL after a random
 * part of the time that the whole run took, with rings and compression of all
 * kinds. Each time the trace must open with `ctpost info`, now and then with
 * `ctpost dump`, and say nothing that is not so (compare.h). Prints the seed; CT_SEED repeats it.
 */
#include "tests/faults/compare.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DUMP_EVERY 8 /* it takes longest */

struct killing {
	const char *ctpost;
	char **program;
	char trace[4096], output[4096];
	unsigned short random[3];
	size_t no_trace, partial, whole; /* runs, by what is left of them */
	size_t told;                     /* partial ones that know of whole launches */
};

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000;
}

static void redirect(int descriptor, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0)
		_exit(127);
	dup2(fd, descriptor);
}

/* Starts a command with its output in a file, and what it warns of in another. */
static pid_t start(char *const command[], const char *output)
{
	char warnings[4200];
	pid_t child;

	snprintf(warnings, sizeof(warnings), "%s.err", output);
	child = fork();
	if (child == 0) {
		redirect(STDOUT_FILENO, output);
		redirect(STDERR_FILENO, strcmp(output, "/dev/null") ? warnings : output);
		execv(command[0], command);
		_exit(127);
	}
	return child;
}

static int finish(pid_t child)
{
	int status = -1;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static int run(char *const command[], const char *output)
{
	return finish(start(command, output));
}

/* Settings that move the moments at which something is written. */
static void choose_options(struct killing *killing)
{
	static const char *const rings[] = {"8K", "64K", "1M", "64M"};
	static const char *const levels[] = {"0", "1", "9"};
	static const char *const consumers[] = {"1", "2", "7"};

	setenv("CUDATRACE_RING", rings[nrand48(killing->random) % 4], 1);
	setenv("CUDATRACE_LEVEL", levels[nrand48(killing->random) % 3], 1);
	setenv("CUDATRACE_CONSUMERS", consumers[nrand48(killing->random) % 3], 1);
}

static void remove_trace(const struct killing *killing)
{
	char *command[] = {"/bin/rm", "-rf", (char *)killing->trace, NULL};

	run(command, killing->output);
}

/* What ctpost says of the trace; NULL if it cannot. */
static json_t *info(const struct killing *killing)
{
	char *command[] = {(char *)killing->ctpost, "info", "--json", (char *)killing->trace, NULL};
	json_error_t error;

	if (run(command, killing->output) != 0)
		return NULL;
	return json_load_file(killing->output, 0, &error);
}

static bool can_dump(const struct killing *killing)
{
	char *command[] = {(char *)killing->ctpost, "dump", (char *)killing->trace, NULL};

	return run(command, "/dev/null") == 0;
}

/* Before the first manifest there is no trace. */
static bool is_unborn(const struct killing *killing)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s/manifest-0.json", killing->trace);
	return access(path, F_OK) != 0;
}

/* Returns false, having said why, if something is wrong with what is left. */
static bool judge(struct killing *killing, json_t *full, unsigned number)
{
	struct ct_fault_verdict verdict = {0};
	json_t *faulty;

	if (is_unborn(killing)) {
		killing->no_trace++;
		return true;
	}
	faulty = info(killing);
	if (!faulty) {
		printf("FAILED: ctpost info cannot read it\n");
		return false;
	}
	ct_fault_compare(full, faulty, 0, false, &verdict);
	json_decref(faulty);
	if (*verdict.wrong || (number % DUMP_EVERY == 0 && !can_dump(killing))) {
		printf("FAILED: %s\n", *verdict.wrong ? verdict.wrong : "ctpost dump fails");
		return false;
	}
	if (verdict.complete) {
		killing->whole++;
	} else {
		killing->partial++;
		killing->told += verdict.told > 0;
	}
	return true;
}

static bool kill_once(struct killing *killing, json_t *full, uint64_t run_us, unsigned number)
{
	uint64_t after_us = (uint64_t)nrand48(killing->random) % (run_us + run_us / 4);
	struct timespec pause = {.tv_sec = (time_t)(after_us / 1000000u),
				 .tv_nsec = (long)(after_us % 1000000u) * 1000};
	bool well;
	pid_t child;

	choose_options(killing);
	remove_trace(killing);
	child = start(killing->program, killing->output);
	nanosleep(&pause, NULL);
	kill(child, SIGKILL);
	finish(child);
	well = judge(killing, full, number);
	if (!well)
		printf("killed after %llu us, ring %s, level %s, consumers %s; trace %s\n",
		       (unsigned long long)after_us, getenv("CUDATRACE_RING"),
		       getenv("CUDATRACE_LEVEL"), getenv("CUDATRACE_CONSUMERS"), killing->trace);
	return well;
}

int main(int argc, char **argv)
{
	const char *seed = getenv("CT_SEED");
	unsigned number = seed ? (unsigned)strtoul(seed, NULL, 10) : (unsigned)now_us();
	struct killing killing = {
	    .random = {(unsigned short)number, (unsigned short)(number >> 16)}};
	unsigned kills = argc > 4 ? (unsigned)atoi(argv[3]) : 0;
	uint64_t start_us = now_us();
	json_t *full;

	if (!kills) {
		fprintf(stderr, "usage: fault-kill CTPOST WORK KILLS PROGRAM ARGUMENT...\n");
		return 2;
	}
	killing.ctpost = argv[1];
	killing.program = argv + 4;
	snprintf(killing.trace, sizeof(killing.trace), "%s/kill.ctrace", argv[2]);
	snprintf(killing.output, sizeof(killing.output), "%s/kill.out", argv[2]);
	setenv("CUDATRACE_OUTPUT", killing.trace, 1);
	printf("seed %u\n", number);
	remove_trace(&killing);
	start_us = now_us();
	if (run(killing.program, killing.output) != 0 || !(full = info(&killing))) {
		printf("FAILED: the whole run; see %s, %s.err\n", killing.output, killing.output);
		return 1;
	}
	start_us = now_us() - start_us;
	for (unsigned i = 0; i < kills; i++)
		if (!kill_once(&killing, full, start_us, i))
			return 1;
	printf("%u kills: %zu before there was a trace, %zu partial traces (%zu tell of whole "
	       "launches), %zu complete ones\n",
	       kills, killing.no_trace, killing.partial, killing.told, killing.whole);
	json_decref(full);
	return killing.partial >= kills / 4 && killing.told >= kills / 10 ? 0 : 1;
}
