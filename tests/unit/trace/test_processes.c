/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a trace, from events and manifests, and what is said of those that are missing.
 */
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <cudatrace/error.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *directory;
static struct ct_trace *trace;
static char why[512];

static void make(void)
{
	directory = fixture_directory();
}

static void clean(void)
{
	ct_trace_close(trace);
	fixture_remove(directory);
}

TestSuite(processes, .init = make, .fini = clean);

/* A part with a launch and a manifest of that run. */
static void write_part(uint32_t part, uint32_t rank, uint32_t ranks, const char *run)
{
	const struct ct_writer_options options = {.part = part, .part_step = 1};
	struct ct_event_process process = {.header = {CT_EVENT_PROCESS, 0, sizeof(process), 1},
					   .pid = 100 + part,
					   .parent = 7,
					   .rank = rank,
					   .ranks = ranks};
	struct ct_event_launch launch = {.header = {CT_EVENT_LAUNCH, 0, sizeof(launch), 1},
					 .launch = 1,
					 .unit_id = FIXTURE_UNIT_ID,
					 .unit_arch = 90};
	struct ct_writer *writer;
	char text[200];
	size_t bytes;
	void *unit = fixture_unit(&bytes);

	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_writer_part(writer), part);
	ct_writer_string(writer, part % 2 ? "odd" : "even", &process.host);
	ct_writer_string(writer, "./solver input", &process.program);
	cr_assert_eq(ct_writer_event(writer, &process.header), 0);
	cr_assert_eq(ct_writer_unit(writer, unit, bytes), 0);
	cr_assert_eq(ct_writer_event(writer, &launch.header), 0);
	snprintf(text, sizeof(text), "{\n  \"run\": \"%s\",\n  \"part\": %u}", run, part);
	cr_assert_eq(ct_writer_manifest(writer, text), 0);
	cr_assert_eq(ct_writer_close(writer), 0);
	free(unit);
}

/* Opens the trace; its only warning is expected, NULL: there is none. */
static const struct ct_process_info *open_trace(const char *name, size_t processes,
						const char *expected)
{
	const struct ct_process_info *list;
	const char *const *warnings;
	size_t count;

	cr_assert_eq(ct_trace_open(&trace, name, why, sizeof(why)), 0, "%s", why);
	count = ct_trace_warnings(trace, &warnings);
	cr_assert_eq(count, expected != NULL, "%s", count ? warnings[0] : "no warning");
	if (expected)
		cr_assert_str_eq(warnings[0], expected);
	cr_assert_eq(ct_trace_processes(trace, &list), processes);
	return list;
}

Test(processes, say_who_they_are)
{
	const struct ct_process_info *list;

	for (uint32_t rank = 0; rank < 3; rank++)
		write_part(rank, rank, 3, "job");
	write_part(1000001, 1, 3, "job");
	list = open_trace(directory, 4, NULL);
	cr_assert_eq(list[2].rank, 2);
	cr_assert_eq(list[2].ranks, 3);
	cr_assert_eq(list[3].part, 1000001);
	cr_assert_eq(list[3].rank, 1);
	cr_assert_eq(list[3].event->pid, 1000101);
	cr_assert_str_eq(list[3].host, "odd");
	cr_assert_str_eq(list[0].host, "even");
	cr_assert_str_eq(list[0].program, "./solver input");
	cr_assert(strstr(list[3].manifest, "\"part\": 1000001"));
	cr_assert_eq(list[0].bytes + list[1].bytes + list[2].bytes + list[3].bytes,
		     ct_trace_bytes(trace));
}

Test(processes, ranks_without_a_part_are_named)
{
	static const uint32_t there[] = {0, 2, 5, 9};

	for (size_t i = 0; i < 4; i++)
		write_part(there[i], there[i], 10, "job");
	open_trace(directory, 4,
		   "ranks 1, 3 to 4, 6 to 8 of 10 have no part: nothing was traced there, or its "
		   "files were not copied");
}

Test(processes, very_many_missing_ranks_are_cut_short)
{
	const char *const *warnings;

	for (uint32_t i = 0; i < 200; i++)
		write_part(2 * i, 2 * i, 400, "job");
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_trace_warnings(trace, &warnings), 1);
	cr_assert(strstr(warnings[0], "ranks 1, 3, 5, "));
	cr_assert(strstr(warnings[0], ", ... of 400 have no part"));
}

Test(processes, parts_of_different_runs_do_not_pass_for_one)
{
	write_part(0, 0, 0, "monday");
	write_part(1, 1, 0, "");
	write_part(2, 2, 0, "tuesday");
	open_trace(directory, 3,
		   "parts 0 and 2 are of different runs ('monday' and 'tuesday'): empty the "
		   "directory before the next run");
}

Test(processes, one_is_read_alone_by_its_events_file)
{
	const struct ct_launch_info *launches;
	const struct ct_process_info *list;
	char name[512];

	for (uint32_t rank = 0; rank < 3; rank++)
		write_part(rank, rank, 4, rank == 2 ? "other" : "job");
	snprintf(name, sizeof(name), "%s/events-1.ct", directory);
	list = open_trace(name, 1, NULL);
	cr_assert_eq(list[0].rank, 1);
	cr_assert_eq(ct_trace_launches(trace, &launches), 1);
	cr_assert_eq(ct_trace_bytes(trace), list[0].bytes);
	cr_assert_str_eq(ct_trace_directory(trace), name);
	ct_trace_close(trace);
	trace = NULL;
	snprintf(name, sizeof(name), "%s/events-3.ct", directory);
	cr_assert_eq(ct_trace_open(&trace, name, why, sizeof(why)), -ENOENT);
}

Test(processes, traces_before_version_3_have_one_manifest)
{
	static const char text[] = "{\"totals\": {\"trace_bytes\": 1}}";
	const struct ct_process_info *list;

	cr_assert_eq(fixture_make(directory, 1, false), 0);
	fixture_write(directory, "manifest.json", text, sizeof(text) - 1);
	snprintf(why, sizeof(why), "%s/manifest-0.json", directory);
	cr_assert_eq(remove(why), 0);
	list = open_trace(directory, 1, NULL);
	cr_assert_null(list[0].event);
	cr_assert_eq(list[0].rank, CT_NO_RANK);
	cr_assert_str_eq(list[0].host, "");
	cr_assert_str_eq(list[0].manifest, text);
	cr_assert_str_eq(ct_trace_manifest(trace), text);
}
