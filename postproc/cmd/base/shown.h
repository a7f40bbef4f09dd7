/* SPDX-License-Identifier: Apache-2.0 */
/* --format and --output: the tables of a command for people, or for programs. */
#ifndef CT_POSTPROC_CMD_BASE_SHOWN_H
#define CT_POSTPROC_CMD_BASE_SHOWN_H

#include "postproc/command.h"
#include "postproc/tables/sink.h"
#include "trace/read/reader.h"

struct ct_style;

/* A table, and what it is made from. */
struct ctpost_shown {
	const struct ct_table_def *table;
	const void *from; /* NULL: people do not see it */
};

/* The options --format, --output and --json, for a group of a command. */
#define CTPOST_FORMAT_OPTIONS                                                                      \
	{.name = "format",                                                                         \
	 .argument = "FORMAT",                                                                     \
	 .choices = "text" CT_TABLE_FORMATS,                                                       \
	 .complete = CTPOST_COMPLETE_WORDS,                                                        \
	 .help = "text, or the same tables for programs (default: text)"},                         \
	    CTPOST_OUTPUT_OPTIONS
/* Those without --format, of which a command has more. */
#define CTPOST_OUTPUT_OPTIONS                                                                      \
	{.name = "output",                                                                         \
	 .letter = 'o',                                                                            \
	 .argument = "PATH",                                                                       \
	 .complete = CTPOST_COMPLETE_FILE,                                                         \
	 .help = "file to write; of csv: directory to create (default of json: standard "          \
		 "output)"},                                                                       \
	{                                                                                          \
		.name = "json", .help = "as --format=json (docs/json-schema.md)"                   \
	}

/* The format for programs that is asked for; NULL: text. CTPOST_OK, or CTPOST_USAGE with call->why
 * set. */
int ctpost_read_format(struct ctpost_call *call, const struct ct_table_format **format);

/* Writes the tables, which end with table NULL, of a trace (NULL: of several). An exit status, with
 * call->why set of a failure. */
int ctpost_write_shown(struct ctpost_call *call, const struct ct_table_format *format,
		       const struct ct_trace *trace, const struct ctpost_shown *shown);

/* Those for people, to standard output; of each at most so many rows. Likewise */
int ctpost_show_tables(struct ctpost_call *call, const struct ctpost_shown *shown, size_t rows,
		       const struct ct_style *style);

#endif
