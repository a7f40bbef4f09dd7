/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of ctrun: plain ctrun and its subcommands, each a table (commands.def). Parsing, --help,
 * the man page and completion come from these. */
#ifndef CT_DRIVER_CTRUN_COMMAND_H
#define CT_DRIVER_CTRUN_COMMAND_H

#include "base/option.h"

#include <stdbool.h>
#include <stddef.h>

struct ctrun_line;

struct ctrun_option {
	const char *flag;        /* without dashes; -o is "output" */
	const char *argument;    /* NULL: it takes none */
	const char *preset;      /* "" none */
	const char *help;        /* without a period */
	const char *environment; /* that the program's runtime reads it from; NULL: it does not */
	enum ct_option_type type;
};

struct ctrun_command {
	const char *name;               /* NULL: plain ctrun */
	const char *arguments;          /* after the options, as --help writes them */
	const char *does;               /* "run a program": in lists */
	const char *text;               /* sentences on what it does */
	const char *status;             /* sentences on the exit status */
	bool runs_program;              /* which must be named */
	const struct ctrun_option *own; /* ended by a row without a flag; NULL: none */
	const char *const *shared;      /* flags of ctrun_shared that it takes, too, ended by NULL;
					   NULL: all of them */
	int (*run)(const struct ctrun_line *line); /* returns the exit status */
};

/* Ended by NULL. */
extern const struct ctrun_command *const ctrun_commands[];

/* The name of the command that the word is near to, NULL if it is near to none. */
const char *ctrun_command_near(const char *word);

/* --inject, and what options.def has; ended by a row without a flag. */
extern const struct ctrun_option ctrun_shared[];

#define CTRUN_OPTIONS_MAX 64u

/* The command's options, by number; NULL behind the last. */
const struct ctrun_option *ctrun_command_option(const struct ctrun_command *command, size_t number);

/* An option of options.def goes to where the program's runtime reads it. 0 or -errno. */
int ctrun_option_export(const char *flag, const char *value);
/* Returns the option's value there; NULL: none. */
const char *ctrun_option_value(const char *flag);

#endif
