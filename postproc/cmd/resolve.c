/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost resolve: store in a trace the names and sources that it refers to. */
#include "postproc/resolve/resolve.h"
#include "base/error.h"
#include "base/quantity.h"
#include "base/study.h"
#include "postproc/cmd/base/study_paths.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/options/host_paths.h"
#include "trace/names/directory.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct ctpost_option own[] = {
    {.name = "sources",
     .argument = "auto|off|all",
     .choices = "auto|off|all",
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "whose lines are stored: of files that look like sources, of none, or of all that the "
	     "trace names (default: as ctrun --sources was, else auto)"},
    {.name = "rank", .argument = "N", .help = "parts of this rank of the job alone (default: all)"},
    {.name = "offline", .help = "ask no debuginfod server"},
    {.name = "quiet", .help = "print nothing"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, ctpost_debug_options, NULL};

/* *rank: of which parts are treated alone; CT_NO_RANK: all are. */
static int read_options(struct ctpost_call *call, struct ct_resolve_options *options_read,
			uint32_t *rank)
{
	const char *sources = ctpost_value(call, "sources"), *text = ctpost_value(call, "rank");
	uint64_t number = CT_NO_RANK;

	if (text && (ct_parse_count(text, &number) < 0 || number >= CT_PART_STRIDE))
		return ctpost_wrong(call, "rank", "the number of a rank");
	*rank = (uint32_t)number;
	*options_read = (struct ct_resolve_options){
	    .symbols = ctpost_symbols_options(call),
	    .has_quoting = sources != NULL,
	};
	if (sources)
		options_read->quoting = strcmp(sources, "off") == 0   ? CT_QUOTE_NOTHING
					: strcmp(sources, "all") == 0 ? CT_QUOTE_ALL
								      : CT_QUOTE_SOURCES;
	if (ctpost_value(call, "offline"))
		unsetenv("DEBUGINFOD_URLS");
	return CTPOST_OK;
}

static void print(const char *path, const struct ct_resolve_counts *resolved)
{
	char a[CT_NUMBER_BYTES], b[CT_NUMBER_BYTES], c[CT_NUMBER_BYTES], d[CT_NUMBER_BYTES],
	    e[CT_NUMBER_BYTES];

	printf("%s: names of %s of %s places of the host, %s lines of %s sources, %s\n", path,
	       ct_number(resolved->named, a), ct_number(resolved->places, b),
	       ct_number(resolved->lines, c), ct_number(resolved->sources, d),
	       ct_size(resolved->bytes, e));
	if (resolved->left_out)
		printf("%s: lines of %" PRIu64 " sources are left out: there are too many\n", path,
		       resolved->left_out);
}

/* path: of the trace, or of the events file of one of its parts, in that directory. */
static int resolve_in(struct ctpost_call *call, const struct ct_resolve_options *how,
		      const char *path, const char *directory)
{
	struct ct_resolve_counts resolved = {.parts = 0};
	char why[CTPOST_WHY_BYTES] = "";
	struct ct_trace *trace;
	int err = ct_trace_open(&trace, path, why, sizeof(why));

	if (err == 0)
		err = ct_resolve(trace, directory, how, &resolved);
	ct_trace_close(trace);
	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s%s%s", *why ? why : path,
				   *why ? "" : ": ", *why ? "" : ct_strerror(err));
	if (!ctpost_value(call, "quiet"))
		print(path, &resolved);
	return CTPOST_OK;
}

/* Nothing of other ranks is read: all of them do this at once. */
static int resolve_rank(struct ctpost_call *call, const struct ct_resolve_options *how,
			const char *directory, uint32_t rank)
{
	DIR *entries = opendir(directory);
	const struct dirent *entry;
	int status = CTPOST_OK;

	if (!entries)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", directory, strerror(errno));
	while (status == CTPOST_OK && (entry = readdir(entries))) {
		struct ct_file_name file = ct_file_name_parse(entry->d_name);
		char path[PATH_MAX];

		if (file.kind == CT_FILE_EVENTS && file.part % CT_PART_STRIDE == rank &&
		    snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name) <
			(int)sizeof(path))
			status = resolve_in(call, how, path, directory);
	}
	closedir(entries);
	return status;
}

static int resolve(struct ctpost_call *call, const struct ct_resolve_options *how, const char *path,
		   uint32_t rank)
{
	const char *slash = strrchr(path, '/');
	char directory[PATH_MAX] = ".";
	struct stat status;

	if (rank != CT_NO_RANK)
		return resolve_rank(call, how, path, rank);
	if (stat(path, &status) != 0 || S_ISDIR(status.st_mode))
		return resolve_in(call, how, path, path);
	if (slash)
		snprintf(directory, sizeof(directory), "%.*s", (int)(slash - path + 1), path);
	return resolve_in(call, how, path, directory);
}

/* Each trace that a study has. */
static int resolve_study(struct ctpost_call *call, const struct ct_resolve_options *how,
			 const char *directory, uint32_t rank)
{
	static const char *const names[] = {CT_STUDY_TRACES};
	int status = CTPOST_OK;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && status == CTPOST_OK; i++) {
		char path[PATH_MAX];

		if (snprintf(path, sizeof(path), "%s/%s", directory, names[i]) <
			(int)sizeof(path) &&
		    access(path, F_OK) == 0)
			status = resolve(call, how, path, rank);
	}
	return status;
}

static int run(struct ctpost_call *call)
{
	struct ct_resolve_options how;
	uint32_t rank = CT_NO_RANK;
	int status = read_options(call, &how, &rank);

	for (int i = 0; i < call->operands && status == CTPOST_OK; i++)
		status = ctpost_is_study(call->operand[i])
			     ? resolve_study(call, &how, call->operand[i], rank)
			     : resolve(call, &how, call->operand[i], rank);
	return status;
}

const struct ctpost_command ctpost_resolve_command = {
    .name = "resolve",
    .summary = "store in a trace the names and sources that it refers to",
    .description =
	"Looks up functions, files and lines of the host's stacks in the files that the program\n"
	"ran, reads the lines of sources that the trace names, and stores both in the trace, so\n"
	"that it reads the same after a rebuild and on another machine. ctrun does so when the\n"
	"program has ended; this is for traces that were made without it, and to add names when\n"
	"separate debug files (--debug-path) or a debuginfod server are at hand.\n\n"
	"What is stored stays as it is. Files are only believed if they are what the program ran.",
    .operands = "TRACE...",
    .operands_min = 1,
    .operands_max = -1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if a trace cannot be read or written, 2 for a wrong option.",
    .example = "ctpost resolve run.ctrace",
    .shows_no_lines = true,
    .run = run,
};
