/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a trace: one per part; ranks that have none; parts of another run. */
#include "trace/read/reader_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 1000000u
#define RANGES_BYTES 400

static uint64_t bytes_of(const struct ct_trace *trace, uint32_t part)
{
	const struct ct_trace_file *files = CT_ARRAY(struct ct_trace_file, &trace->files);
	uint64_t bytes = 0;

	for (size_t i = 0; i < CT_COUNT(struct ct_trace_file, &trace->files); i++)
		if (files[i].what.part == part)
			bytes += files[i].bytes;
	return bytes;
}

static int add_process(struct ct_trace *trace, const struct ct_part *part)
{
	size_t events;
	const struct ct_host_event *last = ct_part_events(trace, part, CT_EVENT_PROCESS, &events);
	const struct ct_event_process *event = events ? last[events - 1].process : NULL;
	struct ct_process_info process = {
	    .event = event,
	    .part = part->part,
	    .rank = event ? event->rank : CT_NO_RANK,
	    .ranks = event ? event->ranks : 0,
	    .host = event ? ct_part_string(part, event->host) : "",
	    .program = event ? ct_part_string(part, event->program) : "",
	    .bytes = bytes_of(trace, part->part),
	};

	process.manifest = ct_trace_part_manifest(trace, part->part, &process.missing);
	return ct_buffer_append(&trace->processes, &process, sizeof(process)) ? 0 : -ENOMEM;
}

/* "2, 5 to 7" */
static void describe_missing(const bool *seen, uint32_t ranks, char text[RANGES_BYTES])
{
	size_t used = 0;

	for (uint32_t first = 0, end; first < ranks && used + 40 < RANGES_BYTES; first = end + 1) {
		while (first < ranks && seen[first])
			first++;
		if (first == ranks)
			break;
		for (end = first + 1; end < ranks && !seen[end];)
			end++;
		used += (size_t)snprintf(text + used, RANGES_BYTES - used, "%s%u", used ? ", " : "",
					 first);
		if (end - first > 1)
			used +=
			    (size_t)snprintf(text + used, RANGES_BYTES - used, " to %u", end - 1);
	}
	if (used + 40 >= RANGES_BYTES)
		snprintf(text + used, RANGES_BYTES - used, ", ...");
}

static int check_ranks(struct ct_trace *trace)
{
	const struct ct_process_info *processes =
	    CT_ARRAY(struct ct_process_info, &trace->processes);
	size_t count = CT_COUNT(struct ct_process_info, &trace->processes);
	uint32_t ranks = 0, found = 0;
	char missing[RANGES_BYTES] = "";
	bool *seen;

	for (size_t i = 0; i < count; i++)
		if (processes[i].ranks > ranks && processes[i].ranks <= RANKS_MAX)
			ranks = processes[i].ranks;
	if (ranks < 2)
		return 0;
	seen = calloc(ranks, sizeof(*seen));
	if (!seen)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (processes[i].rank < ranks && !seen[processes[i].rank]) {
			seen[processes[i].rank] = true;
			found++;
		}
	if (found < ranks) {
		describe_missing(seen, ranks, missing);
		ct_trace_warn(trace,
			      "rank%s %s of %u %s no part: nothing was traced there, or its files "
			      "were not copied",
			      ranks - found > 1 ? "s" : "", missing, ranks,
			      ranks - found > 1 ? "have" : "has");
	}
	free(seen);
	return 0;
}

/* The value of "run" in a manifest, as host-rt writes it; it has no quotes. */
static const char *run_of(const char *manifest, size_t *bytes)
{
	static const char key[] = "\n  \"run\": \"";
	const char *run = strstr(manifest, key);

	run = run ? run + strlen(key) : "";
	*bytes = strcspn(run, "\"");
	return run;
}

/* Finds parts that an earlier run left and that could not be removed. */
static void check_runs(struct ct_trace *trace)
{
	const struct ct_process_info *processes =
	    CT_ARRAY(struct ct_process_info, &trace->processes);
	size_t count = CT_COUNT(struct ct_process_info, &trace->processes);
	size_t bytes, first_bytes;
	const char *first = count ? run_of(processes[0].manifest, &first_bytes) : NULL;

	for (size_t i = 1; i < count; i++) {
		const char *run = run_of(processes[i].manifest, &bytes);

		if (bytes && first_bytes &&
		    (bytes != first_bytes || memcmp(run, first, bytes) != 0)) {
			ct_trace_warn(trace,
				      "parts %u and %u are of different runs ('%.*s' and "
				      "'%.*s'): empty the directory before the next run",
				      processes[0].part, processes[i].part, (int)first_bytes, first,
				      (int)bytes, run);
			return;
		}
	}
}

int ct_trace_load_processes(struct ct_trace *trace)
{
	const struct ct_part *parts = CT_ARRAY(struct ct_part, &trace->parts);
	int err = 0;

	for (size_t i = 0; i < CT_COUNT(struct ct_part, &trace->parts) && err == 0; i++)
		err = add_process(trace, &parts[i]);
	if (err == 0 && !trace->is_one_part)
		err = check_ranks(trace);
	if (err == 0)
		check_runs(trace);
	return err;
}

size_t ct_trace_processes(const struct ct_trace *trace, const struct ct_process_info **processes)
{
	*processes = CT_ARRAY(const struct ct_process_info, &trace->processes);
	return CT_COUNT(struct ct_process_info, &trace->processes);
}
