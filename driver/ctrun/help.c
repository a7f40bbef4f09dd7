/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun --help from the tables of commands. */
#include "driver/ctrun/help.h"

#include <string.h>

static void put_option(FILE *out, const struct ctrun_option *option)
{
	char left[64];

	if (strcmp(option->flag, "output") == 0)
		fprintf(out, "  -o %-21s the same as --output=%s\n", option->argument,
			option->argument);
	if (option->argument && *option->argument == '[')
		snprintf(left, sizeof(left), "--%s[=%s", option->flag, option->argument + 1);
	else
		snprintf(left, sizeof(left), "--%s%s%s", option->flag, option->argument ? "=" : "",
			 option->argument ? option->argument : "");
	fprintf(out, "  %-24s %s", left, option->help);
	if (*option->preset)
		fprintf(out, " [%s]", option->preset);
	fputc('\n', out);
}

/* Plain ctrun lists the others. */
static void put_commands(FILE *out)
{
	fputs(
	    "\nCommands, each with --help of its own (a program of such a name: ctrun -- NAME):\n",
	    out);
	for (size_t i = 0; ctrun_commands[i]; i++)
		if (ctrun_commands[i]->name)
			fprintf(out, "  ctrun %-18s %s\n", ctrun_commands[i]->name,
				ctrun_commands[i]->does);
}

/* In lines of at most 80 characters. */
static void put_wrapped(FILE *out, const char *text)
{
	size_t used = 0;

	while (*text) {
		size_t bytes = strcspn(text, " \n");

		if (used && used + 1 + bytes > 80) {
			fputc('\n', out);
			used = 0;
		}
		used += (size_t)fprintf(out, "%s%.*s", used ? " " : "", (int)bytes, text);
		text += bytes + (text[bytes] != '\0');
	}
	fputc('\n', out);
}

void ctrun_help(FILE *out, const struct ctrun_command *command)
{
	const struct ctrun_option *option;

	fprintf(out, "Usage: ctrun%s%s [OPTION...] %s\n\n", command->name ? " " : "",
		command->name ? command->name : "", command->arguments);
	put_wrapped(out, command->text);
	fputc('\n', out);
	for (size_t i = 0; (option = ctrun_command_option(command, i)); i++)
		put_option(out, option);
	fprintf(out, "  --help, --version\n");
	if (!command->name)
		put_commands(out);
	fputc('\n', out);
	put_wrapped(out, command->status);
	if (!command->name)
		put_wrapped(out, "docs/NAME.md is share/doc/cuda-trace/NAME.md of an installation; "
				 "README.md there lists them by question.");
}
