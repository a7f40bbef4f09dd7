/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost export: the trace in other tools' formats. */
#include "export.h"
#include <string.h>

static const struct ctpost_option options[] = {
    [CTPOST_EXPORT_FORMAT] = {.name = "format",
			      .argument = "FORMAT",
			      .choices = "sqlite|csv|json|hdf5|memtrace",
			      .complete = CTPOST_COMPLETE_WORDS,
			      .help = "sqlite, csv, json or hdf5: tables; memtrace: a file "
				      "MemTrace-pipe-<n> per stream, 24 bytes per access"},
    [CTPOST_EXPORT_OUTPUT] = {.name = "output",
			      .letter = 'o',
			      .argument = "PATH",
			      .complete = CTPOST_COMPLETE_FILE,
			      .help = "file to write; of csv and memtrace: directory to create"},
    [CTPOST_EXPORT_TABLES] = {.name = "tables",
			      .argument = "LIST",
			      .help = "only these tables, separated by commas; trace: those that "
				      "need no analysis of communication; all"},
    [CTPOST_EXPORT_OPTIONS] = {.name = NULL},
};

static int run(struct ctpost_call *call)
{
	const char *format = call->option[CTPOST_EXPORT_FORMAT];

	if (!format)
		return ctpost_fail(call, CTPOST_USAGE,
				   "export: --format is missing: --format=sqlite|csv|json|hdf5|"
				   "memtrace");
	if (!call->option[CTPOST_EXPORT_OUTPUT])
		return ctpost_fail(call, CTPOST_USAGE, "export: the output is missing: -o %s",
				   !strcmp(format, "memtrace") || !strcmp(format, "csv") ? "DIR"
											 : "FILE");
	if (!strcmp(format, "memtrace"))
		return ctpost_export_memtrace(call);
	return ctpost_export_tables(call);
}

const struct ctpost_command ctpost_export = {
    .name = "export",
    .summary = "write the trace in another tool's format",
    .description =
	"Writes the trace for another tool. The output has its name only when it is complete.\n\n"
	"sqlite, csv, json and hdf5 hold the same tables: launches, kernels, sites, objects,\n"
	"host transfers, what was recorded, and how CTAs and kernels communicate.\n"
	"docs/export.md lists all tables and columns.\n\n"
	"memtrace is the format of the cuda-memtrace thesis: a file MemTrace-pipe-<n> for\n"
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
