/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that log calls while one reads: every call is read once, in its thread's order, and the
 * logs of threads that have ended go. A plain program: Criterion does not run under
 * ThreadSanitizer, for which this is made.
 */
#include "host-rt/calls/call.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS 6u
#define ROUNDS 3u
#define CALLS 30000u

static const void *const no_symbols[2];
static uint32_t running; /* atomic: writers */
static unsigned failures;

/* In place of the one that asks CUDA. */
_Thread_local unsigned ct_quiet_depth;

static void fail(const char *what, uint64_t number)
{
	failures++;
	fprintf(stderr, "%s (%llu)\n", what, (unsigned long long)number);
}

/* A writer's name is in each of its calls. */
static void *write_calls(void *name)
{
	struct ct_call call;

	for (uint64_t i = 0; i < CALLS; i++) {
		ct_call_enter(&call, CT_CALL_cudaFree, no_symbols, false);
		ct_call_real_begins(&call);
		ct_call_real_ends(&call);
		call.result = 0;
		ct_call_note_bytes(i);
		ct_call_note_stream((uint64_t)(uintptr_t)name);
		ct_call_leave(&call);
	}
	__atomic_sub_fetch(&running, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* Counts what has been read of each writer, by name. */
static uint64_t seen[THREADS * ROUNDS + 1];

static void read_log(struct ct_log *log)
{
	const struct ct_log_entry *entries;
	size_t some;

	while ((some = ct_log_read(log, &entries)) > 0)
		for (size_t i = 0; i < some; i++) {
			if (entries[i].bytes != seen[entries[i].stream]++)
				fail("a call is not the next of its thread", entries[i].bytes);
			if (entries[i].begin_ns > entries[i].end_ns)
				fail("a call ends before it begins", entries[i].bytes);
		}
}

static unsigned read_logs(void)
{
	struct ct_log_entry entry;
	unsigned count = 0;

	for (struct ct_log *log = ct_log_next(NULL); log; log = ct_log_next(log), count++) {
		read_log(log);
		if (ct_log_unended(log, 0, &entry) && entry.number != CT_CALL_cudaFree)
			fail("another call is under way", entry.number);
	}
	return count;
}

static void *read_calls(void *unused)
{
	while (__atomic_load_n(&running, __ATOMIC_ACQUIRE)) {
		ct_log_wait(1000000);
		read_logs();
	}
	return unused;
}

/* Stacks, and with them ids of threads, are used again by the next round. */
static void run_round(unsigned round)
{
	pthread_t thread[THREADS + 1];

	running = THREADS;
	pthread_create(&thread[THREADS], NULL, read_calls, NULL);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, write_calls, (void *)(round * THREADS + i));
	for (unsigned i = 0; i <= THREADS; i++)
		pthread_join(thread[i], NULL);
}

int main(void)
{
	ct_log_turn(CT_LOG_TAKES);
	for (unsigned round = 0; round < ROUNDS; round++)
		run_round(round);
	read_logs();
	if (read_logs() != 0)
		fail("logs of threads that have ended are still there", 0);
	for (unsigned i = 0; i < THREADS * ROUNDS; i++)
		if (seen[i] != CALLS)
			fail("calls of a thread are missing", CALLS - seen[i]);
	if (ct_log_lost())
		fail("calls are lost", ct_log_lost());
	return failures != 0;
}
