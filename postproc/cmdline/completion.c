/* SPDX-License-Identifier: Apache-2.0 */
/* Completion, from the command table. */
#include "postproc/cmdline/generate.h"

#include <errno.h>
#include <stdlib.h>

static enum ct_completes completes(enum ctpost_complete complete)
{
	switch (complete) {
	case CTPOST_COMPLETE_FILE:
		return CT_COMPLETES_FILE;
	case CTPOST_COMPLETE_DIRECTORY:
		return CT_COMPLETES_DIRECTORY;
	default:
		return CT_COMPLETES_NOTHING;
	}
}

/* The command's options, CTPOST_OPTIONS_MAX at most. */
static struct ct_completion_command describe(const struct ctpost_command *command,
					     struct ct_completion_option *list)
{
	struct ct_completion_command described = {.name = command->name,
						  .help = command->summary,
						  .operand = completes(command->complete),
						  .option = list};
	struct ctpost_place place = {.group = 0};
	const struct ctpost_option *option;

	while ((option = ctpost_next_option(command, &place)))
		if (!option->stands_for)
			list[described.options++] = (struct ct_completion_option){
			    .name = option->name,
			    .letter = option->letter,
			    .argument = option->argument,
			    .words = option->choices,
			    .completes = completes(option->complete),
			    .help = option->help,
			};
	return described;
}

int ctpost_write_completion(FILE *out, void (*write)(FILE *out, const struct ct_completion *of))
{
	struct ct_completion of = {.program = "ctpost"};
	struct ct_completion_command *command;
	struct ct_completion_option *option;

	while (ctpost_commands[of.commands])
		of.commands++;
	of.command = command = calloc(of.commands, sizeof(*command));
	option = calloc(of.commands * CTPOST_OPTIONS_MAX, sizeof(*option));
	for (size_t i = 0; command && option && i < of.commands; i++)
		command[i] = describe(ctpost_commands[i], option + i * CTPOST_OPTIONS_MAX);
	if (command && option)
		write(out, &of);
	free(command);
	free(option);
	return command && option ? 0 : -ENOMEM;
}
