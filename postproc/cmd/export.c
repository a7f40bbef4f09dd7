/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost export: the trace in other tools' formats. */
#include "postproc/cmd/export.h"
#include "postproc/tables/sink.h"
#include <string.h>

/* Behind those of tables, which begin with a bar. */
#define FORMATS CT_TABLE_FORMATS "|perfetto|memtrace"

static int export_memtrace(struct ctpost_call *call)
{
	return ctpost_run_on_rank_0(call, ctpost_export_memtrace);
}

/* Those that are none of tables. */
static const struct other_format {
	const char *name;
	bool is_directory;
	int (*run)(struct ctpost_call *call);
} others[] = {{"perfetto", false, ctpost_export_perfetto}, {"memtrace", true, export_memtrace}};

static const struct ctpost_option own[] = {
    {.name = "format",
     .argument = "FORMAT",
     .choices = &FORMATS[1],
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "perfetto: a time line; memtrace: a file MemTrace-pipe-<n> per stream, 24 bytes "
	     "per access; others: tables"},
    {.name = "output",
     .letter = 'o',
     .argument = "PATH",
     .complete = CTPOST_COMPLETE_FILE,
     .help = "file to write; of csv and memtrace: directory to create"},
    {.name = "tables",
     .argument = "LIST",
     .help = "only these tables, separated by commas; trace: those that "
	     "need no analysis; comm and values: those of these commands; all"},
    {.name = "history",
     .argument = "LO-HI",
     .help = "also every access to these addresses, or to all: table "
	     "history"},
    {.name = "limit", .argument = "SIZE", .help = "of a perfetto file (default: 100M)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {
    own,
    ctpost_known_options,
    CTPOST_STUDY_OPTIONS,
    NULL,
};

/* NULL: it is one of tables. */
static const struct other_format *other_of(const char *format)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(others[i].name, format))
			return &others[i];
	return NULL;
}

static int run(struct ctpost_call *call)
{
	const char *format = ctpost_value(call, "format");
	const struct other_format *other;

	if (!format)
		return ctpost_fail(call, CTPOST_USAGE, "export: --format is missing: --format=%s",
				   &FORMATS[1]);
	other = other_of(format);
	if (!ctpost_value(call, "output"))
		return ctpost_fail(
		    call, CTPOST_USAGE, "export: the output is missing: -o %s",
		    (other ? other->is_directory : ct_table_format_of(format)->is_directory)
			? "DIR"
			: "FILE");
	if (other)
		return other->run(call);
	return ctpost_export_tables(
	    call, &(struct ctpost_tables){.list = ctpost_value(call, "tables"),
					  .history = ctpost_value(call, "history"),
					  .has_runs = true,
					  .has_races = ctpost_value(call, "races") != NULL});
}

const struct ctpost_command ctpost_export_command = {
    .name = "export",
    .summary = "write the trace in another tool's format",
    .description =
	"Writes the trace for another tool. The output has its name only when it is complete.\n\n"
	"All formats of tables hold the same: launches, kernels, sites, objects,\n"
	"host transfers, what was recorded, and what all analyses know: communication, accesses,\n"
	"values, models, calls, findings. The trace is read once for all of them.\n"
	"docs/export.md lists all tables and columns.\n\n"
	"perfetto is a time line for ui.perfetto.dev: launches by stream, blocks by\n"
	"multiprocessor, what supersteps send to each other.\n\n"
	"memtrace is the format of the tool cuda-memtrace: a file MemTrace-pipe-<n> for\n"
	"each stream, in it for each launch the kernel's name and one 24-byte record for each\n"
	"access of each thread. What the format cannot say is written as the nearest it can,\n"
	"with a warning.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read or the output not be written, 2\n"
		   "for a wrong option.",
    .example = "ctpost export --format=sqlite -o run.db run.ctrace",
    .run = run,
};
