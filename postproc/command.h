/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a ctpost subcommand is: one table that parsing, --help, the man page
 * and bash completion are all made from.
 */
#ifndef CTPOST_COMMAND_H
#define CTPOST_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CTPOST_OPTIONS_MAX 24
#define CTPOST_WHY_BYTES 512

enum ctpost_exit {
	CTPOST_OK = 0,
	CTPOST_FAILED = 1, /* bad trace, I/O error; for diff: the traces differ */
	CTPOST_USAGE = 2,
};

/* What the shell may complete an argument with. */
enum ctpost_complete {
	CTPOST_COMPLETE_NONE = 0,
	CTPOST_COMPLETE_FILE,
	CTPOST_COMPLETE_DIRECTORY,
	CTPOST_COMPLETE_WORDS, /* the option's choices */
};

struct ctpost_option {
	const char *name;     /* without the dashes; NULL ends the table */
	char letter;          /* short form or 0 */
	const char *argument; /* NULL: a switch */
	const char *choices;  /* allowed values separated by |, or NULL */
	enum ctpost_complete complete;
	const char *help;
};

/* The parsed command line. Strings are borrowed from argv. */
struct ctpost_call {
	const char
	    *option[CTPOST_OPTIONS_MAX]; /* by index in the table; "" for a switch; NULL: absent */
	const char *const *operand;
	int operands;
	char why[CTPOST_WHY_BYTES]; /* set by run when it fails: one line without the program's name
				     */
	bool is_told_by_rank_0;
	uint64_t damaged_chunks; /* that scans have skipped */
};

struct ctpost_command {
	const char *name;
	const char *summary;     /* one line, no full stop */
	const char *description; /* paragraphs separated by an empty line */
	const char *operands;    /* for the synopsis */
	int operands_min;
	int operands_max; /* -1: any number */
	enum ctpost_complete complete;
	const struct ctpost_option *options;
	const char *exit_status; /* sentence for the man page */
	const char *example;     /* a command line, or NULL */
	int (*run)(struct ctpost_call *call);
};

extern const struct ctpost_command ctpost_info;
extern const struct ctpost_command ctpost_comm;
extern const struct ctpost_command ctpost_dump;
extern const struct ctpost_command ctpost_report;
extern const struct ctpost_command ctpost_export;
extern const struct ctpost_command ctpost_import;
extern const struct ctpost_command ctpost_diff;
extern const struct ctpost_command ctpost_verify;

/* NULL-terminated, in the order of the documentation. */
extern const struct ctpost_command *const ctpost_commands[];

/* Options that every command has. */
extern const struct ctpost_option ctpost_common_options[];

/* On other ranks: what fails on all of them, rank 0 tells. They end well, for at the first
 * process that does not, mpirun ends those that have not told yet. */
void ctpost_leave_to_rank_0(struct ctpost_call *call);

/* call->why in the manner of printf; returns status. */
int ctpost_fail(struct ctpost_call *call, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
