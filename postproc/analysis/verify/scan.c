/* SPDX-License-Identifier: Apache-2.0 */
/* A tally of a whole trace, by several threads: each opens the trace and scans a shard. */
#include "postproc/analysis/verify/scan.h"
#include "postproc/cmdline/progress.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct scanner {
	pthread_t thread;
	struct ct_trace *trace;
	struct ct_tally *tally;
	const char *directory;
	const uint8_t *by;
	struct ctpost_progress *progress; /* the first one's */
	int *stop;                        /* shared: a scanner failed */
	uint32_t shard, shards;
	uint64_t damaged;
	int err;
};

static int add_access(void *user, const struct ct_access *access)
{
	return ct_tally_add(((struct scanner *)user)->tally, access);
}

static int add_event(void *user, const struct ct_event *event)
{
	return ct_tally_add_event(((struct scanner *)user)->tally, event);
}

static int on_progress(void *user, uint64_t done, uint64_t total)
{
	struct scanner *scanner = user;

	if (scanner->progress)
		ctpost_progress_update(scanner->progress, done, total);
	return __atomic_load_n(scanner->stop, __ATOMIC_RELAXED) ? -ECANCELED : 0;
}

/* Readers are not shared. The trace must not have been written anew meanwhile. */
static int open_again(struct scanner *scanner, const struct ct_trace *first)
{
	const struct ct_launch_info *launches;
	const struct ct_unit *units;
	char why[CTPOST_WHY_BYTES];
	int err = ct_trace_open(&scanner->trace, scanner->directory, why, sizeof(why));

	if (err < 0)
		return err;
	if (ct_trace_launches(scanner->trace, &launches) != ct_trace_launches(first, &launches) ||
	    ct_trace_units(scanner->trace, &units) != ct_trace_units(first, &units))
		return -ESTALE;
	return 0;
}

static void *run_scanner(void *argument)
{
	struct scanner *scanner = argument;
	const struct ct_scan request = {
	    .access = add_access,
	    .event = add_event,
	    .progress = on_progress,
	    .user = scanner,
	    .shard = scanner->shard,
	    .shards = scanner->shards,
	};

	scanner->err = ct_tally_open(&scanner->tally, scanner->trace, scanner->by);
	if (scanner->err == 0)
		scanner->err = ct_trace_scan(scanner->trace, &request, &scanner->damaged);
	if (scanner->err)
		__atomic_store_n(scanner->stop, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* The first failure that is not another's consequence. */
static int worst(const struct scanner *scanners, uint32_t count)
{
	int err = 0;

	for (uint32_t i = 0; i < count; i++)
		if (scanners[i].err && (!err || err == -ECANCELED))
			err = scanners[i].err;
	return err;
}

static int join_tallies(struct scanner *scanners, uint32_t count, struct ct_trace *trace)
{
	int err = 0;

	for (uint32_t i = 1; i < count && err == 0; i++) {
		err = ct_tally_join(scanners[0].tally, scanners[i].tally);
		ct_trace_join_warnings(trace, scanners[i].trace);
		scanners[0].damaged += scanners[i].damaged;
	}
	return err;
}

static int run_all(struct scanner *scanners, uint32_t count)
{
	uint32_t started = 1;
	int err = 0;

	for (; started < count && err == 0; started++)
		err = -pthread_create(&scanners[started].thread, NULL, run_scanner,
				      &scanners[started]);
	if (err == 0)
		run_scanner(&scanners[0]);
	else
		__atomic_store_n(scanners[0].stop, 1, __ATOMIC_RELAXED);
	for (uint32_t i = 1; i < started - (err != 0); i++)
		pthread_join(scanners[i].thread, NULL);
	return err ? err : worst(scanners, count);
}

static int scan(struct scanner *scanners, uint32_t count, struct ct_trace *trace)
{
	int err = 0;

	for (uint32_t i = 1; i < count && err == 0; i++)
		err = open_again(&scanners[i], trace);
	if (err == 0)
		err = run_all(scanners, count);
	return err == 0 ? join_tallies(scanners, count, trace) : err;
}

struct ct_tally *ctpost_verify_scan(struct ctpost_call *call, struct ct_trace *trace,
				    const uint8_t *by, uint32_t threads, uint64_t *damaged)
{
	struct scanner *scanners = calloc(threads, sizeof(*scanners));
	struct ctpost_progress progress;
	struct ct_tally *tally = NULL;
	int stop = 0, err = scanners ? 0 : -ENOMEM;

	ctpost_progress_start(&progress, ct_trace_directory(trace));
	for (uint32_t i = 0; err == 0 && i < threads; i++)
		scanners[i] = (struct scanner){
		    .directory = ct_trace_directory(trace),
		    .by = by,
		    .stop = &stop,
		    .shard = i,
		    .shards = threads,
		};
	if (err == 0) {
		scanners[0].trace = trace;
		scanners[0].progress = &progress;
		err = scan(scanners, threads, trace);
	}
	ctpost_progress_stop(&progress);
	if (err == 0) {
		tally = scanners[0].tally;
		scanners[0].tally = NULL;
		*damaged = scanners[0].damaged;
		ct_tally_settle(tally);
	}
	for (uint32_t i = 0; scanners && i < threads; i++) {
		ct_tally_close(scanners[i].tally);
		if (i)
			ct_trace_close(scanners[i].trace);
	}
	free(scanners);
	if (err)
		ctpost_fail(call, 0, "%s: %s", ct_trace_directory(trace), ct_strerror(err));
	return tally;
}
