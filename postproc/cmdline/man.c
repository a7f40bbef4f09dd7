/* SPDX-License-Identifier: Apache-2.0 */
/* Man pages in roff, from the command table. */
#include "postproc/cmdline/generate.h"
#include <string.h>

/* Text with roff's special characters escaped. An empty line becomes .PP. */
static void write_text(FILE *out, const char *text)
{
	int at_line_start = 1;

	for (; *text; text++) {
		if (at_line_start && *text == '\n') {
			fputs(".PP\n", out);
			continue;
		}
		if (at_line_start && (*text == '.' || *text == '\''))
			fputs("\\&", out);
		if (*text == '\\')
			fputs("\\e", out);
		else if (*text == '-')
			fputs("\\-", out);
		else
			fputc(*text, out);
		at_line_start = *text == '\n';
	}
	if (!at_line_start)
		fputc('\n', out);
}

static void write_option(FILE *out, const struct ctpost_option *option)
{
	fputs(".TP\n", out);
	if (option->letter)
		fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
	fputs("\\fB\\-\\-", out);
	for (const char *c = option->name; *c; c++)
		fprintf(out, *c == '-' ? "\\-" : "%c", *c);
	if (option->argument)
		fprintf(out, "\\fR=\\fI%s", option->argument);
	fputs("\\fR\n", out);
	write_text(out, option->help);
}

static void write_program(FILE *out)
{
	fprintf(out, ".TH CTPOST 1 \"\" \"cuda-trace %s\" \"User Commands\"\n", CT_VERSION);
	fputs(".SH NAME\nctpost \\- look into trace directories written by cuda\\-trace\n"
	      ".SH SYNOPSIS\n.B ctpost\n.I COMMAND\n.RI [ OPTION ]...\n.IR ARGUMENT ...\n.br\n"
	      ".B ctpost \\-\\-version\n.br\n.B ctpost \\-\\-help\n"
	      ".SH DESCRIPTION\n"
	      "A trace directory holds every access to global memory that the traced kernels of\n"
	      "one program run made. Each command answers one question about it.\n"
	      ".SH COMMANDS\n",
	      out);
	for (size_t i = 0; ctpost_commands[i]; i++) {
		fprintf(out, ".TP\n.BR ctpost\\-%s (1)\n", ctpost_commands[i]->name);
		write_text(out, ctpost_commands[i]->summary);
	}
	fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nif set, no colour on a terminal either\n"
	      ".TP\n.B COLUMNS\nwidth of tables where the terminal does not report its own\n"
	      ".TP\n.B CTPOST_EXPAND\nif it is \"all\", a trace is read however many accesses its "
	      "loops stand for\n"
	      ".TP\n.B CTPOST_TEMP_LIMIT\nmost bytes (2G) that go to the temporary directory at "
	      "the same time\n"
	      ".SH EXIT STATUS\n0 on success, 1 when a trace or file cannot be read or written, 2\n"
	      "for an unknown command or option.\n"
	      ".SH SEE ALSO\n.BR ctrun (1)",
	      out);
	for (size_t i = 0; ctpost_commands[i]; i++)
		fprintf(out, ",\n.BR ctpost\\-%s (1)", ctpost_commands[i]->name);
	fputc('\n', out);
}

static void write_example(FILE *out, const char *example)
{
	fputs(".SH EXAMPLE\n.EX\n", out);
	write_text(out, example);
	fputs(".EE\n", out);
}

void ctpost_write_man(FILE *out, const struct ctpost_command *command)
{
	struct ctpost_place place = {.group = 0};
	const struct ctpost_option *option;

	if (!command) {
		write_program(out);
		return;
	}
	fputs(".TH CTPOST\\-", out);
	for (const char *c = command->name; *c; c++)
		fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, out);
	fprintf(out, " 1 \"\" \"cuda-trace %s\" \"User Commands\"\n", CT_VERSION);
	fprintf(out, ".SH NAME\nctpost\\-%s \\- ", command->name);
	write_text(out, command->summary);
	fprintf(out, ".SH SYNOPSIS\n.B ctpost %s\n.RI [ OPTION ]...\n.I ", command->name);
	write_text(out, command->operands);
	fputs(".SH DESCRIPTION\n", out);
	write_text(out, command->description);
	fputs(".SH OPTIONS\n", out);
	while ((option = ctpost_next_option(command, &place)))
		if (!option->stands_for)
			write_option(out, option);
	fputs(".SH EXIT STATUS\n", out);
	write_text(out, command->exit_status);
	if (command->example)
		write_example(out, command->example);
	fputs(".SH SEE ALSO\n.BR ctpost (1)\n", out);
}
