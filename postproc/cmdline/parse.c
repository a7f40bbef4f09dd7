/* SPDX-License-Identifier: Apache-2.0 */
/* Parse a command line against the options of its command. */
#include "postproc/cmdline/parse.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/quantity.h"
#include "base/utf8.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct ctpost_option common[] = {
    {.name = "help", .letter = 'h', .help = "show this help"},
    {.name = "full-names",
     .help = "show whole names of kernels, with parameters and all template arguments"},
    {.name = NULL},
};

void ctpost_leave_to_rank_0(struct ctpost_call *call)
{
	call->why[0] = '\0';
	call->is_reported_by_rank_0 = true;
}

int ctpost_fail(struct ctpost_call *call, int status, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(call->why, sizeof(call->why), format, list);
	va_end(list);
	ct_text_make_plain(call->why, strlen(call->why));
	return status;
}

int ctpost_explain(struct ctpost_call *call, int err, const char *what, const char *why)
{
	if (err == 0 || call->why[0])
		return err;
	if (*why)
		ctpost_fail(call, 0, "%s", why);
	else
		ctpost_fail(call, 0, "%s: %s", what, ct_strerror(err));
	return err;
}

const struct ctpost_command *ctpost_find_command(const char *name)
{
	for (size_t i = 0; ctpost_commands[i]; i++)
		if (!strcmp(ctpost_commands[i]->name, name))
			return ctpost_commands[i];
	return NULL;
}

const struct ctpost_option *ctpost_next_option(const struct ctpost_command *command,
					       struct ctpost_place *place)
{
	while (command->options[place->group]) {
		const struct ctpost_option *option = &command->options[place->group][place->index];

		if (option->name) {
			place->index++;
			place->number++;
			return option;
		}
		place->group++;
		place->index = 0;
	}
	if (!common[place->index].name)
		return NULL;
	place->number++;
	return &common[place->index++];
}

/* The number of an option, by its name or what an older spelling stands for. */
static unsigned number_of(const struct ctpost_command *command, const char *name)
{
	struct ctpost_place place = {.group = 0};
	const struct ctpost_option *option;

	while ((option = ctpost_next_option(command, &place)))
		if (!option->stands_for && !strcmp(option->name, name))
			return place.number - 1;
	assert(!"a command asks for options that it has");
	return 0;
}

const char *ctpost_value(const struct ctpost_call *call, const char *name)
{
	return call->value[number_of(call->command, name)];
}

const char *ctpost_spelling(const struct ctpost_call *call, const char *name)
{
	const char *typed = call->typed[number_of(call->command, name)];

	return typed ? typed : name;
}

int ctpost_wrong(struct ctpost_call *call, const char *name, const char *expected)
{
	return ctpost_fail(call, CTPOST_USAGE, "%s: --%s='%s': expected %s", call->command->name,
			   ctpost_spelling(call, name), ctpost_value(call, name), expected);
}

int ctpost_read_rows(struct ctpost_call *call, size_t preset, size_t *rows)
{
	const char *text = ctpost_value(call, "rows");
	uint64_t count = preset;

	if (text && !strcmp(text, "all"))
		count = SIZE_MAX;
	else if (text && ct_parse_count(text, &count) < 0)
		return ctpost_wrong(call, "rows", "a number of rows, or all");
	*rows = (size_t)count;
	return CTPOST_OK;
}

static enum ctpost_parsed unknown_option(const struct ctpost_command *command, const char *typed,
					 struct ctpost_call *call)
{
	size_t dashes = strspn(typed, "-"), bytes = strcspn(typed, "=");
	struct ctpost_place place = {.group = 0};
	const struct ctpost_option *option;
	struct ct_nearest near;

	ct_nearest_begin(&near, typed + dashes, bytes - dashes);
	while ((option = ctpost_next_option(command, &place)))
		if (!option->stands_for)
			ct_nearest_consider(&near, option->name);
	if (near.best)
		ctpost_fail(call, 0, "%s: unknown option '%.*s'; did you mean '--%s'?",
			    command->name, (int)bytes, typed, near.best);
	else
		ctpost_fail(call, 0, "%s: unknown option '%.*s'; see 'ctpost %s --help'",
			    command->name, (int)bytes, typed, command->name);
	return CTPOST_PARSED_ERROR;
}

static bool is_named(const struct ctpost_option *option, const char *word)
{
	size_t length = strcspn(word + 2, "=");

	if (word[1] != '-')
		return option->letter && word[1] == option->letter;
	return strlen(option->name) == length && !memcmp(option->name, word + 2, length);
}

/* Returns what follows "=" or a letter; NULL if none does. */
static const char *value_in(const char *word)
{
	const char *equals = strchr(word, '=');

	if (word[1] != '-')
		return word[2] ? word + 2 : NULL;
	return equals ? equals + 1 : NULL;
}

/* The option that the word names; its place in *number. Of two of one name, of which one takes
 * an argument, the one that fits the word. */
static const struct ctpost_option *match_option(const struct ctpost_command *command,
						const char *word, unsigned *number)
{
	const struct ctpost_option *option, *found = NULL;
	struct ctpost_place place = {.group = 0};

	while ((option = ctpost_next_option(command, &place))) {
		if (!is_named(option, word) || (found && !option->argument != !value_in(word)))
			continue;
		found = option;
		*number = place.number - 1;
	}
	return found;
}

static enum ctpost_parsed keep_value(struct ctpost_call *call, const struct ctpost_option *option,
				     unsigned number, const char *value)
{
	if (option->choices && !ct_is_choice(option->choices, value)) {
		ctpost_fail(call, 0, "%s: --%s='%s' is not one of %s", call->command->name,
			    option->name, value, option->choices);
		return CTPOST_PARSED_ERROR;
	}
	if (option->stands_for)
		number = number_of(call->command, option->stands_for);
	call->value[number] = value;
	call->typed[number] = option->name;
	return CTPOST_PARSED_RUN;
}

/* Take the option at argv[*at], and its argument. */
static enum ctpost_parsed take_option(const struct ctpost_command *command, int argc,
				      const char *const *argv, int *at, struct ctpost_call *call)
{
	unsigned number;
	const struct ctpost_option *option = match_option(command, argv[*at], &number);
	const char *value = value_in(argv[*at]);

	if (!option)
		return unknown_option(command, argv[*at], call);
	if (option == &common[0])
		return CTPOST_PARSED_HELP;
	if (!option->argument && value) {
		ctpost_fail(call, 0, "%s: option '--%s' takes no argument", command->name,
			    option->name);
		return CTPOST_PARSED_ERROR;
	}
	if (!option->argument)
		return keep_value(call, option, number, "");
	if (!value && *at + 1 < argc)
		value = argv[++*at];
	if (!value) {
		ctpost_fail(call, 0, "%s: option '--%s' needs an argument: --%s=%s", command->name,
			    option->name, option->name, option->argument);
		return CTPOST_PARSED_ERROR;
	}
	return keep_value(call, option, number, value);
}

enum ctpost_parsed ctpost_parse(const struct ctpost_command *command, int argc,
				const char *const *argv, const char **operands,
				struct ctpost_call *call)
{
	int only_operands = 0;

	memset(call, 0, sizeof(*call));
	call->command = command;
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
