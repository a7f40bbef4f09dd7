/* SPDX-License-Identifier: Apache-2.0 */
/* --help of the program and of each command. */
#include "postproc/cmdline/generate.h"
#include "postproc/cmdline/parse.h"
#include <string.h>

#define HELP_COLUMN 30

static void write_option(FILE *out, const struct ctpost_option *option)
{
	char left[128];
	int n;

	if (option->letter)
		n = snprintf(left, sizeof(left), "  -%c, --%s", option->letter, option->name);
	else
		n = snprintf(left, sizeof(left), "      --%s", option->name);
	if (option->argument)
		snprintf(left + n, sizeof(left) - (size_t)n, "=%s", option->argument);
	if (strlen(left) >= HELP_COLUMN)
		fprintf(out, "%s\n%*s%s\n", left, HELP_COLUMN, "", option->help);
	else
		fprintf(out, "%-*s%s\n", HELP_COLUMN, left, option->help);
}

static void write_program_help(FILE *out)
{
	fprintf(out, "usage: ctpost COMMAND [OPTION]... ARGUMENT...\n"
		     "       ctpost --version | --help\n\n"
		     "Look into trace directories written by cuda-trace.\n\ncommands:\n");
	for (size_t i = 0; ctpost_commands[i]; i++)
		fprintf(out, "  %-10s%s\n", ctpost_commands[i]->name, ctpost_commands[i]->summary);
	fprintf(out, "\n'ctpost COMMAND --help' shows a command's options.\n");
}

void ctpost_write_help(FILE *out, const struct ctpost_command *command)
{
	struct ctpost_place place = {.group = 0};
	const struct ctpost_option *option;

	if (!command) {
		write_program_help(out);
		return;
	}
	fprintf(out, "usage: ctpost %s [OPTION]... %s\n\n%s\n\noptions:\n", command->name,
		command->operands, command->description);
	while ((option = ctpost_next_option(command, &place)))
		if (!option->stands_for)
			write_option(out, option);
	if (command->example)
		fprintf(out, "\nexample:\n  %s\n", command->example);
}

static void write_choices(FILE *out, const struct ctpost_option *option)
{
	fprintf(out, " `--%s=`", option->name);
	for (const char *at = option->choices; *at; at++)
		if (*at == '|')
			fputs(", ", out);
		else
			fputc(*at, out);
}

/* Forms beside text, as far as an option chooses them. */
static void write_forms(FILE *out, const struct ctpost_command *command)
{
	struct ctpost_place place = {.group = 0};
	const struct ctpost_option *option;

	while ((option = ctpost_next_option(command, &place))) {
		if (option->stands_for)
			continue;
		if (!strcmp(option->name, "json") || !strcmp(option->name, "folded"))
			fprintf(out, " `--%s`", option->name);
		else if (!strcmp(option->name, "format") && option->choices)
			write_choices(out, option);
	}
}

/* The table of commands in docs/ctpost.md. */
static void write_table(FILE *out)
{
	fputs("| command | does | forms |\n|---|---|---|\n", out);
	for (size_t i = 0; ctpost_commands[i]; i++) {
		const struct ctpost_command *command = ctpost_commands[i];

		fprintf(out, "| `%s %s` | %s |", command->name, command->operands,
			command->summary);
		write_forms(out, command);
		fputs(" |\n", out);
	}
}

int ctpost_generate(FILE *out, const char *what)
{
	if (!strcmp(what, "table")) {
		write_table(out);
		return 0;
	}
	if (!strcmp(what, "bash-completion")) {
		ctpost_write_bash_completion(out);
		return 0;
	}
	if (!strcmp(what, "man")) {
		ctpost_write_man(out, NULL);
		return 0;
	}
	if (!strncmp(what, "man:", 4)) {
		const struct ctpost_command *command = ctpost_find_command(what + 4);

		if (!command)
			return -1;
		ctpost_write_man(out, command);
		return 0;
	}
	return -1;
}
