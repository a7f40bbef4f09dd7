/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a ctpost subcommand is: one table that parsing, --help, the man page
 * and bash completion are all made from.
 */
#ifndef CT_POSTPROC_COMMAND_H
#define CT_POSTPROC_COMMAND_H

#include "base/intern.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CTPOST_OPTIONS_MAX 48
#define CTPOST_WHY_BYTES 512

enum ctpost_exit {
	CTPOST_OK = 0,
	CTPOST_FAILED = 1, /* bad trace, I/O error; for diff: the traces differ */
	CTPOST_USAGE = 2,
	CTPOST_FOUND = 3, /* what --fail-on says */
};

/* The shell may complete an argument with one of these. */
enum ctpost_complete {
	CTPOST_COMPLETE_NONE = 0,
	CTPOST_COMPLETE_FILE,
	CTPOST_COMPLETE_DIRECTORY,
	CTPOST_COMPLETE_WORDS, /* the option's choices */
};

struct ctpost_option {
	const char *name;     /* without the dashes; NULL ends a group */
	char letter;          /* short form or 0 */
	const char *argument; /* NULL: a switch */
	const char *choices;  /* allowed values separated by |, or NULL */
	enum ctpost_complete complete;
	const char *help;
	const char *stands_for; /* an older spelling of this option: accepted, but not shown */
};

struct ctpost_command;

/* The parsed command line. Strings are borrowed from argv. */
struct ctpost_call {
	const struct ctpost_command *command;
	const char *value[CTPOST_OPTIONS_MAX]; /* by number, see ctpost_value */
	const char *typed[CTPOST_OPTIONS_MAX]; /* spelling; NULL: absent */
	const char *const *operand;
	int operands;
	char why[CTPOST_WHY_BYTES]; /* set by run when it fails: one line without the program's name
				     */
	bool is_reported_by_rank_0;
	uint64_t damaged_chunks;   /* that scans have skipped */
	struct ct_intern reported; /* sources of which it was said that they have changed */
};

struct ctpost_command {
	const char *name;
	const char *summary;     /* one line, no full stop */
	const char *description; /* paragraphs separated by an empty line */
	const char *operands;    /* for the synopsis */
	int operands_min;
	int operands_max; /* -1: any number */
	enum ctpost_complete complete;
	const struct ctpost_option *const
	    *options;            /* groups that belong together; ends with NULL */
	const char *exit_status; /* sentence for the man page */
	const char *example;     /* a command line, or NULL */
	bool shows_no_lines;     /* of sources: that one has changed since is not said */
	bool is_of_rank_0;       /* under mpirun rank 0 runs it alone; others share the work, or
				  * are run by each process */
	int (*run)(struct ctpost_call *call);
};

#define CTPOST_COMMAND(name) extern const struct ctpost_command ctpost_##name##_command;
#include "postproc/commands.def"

/* Those of commands.def; NULL-terminated. */
extern const struct ctpost_command *const ctpost_commands[];

/* A place among the options of a command, those that every command has last. Zero: before the
 * first. */
struct ctpost_place {
	unsigned group, index;
	unsigned number; /* of options that were passed */
};

/* The next option, older spellings too; NULL after the last. */
const struct ctpost_option *ctpost_next_option(const struct ctpost_command *command,
					       struct ctpost_place *place);

/* The value of an option of the command: "" of a switch, NULL: absent. */
const char *ctpost_value(const struct ctpost_call *call, const char *name);

/* The option as it was typed: by its name, or by an older one. */
const char *ctpost_spelling(const struct ctpost_call *call, const char *name);

/* call->why: the value of the option is not what is expected. Returns CTPOST_USAGE. */
int ctpost_wrong(struct ctpost_call *call, const char *name, const char *expected);
/* --rows=N|all, where it is not given `preset`. CTPOST_OK, or CTPOST_USAGE with call->why set. */
int ctpost_read_rows(struct ctpost_call *call, size_t preset, size_t *rows);

/* On other ranks: what fails on all of them, rank 0 tells. They end well, for at the first
 * process that does not, mpirun ends those that have not reported yet. */
void ctpost_leave_to_rank_0(struct ctpost_call *call);

/* Runs in one process: under mpirun rank 0 runs it, and the others wait until it is done. Where
 * the part that speaks MPI is missing every process runs it. Returns the exit status. */
int ctpost_run_on_rank_0(struct ctpost_call *call, int (*run)(struct ctpost_call *call));

/* call->why, unless something better stands there: why, or if that is empty what err says of
 * `what`. Nothing if err is 0. Returns err. */
int ctpost_explain(struct ctpost_call *call, int err, const char *what, const char *why);

/* call->why in the manner of printf; returns status. */
int ctpost_fail(struct ctpost_call *call, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
