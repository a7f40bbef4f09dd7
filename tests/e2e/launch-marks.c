/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches and the program's marks, in order, as lines that scripts compare:
 *
 *   launch-marks TRACE
 *
 *   begin solve, end solve, pause, resume
 *   launch 1 step of solve/inner grid 5 3 1 context 1 launches 0 blocks 4 2 traced
 *   launch 2 step of - grid 5 3 1 context 2 launches 3 blocks 0 0 paused by …
 *
 * Contexts are numbered as they appear.
 */
#include "trace/read/reader.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CONTEXTS_MAX 1024

static size_t number_of(uint32_t context)
{
	static uint32_t known[CONTEXTS_MAX];
	static size_t count;
	size_t i = 0;

	while (i < count && known[i] != context)
		i++;
	if (i == count && count < CONTEXTS_MAX)
		known[count++] = context;
	return i + 1;
}

static void print_mark(const struct ct_trace *trace, const struct ct_host_event *mark)
{
	static const char *const words[] = {"begin", "end", "pause", "resume"};
	uint32_t phase = mark->region->phase;
	const char *name = ct_trace_string(trace, mark->part, mark->region->name);

	printf("%s%s%s\n", phase <= CT_REGION_RESUME ? words[phase] : "?", *name ? " " : "", name);
}

static void print_launch(const struct ct_launch_info *launch)
{
	const struct ct_event_launch *e = launch->event;

	printf("launch %u %.*s of %s grid %u %u %u context %zu launches %u blocks %u %u %s\n",
	       e->launch, (int)strcspn(launch->kernel, "(<"), launch->kernel,
	       *launch->region ? launch->region : "-", e->grid[0], e->grid[1], e->grid[2],
	       e->context ? number_of(e->context) : 0, e->launch_period, e->block_period,
	       e->block_offset, *launch->reason ? launch->reason : "traced");
}

int main(int argc, char **argv)
{
	const struct ct_launch_info *launches;
	const struct ct_host_event *marks;
	size_t launch_count, mark_count, mark = 0;
	struct ct_trace *trace;
	char why[512];

	if (argc != 2)
		return 2;
	if (ct_trace_open(&trace, argv[1], why, sizeof(why)) < 0) {
		fprintf(stderr, "launch-marks: %s\n", why);
		return 1;
	}
	launch_count = ct_trace_launches(trace, &launches);
	mark_count = ct_trace_events(trace, CT_EVENT_REGION, &marks);
	for (size_t i = 0; i < launch_count; i++) {
		for (; mark < mark_count && marks[mark].index < launches[i].event_index; mark++)
			print_mark(trace, &marks[mark]);
		print_launch(&launches[i]);
	}
	while (mark < mark_count)
		print_mark(trace, &marks[mark++]);
	ct_trace_close(trace);
	return 0;
}
