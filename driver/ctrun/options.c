/* SPDX-License-Identifier: Apache-2.0 */
/* ctrun's options: options.def as --flag=VALUE. */
#include "driver/ctrun/options.h"
#include "driver/base/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum option_type { TYPE_STRING, TYPE_SIZE, TYPE_COUNT, TYPE_PERIOD, TYPE_SECONDS, TYPE_SWITCH };

struct option {
	const char *environment;
	const char *flag;
	enum option_type type;
	const char *argument;
	const char *preset;
	const char *help;
};

static const struct option options_table[] = {
#define CT_OPTION(field, type, environment, flag, argument, preset, help)                          \
	{environment, "--" flag, TYPE_##type, argument, preset, help},
#include <cudatrace/options.def>
#undef CT_OPTION
};

#define OPTION_COUNT (sizeof(options_table) / sizeof(options_table[0]))

static bool is_number(const char *text, bool suffix)
{
	const char *end = text;

	while (isdigit((unsigned char)*end))
		end++;
	if (end == text || end - text > 18)
		return false;
	if (suffix && *end && strchr("KMGTkmgt", *end))
		end++;
	return !*end;
}

static bool is_period(const char *text)
{
	unsigned long value = is_number(text, false) ? strtoul(text, NULL, 10) : 0;

	return value >= 1 && value <= INT32_MAX;
}

/* Digits, or digits, a point and up to nine more. */
static bool is_seconds(const char *text)
{
	size_t whole = strspn(text, "0123456789"), fraction;

	if (!whole || strtoul(text, NULL, 10) > UINT32_MAX)
		return false;
	if (!text[whole])
		return true;
	fraction = strspn(text + whole + 1, "0123456789");
	return text[whole] == '.' && fraction >= 1 && fraction <= 9 && !text[whole + 1 + fraction];
}

/* Of the words of "a|b|c". */
static bool is_choice(const char *choices, const char *text)
{
	size_t bytes = strlen(text), word;

	for (;; choices += word + 1) {
		word = strcspn(choices, "|");
		if (word == bytes && strncmp(choices, text, bytes) == 0)
			return true;
		if (!choices[word])
			return false;
	}
}

/* What a value of the type looks like, or NULL if text is one. */
static const char *complaint(const struct option *option, const char *text)
{
	regex_t pattern;
	int bad;

	switch (option->type) {
	case TYPE_SWITCH:
		return strcmp(text, "on") == 0 || strcmp(text, "off") == 0 ? NULL : "on or off";
	case TYPE_COUNT:
		return is_number(text, false) ? NULL : "a number";
	case TYPE_SIZE:
		return is_number(text, true) ? NULL : "a number of bytes, such as 64M";
	case TYPE_PERIOD:
		return is_period(text) ? NULL : "a number from 1 to 2147483647";
	case TYPE_SECONDS:
		return is_seconds(text) ? NULL : "seconds, such as 2 or 0.25";
	case TYPE_STRING:
		break;
	}
	if (strchr(option->argument, '|'))
		return is_choice(option->argument, text) ? NULL : option->argument;
	if (strcmp(option->argument, "REGEX") != 0)
		return NULL;
	bad = regcomp(&pattern, text, REG_EXTENDED | REG_NOSUB);
	if (!bad)
		regfree(&pattern);
	return bad ? "an extended regular expression" : NULL;
}

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
	const char *names[OPTION_COUNT + 2] = {"--help", "--version"};
	const char *near;

	for (size_t i = 0; i < OPTION_COUNT; i++)
		names[i + 2] = options_table[i].flag;
	near = ct_suggest(word, bytes, names, OPTION_COUNT + 2);
	if (near)
		snprintf(why, why_bytes, "unknown option %.*s; did you mean %s? (see ctrun --help)",
			 (int)bytes, word, near);
	else
		snprintf(why, why_bytes, "unknown option %.*s; ctrun --help lists the options",
			 (int)bytes, word);
	return -EINVAL;
}

static int take(struct ctrun_options *options, const struct option *option, const char *value,
		char *why, size_t why_bytes)
{
	const char *expected = complaint(option, value);

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
		options->off = strcmp(value, "off") == 0;
	if (strcmp(option->flag, "--verbose") == 0)
		options->verbose = strcmp(value, "on") == 0;
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
	fprintf(out, "Usage: ctrun [OPTION...] [--] PROGRAM [ARGUMENT...]\n\n"
		     "Run a program that was built with cuda-trace-clang, and trace it.\n\n"
		     "  -o DIR                   the same as --output=DIR\n");
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
