/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctas-check TRACE [KERNEL]
 * Every traced launch has a row of CTA for each CTA of its grid, of which each is in the run, on
 * an SM of the device, and not before the launch was asked for, nor outside of the ACTIVITY row of
 * its kernel, by more than the clocks may be apart (and CUPTI_NS where CUPTI gave the row). Of
 * launches of KERNEL, each CTA ends after those before it have begun. Prints launch,
 * kernel, CTAs. Exit 0: so it is; 1: not.
 */
#include "trace/read/clock_map.h"
#include "trace/read/reader.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUPTI_NS 5000u /* by which its times may be off, which it does not tell */

static const struct ct_row_cta *rows;
static size_t count;
static struct ct_clock_map clocks;
static int failures;

static void fail(const struct ct_launch_info *launch, uint64_t cta, const char *what)
{
	fprintf(stderr, "ctas-check: launch %u, CTA %" PRIu64 ": %s\n", launch->event->launch, cta,
		what);
	failures++;
}

static uint32_t sms_of(const struct ct_trace *trace, uint32_t device)
{
	const struct ct_host_event *events;
	size_t devices = ct_trace_events(trace, CT_EVENT_DEVICE, &events);

	for (size_t i = 0; i < devices; i++)
		if (events[i].device->device == device)
			return events[i].device->sm_count;
	return 0;
}

static void check_row(const struct ct_launch_info *launch, const struct ct_row_cta *row,
		      uint32_t sms, uint64_t end_ns)
{
	uint64_t error_ns,
	    begin_ns = ct_clock_map_host(&clocks, launch->event->device, row->begin_ns, &error_ns);

	if (row->sm >= sms)
		fail(launch, row->cta, "no such SM");
	if (begin_ns + error_ns < launch->event->header.time_ns)
		fail(launch, row->cta, "it began before it was asked for");
	if (begin_ns + row->duration_ns > end_ns + error_ns)
		fail(launch, row->cta, "it ends after the run");
}

static const struct ct_row_activity *activities;
static size_t activity_count;
static uint64_t slack_ns; /* 0 on the CPU target, where there is one clock */

static void check_activity(const struct ct_launch_info *launch, const struct ct_row_cta *row)
{
	uint64_t error_ns,
	    begin_ns = ct_clock_map_host(&clocks, launch->event->device, row->begin_ns, &error_ns);

	error_ns += slack_ns;
	for (size_t i = 0; i < activity_count; i++) {
		const struct ct_row_activity *activity = &activities[i];

		if (activity->kind != CT_ACTIVITY_KERNEL ||
		    activity->launch != launch->event->launch)
			continue;
		if (begin_ns + error_ns < activity->begin_ns)
			fail(launch, row->cta, "it began before its kernel did");
		if (begin_ns + row->duration_ns >
		    activity->begin_ns + activity->duration_ns + error_ns)
			fail(launch, row->cta, "it ends after its kernel did");
	}
}

static void check_order(const struct ct_launch_info *launch, const struct ct_row_cta **of)
{
	uint64_t latest = 0;

	for (uint64_t i = 0; of[i]; i++) {
		if (of[i]->begin_ns + of[i]->duration_ns < latest)
			fail(launch, i, "it ends before one that it waited for has begun");
		latest = of[i]->begin_ns > latest ? of[i]->begin_ns : latest;
	}
}

static void check_launch(const struct ct_trace *trace, const struct ct_launch_info *launch,
			 const char *kernel, uint64_t end_ns)
{
	const uint32_t *grid = launch->event->grid;
	uint64_t ctas = (uint64_t)grid[0] * grid[1] * grid[2];
	const struct ct_row_cta **of = calloc(ctas + 1, sizeof(*of));

	if (!of)
		exit(2);
	for (size_t i = 0; i < count; i++) {
		if (rows[i].launch != launch->event->launch)
			continue;
		if (rows[i].cta >= ctas || of[rows[i].cta])
			fail(launch, rows[i].cta, "there twice, or not of the grid");
		else
			of[rows[i].cta] = &rows[i];
	}
	for (uint64_t i = 0; i < ctas; i++)
		if (of[i]) {
			check_row(launch, of[i], sms_of(trace, launch->event->device), end_ns);
			check_activity(launch, of[i]);
		} else {
			fail(launch, i, "it has no times");
		}
	if (kernel && !failures && strstr(launch->kernel, kernel))
		check_order(launch, of);
	printf("%u %s %" PRIu64 "\n", launch->event->launch, launch->kernel, ctas);
	free(of);
}

int main(int argc, char **argv)
{
	const struct ct_launch_info *launches;
	const struct ct_host_event *events;
	struct ct_trace *trace;
	uint64_t all = 0, end_ns = 0;
	char why[256];
	size_t n;

	if (argc < 2 || ct_trace_open(&trace, argv[1], why, sizeof(why)) < 0 ||
	    ct_trace_rows(trace, 0, CT_TABLE_CTA, (const void **)&rows, &count) < 0 ||
	    ct_trace_rows(trace, 0, CT_TABLE_ACTIVITY, (const void **)&activities,
			  &activity_count) < 0 ||
	    ct_clock_map_init(&clocks, trace, 0) < 0)
		return 2;
	n = ct_trace_events(trace, CT_EVENT_DEVICE, &events);
	if (n && !events[0].device->is_cpu_target)
		slack_ns = CUPTI_NS;
	n = ct_trace_events(trace, CT_EVENT_LAUNCH_DONE, &events);
	for (size_t i = 0; i < n; i++)
		end_ns = events[i].header->time_ns > end_ns ? events[i].header->time_ns : end_ns;
	n = ct_trace_launches(trace, &launches);
	for (size_t i = 0; i < n; i++)
		if (launches[i].event->flags & CT_LAUNCH_TRACED) {
			check_launch(trace, &launches[i], argc > 2 ? argv[2] : NULL, end_ns);
			all += (uint64_t)launches[i].event->grid[0] * launches[i].event->grid[1] *
			       launches[i].event->grid[2];
		}
	if (all != count) {
		fprintf(stderr, "ctas-check: %" PRIu64 " CTAs, but %zu rows\n", all, count);
		failures++;
	}
	if (ct_trace_events(trace, CT_EVENT_LOSS, &events)) {
		fprintf(stderr, "ctas-check: there are losses\n");
		failures++;
	}
	ct_clock_map_fini(&clocks);
	ct_trace_close(trace);
	return failures != 0;
}
