/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost: finds the command, parses its options, runs it, reports its error. */
#include "base/descriptor.h"
#include "base/nearest.h"
#include "postproc/cmdline/generate.h"
#include "postproc/cmdline/parse.h"
#include "postproc/facts/folded_name.h"
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAPPED_LEAST (32 << 20) /* the most that malloc takes */

static int unknown_word(const char *word)
{
	bool is_option = word[0] == '-';
	size_t dashes = strspn(word, "-");
	struct ct_nearest near;

	ct_nearest_begin(&near, word + dashes, strlen(word) - dashes);
	for (size_t i = 0; !is_option && ctpost_commands[i]; i++)
		ct_nearest_consider(&near, ctpost_commands[i]->name);
	if (is_option) {
		ct_nearest_consider(&near, "version");
		ct_nearest_consider(&near, "help");
	}
	fprintf(stderr, "ctpost: unknown %s '%s'; ", is_option ? "option" : "command", word);
	if (near.best)
		fprintf(stderr, "did you mean '%s%s'?\n", is_option ? "--" : "", near.best);
	else
		fprintf(stderr, "see 'ctpost --help'\n");
	return CTPOST_USAGE;
}

/* A full disk or a closed pipe must not look like success. */
static int finish(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno != EPIPE)
		fprintf(stderr, "ctpost: cannot write the output: %s\n", strerror(errno));
	return CTPOST_FAILED;
}

/* Tables of many threads grow and go at the same time. Each mapping that changes interrupts all
 * other processors, so what is not vast stays with malloc. */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, MAPPED_LEAST);
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

static int run_command(const struct ctpost_command *command, int argc, const char *const *argv)
{
	const char **operands = calloc((size_t)argc + 1, sizeof(*operands));
	struct ctpost_call call;
	int status = CTPOST_USAGE;

	if (!operands) {
		fprintf(stderr, "ctpost: out of memory\n");
		return CTPOST_FAILED;
	}
	switch (ctpost_parse(command, argc, argv, operands, &call)) {
	case CTPOST_PARSED_HELP:
		ctpost_write_help(stdout, command);
		status = CTPOST_OK;
		break;
	case CTPOST_PARSED_RUN:
		if (ctpost_value(&call, "full-names"))
			ct_show_full_names();
		status = command->is_of_rank_0 ? ctpost_run_on_rank_0(&call, command->run)
					       : command->run(&call);
		break;
	case CTPOST_PARSED_ERROR:
		break;
	}
	free(operands);
	ct_intern_fini(&call.reported);
	status = finish(status);
	if (call.is_reported_by_rank_0)
		return CTPOST_OK;
	if (call.why[0])
		fprintf(stderr, "ctpost: %s\n", call.why);
	return status;
}

int main(int argc, char **argv)
{
	const struct ctpost_command *command;

	ct_descriptor_fill_standard();
	keep_memory();
	if (argc < 2) {
		ctpost_write_help(stderr, NULL);
		return CTPOST_USAGE;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("ctpost (cuda-trace) %s\n", CT_VERSION);
		return finish(CTPOST_OK);
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		command = argc > 2 ? ctpost_find_command(argv[2]) : NULL;
		if (argc > 2 && !command)
			return unknown_word(argv[2]);
		ctpost_write_help(stdout, command);
		return finish(CTPOST_OK);
	}
	if (!strncmp(argv[1], "--generate=", 11)) {
		if (ctpost_generate(stdout, argv[1] + 11) == 0)
			return finish(CTPOST_OK);
		fprintf(stderr,
			"ctpost: cannot generate '%s': expected bash-completion, "
			"zsh-completion, fish-completion, man, man:COMMAND, table or tables\n",
			argv[1] + 11);
		return CTPOST_USAGE;
	}
	command = ctpost_find_command(argv[1]);
	if (!command)
		return unknown_word(argv[1]);
	return run_command(command, argc - 2, (const char *const *)argv + 2);
}
