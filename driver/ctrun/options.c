/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun's options: options.def as --flag=VALUE. */
#include "driver/ctrun/options.h"
#include "base/nearest.h"
#include "base/option.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct option {
	const char *environment;
	const char *flag;
	enum ct_option_type type;
	const char *argument;
	const char *preset;
	const char *help;
};

static const struct option options_table[] = {
#define CT_OPTION(field, type, environment, flag, argument, preset, help)                          \
	{environment, "--" flag, CT_OPTION_##type, argument, preset, help},
#include <cudatrace/options.def>
#undef CT_OPTION
};

#define OPTION_COUNT (sizeof(options_table) / sizeof(options_table[0]))

static const struct option *find_option(const char *word, size_t bytes)
{
	if (bytes == 2 && memcmp(word, "-o", 2) == 0)
		return find_option("--output", strlen("--output"));
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (strlen(options_table[i].flag) == bytes &&
		    memcmp(options_table[i].flag, word, bytes) == 0)
			return &options_table[i];
	return NULL;
}

static int explain_unknown(const char *word, size_t bytes, char *why, size_t why_bytes)
{
	struct ct_nearest nearest;

	ct_nearest_begin(&nearest, word, bytes);
	ct_nearest_consider(&nearest, "--help");
	ct_nearest_consider(&nearest, "--version");
	ct_nearest_consider(&nearest, "--inject");
	for (size_t i = 0; i < OPTION_COUNT; i++)
		ct_nearest_consider(&nearest, options_table[i].flag);
	if (nearest.best)
		snprintf(why, why_bytes, "unknown option %.*s; did you mean %s? (see ctrun --help)",
			 (int)bytes, word, nearest.best);
	else
		snprintf(why, why_bytes, "unknown option %.*s; ctrun --help lists the options",
			 (int)bytes, word);
	return -EINVAL;
}

static int take(struct ctrun_options *options, const struct option *option, const char *value,
		char *why, size_t why_bytes)
{
	uint64_t number;
	const char *expected = ct_option_read(option->type, option->argument, value, &number);

	if (expected) {
		snprintf(why, why_bytes, "%s=%s: expected %s", option->flag, value, expected);
		return -EINVAL;
	}
	if (strcmp(option->flag, "--output") == 0) {
		if (!*value) {
			snprintf(why, why_bytes, "-o: the name of the trace directory is empty");
			return -EINVAL;
		}
		options->output = value;
	}
	if (strcmp(option->flag, "--trace") == 0)
		options->off = !number;
	if (strcmp(option->flag, "--uses") == 0)
		options->pages = strcmp(value, "pages") == 0 || strcmp(value, "auto") == 0;
	if (strcmp(option->flag, "--verbose") == 0)
		options->verbose = number;
	return setenv(option->environment, value, 1) == 0 ? 0 : -errno;
}

/* One option at argv[0]; returns how many words it took, or negative. */
static int parse_option(struct ctrun_options *options, char **argv, char *why, size_t why_bytes)
{
	const char *word = argv[0];
	size_t bytes = strcspn(word, "=");
	const struct option *option;
	const char *value;
	int err;

	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
		options->help = true;
		return 1;
	}
	if (strcmp(word, "--version") == 0) {
		options->version = true;
		return 1;
	}
	if (strcmp(word, "--inject") == 0) {
		options->inject = true;
		return 1;
	}
	if (strncmp(word, "--generate=", 11) == 0) {
		options->generate = word + 11;
		return 1;
	}
	if (strncmp(word, "-o", 2) == 0 && word[2] && word[2] != '=') {
		err = take(options, find_option("-o", 2), word + 2, why, why_bytes);
		return err < 0 ? err : 1;
	}
	option = find_option(word, bytes);
	if (!option)
		return explain_unknown(word, bytes, why, why_bytes);
	value = word[bytes] == '=' ? word + bytes + 1 : argv[1];
	if (!value || (value == argv[1] && strcmp(value, "--") == 0)) {
		snprintf(why, why_bytes, "%s needs a value: %s=%s", word, option->flag,
			 option->argument);
		return -EINVAL;
	}
	err = take(options, option, value, why, why_bytes);
	return err < 0 ? err : value == argv[1] ? 2 : 1;
}

int ctrun_options_parse(struct ctrun_options *options, int argc, char **argv, char *why,
			size_t why_bytes)
{
	int at = 1;

	*options = (struct ctrun_options){0};
	while (at < argc && argv[at][0] == '-' && strcmp(argv[at], "--") != 0) {
		int words = parse_option(options, &argv[at], why, why_bytes);

		if (words < 0)
			return words;
		at += words;
	}
	if (at < argc && strcmp(argv[at], "--") == 0)
		at++;
	options->program = &argv[at];
	if (at < argc || options->help || options->version || options->generate)
		return 0;
	snprintf(why, why_bytes, "no program to run: ctrun [OPTION...] -- ./app ARGUMENTS...");
	return -EINVAL;
}

void ctrun_options_help(FILE *out)
{
	fprintf(
	    out,
	    "Usage: ctrun [OPTION...] [--] PROGRAM [ARGUMENT...]\n\n"
	    "Run a program that was built with cuda-trace-clang, and trace it.\n\n"
	    "  -o DIR                   the same as --output=DIR\n"
	    "  --inject                 any CUDA program on a GPU, however it was built: calls, "
	    "kernels, copies, ranges, but no accesses\n");
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option *option = &options_table[i];
		char left[64];

		snprintf(left, sizeof(left), "%s=%s", option->flag, option->argument);
		fprintf(out, "  %-24s %s", left, option->help);
		if (*option->preset)
			fprintf(out, " [%s]", option->preset);
		fputc('\n', out);
	}
	fprintf(out, "  --help, --version\n\n"
		     "Exits as the program does; with 128 + N if signal N ended it, 127 if it was\n"
		     "not found, 2 for a mistake on ctrun's own command line.\n");
}
