/* SPDX-License-Identifier: Apache-2.0 */
/* Parse a command line against the option table of its command. */
#include "postproc/cmdline/parse.h"
#include "base/nearest.h"
#include "base/quantity.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct ctpost_option ctpost_common_options[] = {
    {.name = "help", .letter = 'h', .help = "show this help"},
    {.name = NULL},
};

void ctpost_leave_to_rank_0(struct ctpost_call *call)
{
	call->why[0] = '\0';
	call->is_told_by_rank_0 = true;
}

int ctpost_fail(struct ctpost_call *call, int status, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(call->why, sizeof(call->why), format, list);
	va_end(list);
	return status;
}

const struct ctpost_command *ctpost_find_command(const char *name)
{
	for (size_t i = 0; ctpost_commands[i]; i++)
		if (!strcmp(ctpost_commands[i]->name, name))
			return ctpost_commands[i];
	return NULL;
}

const char *ctpost_nearest(const char *typed, const struct ctpost_option *options, char *buffer,
			   size_t bytes)
{
	struct ct_nearest nearest;

	ct_nearest_begin(&nearest, typed, strlen(typed));
	for (size_t i = 0; !options && ctpost_commands[i]; i++)
		ct_nearest_consider(&nearest, ctpost_commands[i]->name);
	for (size_t i = 0; options && options[i].name; i++)
		ct_nearest_consider(&nearest, options[i].name);
	for (size_t i = 0; options && ctpost_common_options[i].name; i++)
		ct_nearest_consider(&nearest, ctpost_common_options[i].name);
	if (!nearest.best)
		return NULL;
	snprintf(buffer, bytes, "%s%s", options ? "--" : "", nearest.best);
	return buffer;
}

static enum ctpost_parsed unknown_option(const struct ctpost_command *command, const char *typed,
					 struct ctpost_call *call)
{
	char name[64], buffer[64];
	const char *near;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(typed, "="), typed);
	near = ctpost_nearest(name + strspn(name, "-"), command->options, buffer, sizeof(buffer));
	if (near)
		ctpost_fail(call, 0, "%s: unknown option '%s'; did you mean '%s'?", command->name,
			    name, near);
	else
		ctpost_fail(call, 0, "%s: unknown option '%s'; see 'ctpost %s --help'",
			    command->name, name, command->name);
	return CTPOST_PARSED_ERROR;
}

/* Index of the option that the word names, or -1. *value: what follows "=" or
 * a letter, NULL if nothing does. */
static int match_option(const struct ctpost_option *options, const char *word, const char **value)
{
	size_t length = strcspn(word + 2, "=");

	*value = NULL;
	for (int i = 0; options[i].name; i++) {
		if (word[1] != '-') {
			if (options[i].letter && word[1] == options[i].letter) {
				*value = word[2] ? word + 2 : NULL;
				return i;
			}
		} else if (strlen(options[i].name) == length &&
			   !memcmp(options[i].name, word + 2, length)) {
			*value = word[2 + length] ? word + 3 + length : NULL;
			return i;
		}
	}
	return -1;
}

/* Take the option at argv[*at], and its argument. */
static enum ctpost_parsed take_option(const struct ctpost_command *command, int argc,
				      const char *const *argv, int *at, struct ctpost_call *call)
{
	const char *value;
	int i = match_option(ctpost_common_options, argv[*at], &value);

	if (i == 0)
		return CTPOST_PARSED_HELP;
	i = match_option(command->options, argv[*at], &value);
	if (i < 0)
		return unknown_option(command, argv[*at], call);

	const struct ctpost_option *option = &command->options[i];

	if (!option->argument) {
		if (value) {
			ctpost_fail(call, 0, "%s: option '--%s' takes no argument", command->name,
				    option->name);
			return CTPOST_PARSED_ERROR;
		}
		call->option[i] = "";
		return CTPOST_PARSED_RUN;
	}
	if (!value && *at + 1 < argc)
		value = argv[++*at];
	if (!value) {
		ctpost_fail(call, 0, "%s: option '--%s' needs an argument: --%s=%s", command->name,
			    option->name, option->name, option->argument);
		return CTPOST_PARSED_ERROR;
	}
	if (option->choices && !ct_is_choice(option->choices, value)) {
		ctpost_fail(call, 0, "%s: --%s='%s' is not one of %s", command->name, option->name,
			    value, option->choices);
		return CTPOST_PARSED_ERROR;
	}
	call->option[i] = value;
	return CTPOST_PARSED_RUN;
}

enum ctpost_parsed ctpost_parse(const struct ctpost_command *command, int argc,
				const char *const *argv, const char **operands,
				struct ctpost_call *call)
{
	int only_operands = 0;

	memset(call, 0, sizeof(*call));
	call->operand = operands;
	for (int i = 0; i < argc; i++) {
		if (only_operands || argv[i][0] != '-' || !argv[i][1]) {
			operands[call->operands++] = argv[i];
		} else if (!strcmp(argv[i], "--")) {
			only_operands = 1;
		} else {
			enum ctpost_parsed got = take_option(command, argc, argv, &i, call);

			if (got != CTPOST_PARSED_RUN)
				return got;
		}
	}
	if (call->operands < command->operands_min) {
		ctpost_fail(call, 0, "%s: expected %s; see 'ctpost %s --help'", command->name,
			    command->operands, command->name);
		return CTPOST_PARSED_ERROR;
	}
	if (command->operands_max >= 0 && call->operands > command->operands_max) {
		ctpost_fail(call, 0, "%s: unexpected argument '%s'; expected %s", command->name,
			    operands[command->operands_max], command->operands);
		return CTPOST_PARSED_ERROR;
	}
	return CTPOST_PARSED_RUN;
}
