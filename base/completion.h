/* SPDX-License-Identifier: Apache-2.0 */
/* Completion of a program's command line in bash, zsh and fish, from a description of its commands
 * and options: what parsing and --help are made from says it once. */
#ifndef CT_BASE_COMPLETION_H
#define CT_BASE_COMPLETION_H

#include <stddef.h>
#include <stdio.h>

enum ct_completes {
	CT_COMPLETES_NOTHING,
	CT_COMPLETES_FILE,
	CT_COMPLETES_DIRECTORY,
	CT_COMPLETES_PROGRAM, /* of an operand: a command line begins there */
};

struct ct_completion_option {
	const char *name;     /* without its two dashes */
	char letter;          /* short form, or 0 */
	const char *argument; /* NULL: a switch */
	const char *words;    /* that it may be, separated by |; NULL: others */
	enum ct_completes completes;
	const char *help;
};

struct ct_completion_command {
	const char *name; /* "": the program without a command */
	const char *help;
	enum ct_completes operand;
	const struct ct_completion_option *option;
	size_t options;
};

struct ct_completion {
	const char *program;
	const char *also; /* another name of the program; NULL: none */
	const struct ct_completion_command *command;
	size_t commands;
};

void ct_completion_write_zsh(FILE *out, const struct ct_completion *of);
void ct_completion_write_fish(FILE *out, const struct ct_completion *of);
void ct_completion_write_bash(FILE *out, const struct ct_completion *of);

#endif
