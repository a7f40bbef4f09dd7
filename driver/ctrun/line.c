/* SPDX-License-Identifier: Apache-2.0 */
/* Words against the tables of commands. */
#include "driver/ctrun/line.h"

#include "base/nearest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The words that are being parsed, and where to say what is wrong. */
struct parsing {
	struct ctrun_line *line;
	char *why;
	size_t why_bytes;
};

/* "-o", "--name"; CTRUN_OPTIONS_MAX: there is none. */
static size_t find_option(const struct ctrun_command *command, const char *word, size_t bytes)
{
	const struct ctrun_option *option;

	if (bytes == 2 && memcmp(word, "-o", 2) == 0)
		return find_option(command, "--output", strlen("--output"));
	for (size_t i = 0; (option = ctrun_command_option(command, i)); i++)
		if (bytes > 2 && memcmp(word, "--", 2) == 0 && strlen(option->flag) == bytes - 2 &&
		    memcmp(option->flag, word + 2, bytes - 2) == 0)
			return i;
	return CTRUN_OPTIONS_MAX;
}

/* "ctrun", or "ctrun ffm" */
static const char *blank(const struct ctrun_command *command)
{
	return command->name ? " " : "";
}

static const char *name(const struct ctrun_command *command)
{
	return command->name ? command->name : "";
}

static int explain_unknown(const struct parsing *parsing, const char *word, size_t bytes)
{
	const struct ctrun_command *command = parsing->line->command;
	const struct ctrun_option *option;
	struct ct_nearest nearest;
	char flags[CTRUN_OPTIONS_MAX][64];

	ct_nearest_begin(&nearest, word, bytes);
	ct_nearest_consider(&nearest, "--help");
	ct_nearest_consider(&nearest, "--version");
	for (size_t i = 0; (option = ctrun_command_option(command, i)); i++) {
		snprintf(flags[i], sizeof(flags[i]), "--%s", option->flag);
		ct_nearest_consider(&nearest, flags[i]);
	}
	if (nearest.best)
		snprintf(parsing->why, parsing->why_bytes,
			 "unknown option %.*s; did you mean %s? (see ctrun%s%s --help)", (int)bytes,
			 word, nearest.best, blank(command), name(command));
	else
		snprintf(parsing->why, parsing->why_bytes,
			 "unknown option %.*s; ctrun%s%s --help lists the options", (int)bytes,
			 word, blank(command), name(command));
	return -EINVAL;
}

static int take(const struct parsing *parsing, size_t number, const char *value)
{
	const struct ctrun_option *option = ctrun_command_option(parsing->line->command, number);
	const char *expected;
	uint64_t ignored;

	expected = ct_option_read(option->type, option->argument, value, &ignored);
	if (expected) {
		snprintf(parsing->why, parsing->why_bytes, "--%s=%s: expected %s", option->flag,
			 value, expected);
		return -EINVAL;
	}
	if (strcmp(option->flag, "output") == 0 && !*value) {
		snprintf(parsing->why, parsing->why_bytes,
			 "-o: the name of the directory is empty");
		return -EINVAL;
	}
	parsing->line->value[number] = value;
	return 0;
}

/* An option at words[0] that takes a value, in the same word or the next; returns how many words
 * it took, or negative. */
static int take_value(const struct parsing *parsing, size_t number, char **words, size_t bytes)
{
	const struct ctrun_option *option = ctrun_command_option(parsing->line->command, number);
	const char *value = words[0][bytes] == '=' ? words[0] + bytes + 1 : words[1];
	int err;

	/* Alone it means what is best. */
	if (*option->argument == '[' && words[0][bytes] != '=')
		return (err = take(parsing, number, "auto")) < 0 ? err : 1;
	if (!value || (value == words[1] && strcmp(value, "--") == 0)) {
		snprintf(parsing->why, parsing->why_bytes, "%s needs a value: --%s=%s", words[0],
			 option->flag, option->argument);
		return -EINVAL;
	}
	err = take(parsing, number, value);
	return err < 0 ? err : value == words[1] ? 2 : 1;
}

/* One option at words[0]; returns how many words it took, or negative. */
static int parse_option(const struct parsing *parsing, char **words)
{
	struct ctrun_line *line = parsing->line;
	const char *word = words[0];
	size_t bytes = strcspn(word, "="), number;
	int err;

	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
		line->help = true;
		return 1;
	}
	if (strcmp(word, "--version") == 0) {
		line->version = true;
		return 1;
	}
	if (strncmp(word, "--generate=", 11) == 0) {
		line->generate = word + 11;
		return 1;
	}
	number = find_option(line->command, word, bytes);
	if (strncmp(word, "-o", 2) == 0 && word[2] && word[2] != '=') {
		number = find_option(line->command, "-o", 2);
		err = number < CTRUN_OPTIONS_MAX ? take(parsing, number, word + 2)
						 : explain_unknown(parsing, word, 2);
		return err < 0 ? err : 1;
	}
	if (number == CTRUN_OPTIONS_MAX)
		return explain_unknown(parsing, word, bytes);
	if (ctrun_command_option(line->command, number)->argument)
		return take_value(parsing, number, words, bytes);
	if (word[bytes]) {
		snprintf(parsing->why, parsing->why_bytes, "%.*s takes no value", (int)bytes, word);
		return -EINVAL;
	}
	line->value[number] = "";
	return 1;
}

/* The subcommand of that name; plain ctrun if it is none. */
static const struct ctrun_command *find_command(const char *word)
{
	for (size_t i = 0; word && ctrun_commands[i]; i++)
		if (ctrun_commands[i]->name && strcmp(ctrun_commands[i]->name, word) == 0)
			return ctrun_commands[i];
	return ctrun_commands[0];
}

int ctrun_line_parse(struct ctrun_line *line, int argc, char **argv, char *why, size_t why_bytes)
{
	struct parsing parsing = {line, why, why_bytes};
	const struct ctrun_command *command = find_command(argv[1]);
	int at = command->name ? 2 : 1;

	*line = (struct ctrun_line){.command = command};
	while (at < argc && argv[at][0] == '-' && strcmp(argv[at], "--") != 0) {
		int words = parse_option(&parsing, &argv[at]);

		if (words < 0)
			return words;
		at += words;
	}
	if (at < argc && strcmp(argv[at], "--") == 0)
		at++;
	line->program = &argv[at];
	if (line->help || line->version || line->generate || command->runs_program == (at < argc))
		return 0;
	if (command->runs_program)
		snprintf(why, why_bytes,
			 "no program to run: ctrun%s%s [OPTION...] -- ./app ARGUMENTS...",
			 blank(command), name(command));
	else
		snprintf(why, why_bytes, "ctrun %s runs no program: %s", command->name, argv[at]);
	return -EINVAL;
}

const char *ctrun_line_value(const struct ctrun_line *line, const char *flag)
{
	const struct ctrun_option *option;

	for (size_t i = 0; (option = ctrun_command_option(line->command, i)); i++)
		if (strcmp(option->flag, flag) == 0)
			return line->value[i];
	return NULL;
}

int ctrun_line_export(const struct ctrun_line *line)
{
	const struct ctrun_option *option;
	int err = 0;

	for (size_t i = 0; (option = ctrun_command_option(line->command, i)) && err == 0; i++)
		if (line->value[i] && option->environment)
			err = ctrun_option_export(option->flag, line->value[i]);
	return err;
}
