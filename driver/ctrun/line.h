/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun's command line: the name of a command, its options, then the program's line. */
#ifndef CT_DRIVER_CTRUN_LINE_H
#define CT_DRIVER_CTRUN_LINE_H

#include "driver/ctrun/command.h"

/* All words are borrowed from argv. */
struct ctrun_line {
	const struct ctrun_command *command;
	bool help, version;
	const char *generate; /* --generate=WHAT: a document about ctrun, NULL: none */
	const char *value[CTRUN_OPTIONS_MAX]; /* by the option's number; NULL: it was not given, ""
						 of an option without an argument */
	char **program;                       /* ended by NULL */
};

/* Values are checked. Returns 0, or -EINVAL with one line in why. */
int ctrun_line_parse(struct ctrun_line *line, int argc, char **argv, char *why, size_t why_bytes);

/* The last value given for an option of the command; NULL: none was. */
const char *ctrun_line_value(const struct ctrun_line *line, const char *flag);

/* Options go to where the program's runtime reads them. 0 or -errno. */
int ctrun_line_export(const struct ctrun_line *line);

#endif
