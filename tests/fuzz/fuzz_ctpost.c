/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every command of ctpost on any trace: the first byte says which, the rest is a trace as
 * scratch_trace takes it apart, whose checksums are right. A command ends by itself, in time and
 * memory that the bytes of the trace bound (libFuzzer's -timeout and -rss_limit_mb).
 */
#include "postproc/cmdline/parse.h"
#include "tests/fuzz/scratch.h"
#include "trace/read/reader.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT "output"
#define TRACE "trace"
#define WORDS_MOST 5

/* TRACE and OUTPUT stand for their paths; the last operand is TRACE in any case. */
static const char *const commands[][WORDS_MOST] = {
    {"info"},
    {"info", "--json"},
    {"verify"},
    {"comm", "--threads=2", "--memory=64M"},
    {"comm", "--json", "--threads=1", "--memory=64M"},
    {"calls"},
    {"ctas"},
    {"samples"},
    {"access", "--threads=2"},
    {"model"},
    {"blame"},
    {"values"},
    {"findings", "--threads=2", "--memory=64M"},
    {"dump"},
    {"dump", "--format=csv"},
    {"dump", "--host-events"},
    {"report", "--threads=1", "--memory=64M", "-o", OUTPUT},
    {"export", "--format=json", "-o", OUTPUT},
    {"export", "--format=csv", "-o", OUTPUT},
    {"export", "--format=sqlite", "-o", OUTPUT},
    {"export", "--format=perfetto", "-o", OUTPUT},
    {"export", "--format=memtrace", "-o", OUTPUT},
    {"compare", "--threads=2", "--memory=64M", TRACE},
};

/* Figures of communication are kept by CTA: what a vast grid needs, no memory here has. */
#define CTAS_MOST 1000000.0

static int has_vast_grid(void)
{
	const struct ct_launch_info *launches;
	struct ct_trace *trace;
	size_t count = 0, vast = 0;
	char why[512];

	if (ct_trace_open(&trace, scratch_directory(), why, sizeof(why)) < 0)
		return 0;
	count = ct_trace_launches(trace, &launches);
	for (size_t i = 0; i < count; i++) {
		const uint32_t *grid = launches[i].event->grid;

		vast += (double)grid[0] * grid[1] * grid[2] > CTAS_MOST;
	}
	ct_trace_close(trace);
	return vast > 0;
}

static void remove_output(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	char name[600];

	while (directory && (entry = readdir(directory))) {
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		unlink(name);
	}
	if (directory) {
		closedir(directory);
		rmdir(path);
	}
	unlink(path);
}

static void run(const char *const *words)
{
	const struct ctpost_command *command = ctpost_find_command(words[0]);
	const char *argument[WORDS_MOST + 1], *operand[WORDS_MOST + 1];
	struct ctpost_call call;
	char output[400];
	int count = 0;

	snprintf(output, sizeof(output), "%s/" OUTPUT, scratch_directory());
	for (int i = 1; i < WORDS_MOST && words[i]; i++)
		argument[count++] = strcmp(words[i], OUTPUT) == 0  ? output
				    : strcmp(words[i], TRACE) == 0 ? scratch_directory()
								   : words[i];
	argument[count++] = scratch_directory();
	if (!command || ctpost_parse(command, count, argument, operand, &call) != CTPOST_PARSED_RUN)
		abort();
	if (command->run(&call) != CTPOST_OK && !call.why[0] && !strcmp(words[0], "info"))
		abort();
	remove_output(output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1 || scratch_trace(data + 1, size - 1) < 0 || has_vast_grid())
		return -1;
	run(commands[data[0] % (sizeof(commands) / sizeof(*commands))]);
	return 0;
}
