/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun's man page and completion, from the tables of commands. */
#include "driver/ctrun/generate.h"
#include "base/completion.h"
#include "driver/base/roff.h"
#include "driver/ctrun/command.h"

#include <ctype.h>
#include <string.h>

static void put_option(FILE *out, const struct ctrun_option *option)
{
	if (strcmp(option->flag, "output") == 0)
		fprintf(out,
			".TP\n\\fB\\-o\\fR \\fI%s\\fR\nThe same as "
			"\\fB\\-\\-output\\fR=\\fI%s\\fR.\n",
			option->argument, option->argument);
	fputs(".TP\n\\fB\\-\\-", out);
	ct_roff_put(out, option->flag);
	fputs("\\fR", out);
	if (option->argument) {
		fputs("=\\fI", out);
		ct_roff_put(out, option->argument);
		fputs("\\fR", out);
	}
	fputc('\n', out);
	ct_roff_put(out, option->help);
	if (*option->preset) {
		fputs(" [", out);
		ct_roff_put(out, option->preset);
		fputs("]", out);
	}
	fputs(".\n", out);
	if (option->environment) {
		fputs("Variable: ", out);
		ct_roff_put(out, option->environment);
		fputc('\n', out);
	}
}

static void put_synopsis(FILE *out, const struct ctrun_command *command)
{
	fputs(".br\n\\fBctrun", out);
	if (command->name)
		fprintf(out, " %s", command->name);
	fputs("\\fR [\\fIOPTION\\fR...] ", out);
	ct_roff_put(out, command->arguments);
	fputc('\n', out);
}

static void put_options(FILE *out, const struct ctrun_command *command)
{
	const struct ctrun_option *option;

	for (size_t i = 0; (option = ctrun_command_option(command, i)); i++)
		put_option(out, option);
}

static void put_subcommand(FILE *out, const struct ctrun_command *command)
{
	fputs(".SH CTRUN ", out);
	for (const char *c = command->name; *c; c++)
		fputc(toupper((unsigned char)*c), out);
	fputc('\n', out);
	ct_roff_put(out, command->text);
	fputc('\n', out);
	put_options(out, command);
	fputs(".PP\n", out);
	ct_roff_put(out, command->status);
	fputc('\n', out);
}

static void write_man(FILE *out)
{
	fputs(".TH CTRUN 1 \"\" \"cuda\\-trace " CT_VERSION "\"\n"
	      ".SH NAME\nctrun \\- run a program under tracing\n.SH SYNOPSIS\n",
	      out);
	for (size_t i = 0; ctrun_commands[i]; i++)
		put_synopsis(out, ctrun_commands[i]);
	fputs(".SH DESCRIPTION\n", out);
	ct_roff_put(out, ctrun_commands[0]->text);
	fputs("\nIt says what was traced. Options with a variable set it for the program's "
	      "runtime; a program can also be started with these alone. "
	      "docs/sampling.md describes how to trace part of a run.\n"
	      ".SH OPTIONS\n",
	      out);
	put_options(out, ctrun_commands[0]);
	fputs(".TP\n\\fB\\-\\-help\\fR, \\fB\\-\\-version\\fR\nSay so, and exit.\n", out);
	for (size_t i = 1; ctrun_commands[i]; i++)
		put_subcommand(out, ctrun_commands[i]);
	fputs(".SH EXIT STATUS\n", out);
	ct_roff_put(out, ctrun_commands[0]->status);
	fputs("\n.SH SEE ALSO\n\\fBctpost\\fR(1)\n", out);
}

static enum ct_completes completes(const char *argument)
{
	if (!argument)
		return CT_COMPLETES_NOTHING;
	if (strcmp(argument, "DIR") == 0)
		return CT_COMPLETES_DIRECTORY;
	return strcmp(argument, "FILE") == 0 ? CT_COMPLETES_FILE : CT_COMPLETES_NOTHING;
}

#define COMMANDS_MAX 8u

static struct ct_completion_command
describe(const struct ctrun_command *command,
	 struct ct_completion_option list[CTRUN_OPTIONS_MAX + 2])
{
	struct ct_completion_command described = {
	    .name = command->name ? command->name : "",
	    .help = command->does,
	    .operand = command->runs_program ? CT_COMPLETES_PROGRAM : CT_COMPLETES_NOTHING,
	    .option = list};
	const struct ctrun_option *option;

	for (size_t i = 0; (option = ctrun_command_option(command, i)); i++)
		list[described.options++] = (struct ct_completion_option){
		    .name = option->flag,
		    .letter = strcmp(option->flag, "output") == 0 ? 'o' : 0,
		    .argument = option->argument,
		    .words =
			option->argument && strchr(option->argument, '|') ? option->argument : NULL,
		    .completes = completes(option->argument),
		    .help = option->help,
		};
	list[described.options++] =
	    (struct ct_completion_option){.name = "help", .help = "show this help"};
	list[described.options++] =
	    (struct ct_completion_option){.name = "version", .help = "print the version"};
	return described;
}

static void write_shell(FILE *out, void (*write)(FILE *out, const struct ct_completion *of))
{
	static struct ct_completion_option option[COMMANDS_MAX][CTRUN_OPTIONS_MAX + 2];
	struct ct_completion_command command[COMMANDS_MAX];
	struct ct_completion of = {.program = "ctrun", .command = command};

	for (; ctrun_commands[of.commands] && of.commands < COMMANDS_MAX; of.commands++)
		command[of.commands] = describe(ctrun_commands[of.commands], option[of.commands]);
	write(out, &of);
}

int ctrun_generate(FILE *out, const char *what)
{
	if (strcmp(what, "man") == 0)
		write_man(out);
	else if (strcmp(what, "bash-completion") == 0)
		write_shell(out, ct_completion_write_bash);
	else if (strcmp(what, "zsh-completion") == 0)
		write_shell(out, ct_completion_write_zsh);
	else if (strcmp(what, "fish-completion") == 0)
		write_shell(out, ct_completion_write_fish);
	else
		return -1;
	return 0;
}
