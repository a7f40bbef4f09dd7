/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every command of ctpost on any trace: the first byte says which, the rest is a trace as
 * scratch_trace takes it apart, whose checksums are right. A command ends by itself, in time and
 * memory that the bytes of the trace bound (libFuzzer's -timeout and -rss_limit_mb).
 */
#include "postproc/cmdline/parse.h"
#include "tests/fuzz/scratch.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT "output"
#define WORDS_MOST 5

/* TRACE and OUTPUT stand for their paths. */
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
};

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
		argument[count++] = strcmp(words[i], OUTPUT) == 0 ? output : words[i];
	argument[count++] = scratch_directory();
	if (!command || ctpost_parse(command, count, argument, operand, &call) != CTPOST_PARSED_RUN)
		abort();
	if (command->run(&call) != CTPOST_OK && !call.why[0] && !strcmp(words[0], "info"))
		abort();
	remove_output(output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1 || scratch_trace(data + 1, size - 1) < 0)
		return -1;
	run(commands[data[0] % (sizeof(commands) / sizeof(*commands))]);
	return 0;
}
