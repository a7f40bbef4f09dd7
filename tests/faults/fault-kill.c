/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault-kill CTPOST IO WORK KILLS PROGRAM ARGUMENT...
 * Runs the program traced, and KILLS times again with SIGKILL, with rings and compression of all
 * kinds: every other time after a random part of the time that the whole run took, else when it
 * has written a part of the bytes of the smallest trace (by the library IO), so that partial
 * traces come about however busy the machine is. Each time the trace must open with `ctpost info`,
 * now and then with `ctpost dump`, and say nothing that is not so (compare.h). Prints the seed;
 * CT_SEED repeats it.
 */
#include "tests/faults/compare.h"
#include <dirent.h>
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

/* Runs, by what is left of them */
struct remains {
	size_t no_trace, partial, whole;
	size_t reported; /* partial ones that know of whole launches */
};

struct killing {
	const char *ctpost, *io;
	char **program;
	char trace[4096], output[4096];
	unsigned short random[3];
	uint64_t run_us, trace_bytes; /* of the run that is not killed */
	struct remains by_time, by_bytes;
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

/* Settings that move the moments at which something is written */
static void choose_options(unsigned choice)
{
	static const char *const rings[] = {"8K", "64K", "1M", "64M"};
	static const char *const levels[] = {"0", "1", "9"};
	static const char *const consumers[] = {"1", "2", "7"};

	setenv("CUDATRACE_RING", rings[choice % 4], 1);
	setenv("CUDATRACE_LEVEL", levels[choice / 4 % 3], 1);
	setenv("CUDATRACE_CONSUMERS", consumers[choice / 12 % 3], 1);
}

static void remove_trace(const struct killing *killing)
{
	char *command[] = {"/bin/rm", "-rf", (char *)killing->trace, NULL};

	run(command, killing->output);
}

/* Returns what ctpost says of the trace; NULL if it cannot. */
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
static bool is_unallocated(const struct killing *killing)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s/manifest-0.json", killing->trace);
	return access(path, F_OK) != 0;
}

/* Returns false, having said why, if something is wrong with what is left. */
static bool judge(const struct killing *killing, json_t *full, unsigned number,
		  struct remains *remains)
{
	struct ct_fault_verdict verdict = {0};
	json_t *faulty;

	if (is_unallocated(killing)) {
		remains->no_trace++;
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
		remains->whole++;
	} else {
		remains->partial++;
		remains->reported += verdict.reported > 0;
	}
	return true;
}

static uint64_t trace_bytes(const struct killing *killing)
{
	DIR *directory = opendir(killing->trace);
	const struct dirent *entry;
	struct stat status;
	uint64_t bytes = 0;

	while (directory && (entry = readdir(directory)))
		if (fstatat(dirfd(directory), entry->d_name, &status, 0) == 0 &&
		    S_ISREG(status.st_mode))
			bytes += (uint64_t)status.st_size;
	if (directory)
		closedir(directory);
	return bytes;
}

static uint64_t kill_by_time(struct killing *killing)
{
	uint64_t after_us =
	    (uint64_t)nrand48(killing->random) % (killing->run_us + killing->run_us / 4);
	struct timespec pause = {.tv_sec = (time_t)(after_us / 1000000u),
				 .tv_nsec = (long)(after_us % 1000000u) * 1000};
	pid_t child = start(killing->program, killing->output);

	nanosleep(&pause, NULL);
	kill(child, SIGKILL);
	finish(child);
	return after_us;
}

static uint64_t kill_by_bytes(struct killing *killing, double part)
{
	uint64_t bytes = (uint64_t)(part * (double)killing->trace_bytes);
	char fault[64];

	snprintf(fault, sizeof(fault), "kill:%llu", (unsigned long long)bytes);
	setenv("CT_FAULT", fault, 1);
	setenv("LD_PRELOAD", killing->io, 1);
	run(killing->program, killing->output);
	unsetenv("LD_PRELOAD");
	return bytes;
}

static bool kill_once(struct killing *killing, json_t *full, unsigned number, unsigned kills)
{
	bool well, by_bytes = number % 2;
	uint64_t after;

	choose_options(number / 2);
	remove_trace(killing);
	after = by_bytes ? kill_by_bytes(killing, (double)number / kills) : kill_by_time(killing);
	well = judge(killing, full, number, by_bytes ? &killing->by_bytes : &killing->by_time);
	if (!well)
		printf("killed after %llu %s, ring %s, level %s, consumers %s; trace %s\n",
		       (unsigned long long)after, by_bytes ? "bytes" : "us",
		       getenv("CUDATRACE_RING"), getenv("CUDATRACE_LEVEL"),
		       getenv("CUDATRACE_CONSUMERS"), killing->trace);
	return well;
}

static void tell(const char *how, const struct remains *remains)
{
	printf("killed by %s: %zu before there was a trace, %zu partial traces (%zu tell of whole "
	       "launches), %zu complete ones\n",
	       how, remains->no_trace, remains->partial, remains->reported, remains->whole);
}

int main(int argc, char **argv)
{
	const char *seed = getenv("CT_SEED");
	unsigned number = seed ? (unsigned)strtoul(seed, NULL, 10) : (unsigned)now_us();
	struct killing killing = {
	    .random = {(unsigned short)number, (unsigned short)(number >> 16)}};
	unsigned kills = argc > 5 ? (unsigned)atoi(argv[4]) : 0;
	uint64_t start_us;
	json_t *full;

	if (!kills) {
		fprintf(stderr, "usage: fault-kill CTPOST IO WORK KILLS PROGRAM ARGUMENT...\n");
		return 2;
	}
	killing.ctpost = argv[1];
	killing.io = argv[2];
	killing.program = argv + 5;
	snprintf(killing.trace, sizeof(killing.trace), "%s/kill.ctrace", argv[3]);
	snprintf(killing.output, sizeof(killing.output), "%s/kill.out", argv[3]);
	setenv("CUDATRACE_LEVEL", "9", 1);
	setenv("CUDATRACE_OUTPUT", killing.trace, 1);
	printf("seed %u\n", number);
	remove_trace(&killing);
	start_us = now_us();
	if (run(killing.program, killing.output) != 0 || !(full = info(&killing))) {
		printf("FAILED: the whole run; see %s, %s.err\n", killing.output, killing.output);
		return 1;
	}
	killing.run_us = now_us() - start_us;
	killing.trace_bytes = trace_bytes(&killing);
	for (unsigned i = 0; i < kills; i++)
		if (!kill_once(&killing, full, i, kills))
			return 1;
	json_decref(full);
	tell("time", &killing.by_time);
	tell("bytes", &killing.by_bytes);
	return killing.by_bytes.partial >= kills / 4 && killing.by_bytes.reported ? 0 : 1;
}
