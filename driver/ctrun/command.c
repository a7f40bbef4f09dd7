/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of all commands, and the options that they share. */
#include "driver/ctrun/command.h"

#include "base/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CTRUN_COMMAND(name) extern const struct ctrun_command ctrun_##name;
#include "driver/ctrun/commands.def"

const struct ctrun_command *const ctrun_commands[] = {
#define CTRUN_COMMAND(name) &ctrun_##name,
#include "driver/ctrun/commands.def"
    NULL,
};

const char *ctrun_command_near(const char *word)
{
	struct ct_nearest nearest;

	ct_nearest_begin(&nearest, word, strlen(word));
	for (size_t i = 0; ctrun_commands[i]; i++)
		if (ctrun_commands[i]->name)
			ct_nearest_consider(&nearest, ctrun_commands[i]->name);
	return nearest.best;
}

const struct ctrun_option ctrun_shared[] = {
    {.flag = "inject",
     .preset = "",
     .help = "any CUDA program on a GPU, however it was built: calls, kernels, copies, ranges, but "
	     "no accesses"},
#define CT_OPTION(field, kind, variable, name, word, value, text)                                  \
	{.flag = name,                                                                             \
	 .argument = word,                                                                         \
	 .preset = value,                                                                          \
	 .help = text,                                                                             \
	 .environment = variable,                                                                  \
	 .type = CT_OPTION_##kind},
#include <cudatrace/options.def>
#undef CT_OPTION
    {.flag = NULL},
};

static bool takes(const struct ctrun_command *command, const char *flag)
{
	for (size_t i = 0; command->shared && command->shared[i]; i++)
		if (strcmp(command->shared[i], flag) == 0)
			return true;
	return !command->shared;
}

const struct ctrun_option *ctrun_command_option(const struct ctrun_command *command, size_t number)
{
	const struct ctrun_option *option = command->own;

	for (; option && option->flag; option++)
		if (number-- == 0)
			return option;
	for (option = ctrun_shared; option->flag; option++)
		if (takes(command, option->flag) && number-- == 0)
			return option;
	return NULL;
}

int ctrun_option_export(const char *flag, const char *value)
{
	for (const struct ctrun_option *option = ctrun_shared; option->flag; option++)
		if (option->environment && strcmp(option->flag, flag) == 0)
			return setenv(option->environment, value, 1) == 0 ? 0 : -errno;
	return -EINVAL;
}

const char *ctrun_option_value(const char *flag)
{
	for (const struct ctrun_option *option = ctrun_shared; option->flag; option++)
		if (option->environment && strcmp(option->flag, flag) == 0)
			return getenv(option->environment);
	return NULL;
}
