/* SPDX-License-Identifier: Apache-2.0 */
/* Parse a command line against the option table of its command. */
#include "postproc/cmdline/parse.h"
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct ctpost_option ctpost_common_options[] = {
    {.name = "help", .letter = 'h', .help = "show this help"},
    {.name = NULL},
};

void ctpost_leave_to_rank_0(struct ctpost_call *call)
{
	call->why[0] = '\0';
	call->is_told_by_rank_0 = true;
}

int ctpost_fail(struct ctpost_call *call, int status, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(call->why, sizeof(call->why), format, list);
	va_end(list);
	return status;
}

const struct ctpost_command *ctpost_find_command(const char *name)
{
	for (size_t i = 0; ctpost_commands[i]; i++)
		if (!strcmp(ctpost_commands[i]->name, name))
			return ctpost_commands[i];
	return NULL;
}

/* Levenshtein distance, good for words shorter than 64. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[64];
	size_t width = strlen(b);

	if (width >= 64)
		return 64;
	for (size_t j = 0; j <= width; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; a[i - 1]; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= width; j++) {
			unsigned substitute = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j - 1] + 1 < row[j])
				row[j] = row[j - 1] + 1;
			else
				row[j] = row[j] + 1;
			if (substitute < row[j])
				row[j] = substitute;
		}
	}
	return row[width];
}

static void consider(const char *typed, const char *candidate, const char **best, unsigned *least)
{
	unsigned d = distance(typed, candidate);

	if (!strncmp(typed, candidate, strlen(typed)) && d > 1)
		d = 1; /* an unfinished word is near */
	if (d < *least) {
		*least = d;
		*best = candidate;
	}
}

const char *ctpost_nearest(const char *typed, const struct ctpost_option *options, char *buffer,
			   size_t bytes)
{
	const char *best = NULL;
	unsigned least = (unsigned)strlen(typed) / 3 + 2;

	if (!options) {
		for (size_t i = 0; ctpost_commands[i]; i++)
			consider(typed, ctpost_commands[i]->name, &best, &least);
		if (best)
			snprintf(buffer, bytes, "%s", best);
		return best ? buffer : NULL;
	}
	for (size_t i = 0; options[i].name; i++)
		consider(typed, options[i].name, &best, &least);
	for (size_t i = 0; ctpost_common_options[i].name; i++)
		consider(typed, ctpost_common_options[i].name, &best, &least);
	if (best)
		snprintf(buffer, bytes, "--%s", best);
	return best ? buffer : NULL;
}

static int is_choice(const char *choices, const char *value)
{
	size_t length = strlen(value);

	while (*choices) {
		size_t n = strcspn(choices, "|");

		if (n == length && !memcmp(choices, value, n))
			return 1;
		choices += n + (choices[n] == '|');
	}
	return 0;
}

static enum ctpost_parsed unknown_option(const struct ctpost_command *command, const char *typed,
					 struct ctpost_call *call)
{
	char name[64], buffer[64];
	const char *near;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(typed, "="), typed);
	near = ctpost_nearest(name + strspn(name, "-"), command->options, buffer, sizeof(buffer));
	if (near)
		ctpost_fail(call, 0, "%s: unknown option '%s'; did you mean '%s'?", command->name,
			    name, near);
	else
		ctpost_fail(call, 0, "%s: unknown option '%s'; see 'ctpost %s --help'",
			    command->name, name, command->name);
	return CTPOST_PARSED_ERROR;
}

/* Index of the option that the word names, or -1. *value: what follows "=" or
 * a letter, NULL if nothing does. */
static int match_option(const struct ctpost_option *options, const char *word, const char **value)
{
	size_t length = strcspn(word + 2, "=");

	*value = NULL;
	for (int i = 0; options[i].name; i++) {
		if (word[1] != '-') {
			if (options[i].letter && word[1] == options[i].letter) {
				*value = word[2] ? word + 2 : NULL;
				return i;
			}
		} else if (strlen(options[i].name) == length &&
			   !memcmp(options[i].name, word + 2, length)) {
			*value = word[2 + length] ? word + 3 + length : NULL;
			return i;
		}
	}
	return -1;
}

/* Take the option at argv[*at], and its argument. */
static enum ctpost_parsed take_option(const struct ctpost_command *command, int argc,
				      const char *const *argv, int *at, struct ctpost_call *call)
{
	const char *value;
	int i = match_option(ctpost_common_options, argv[*at], &value);

	if (i == 0)
		return CTPOST_PARSED_HELP;
	i = match_option(command->options, argv[*at], &value);
	if (i < 0)
		return unknown_option(command, argv[*at], call);

	const struct ctpost_option *option = &command->options[i];

	if (!option->argument) {
		if (value) {
			ctpost_fail(call, 0, "%s: option '--%s' takes no argument", command->name,
				    option->name);
			return CTPOST_PARSED_ERROR;
		}
		call->option[i] = "";
		return CTPOST_PARSED_RUN;
	}
	if (!value && *at + 1 < argc)
		value = argv[++*at];
	if (!value) {
		ctpost_fail(call, 0, "%s: option '--%s' needs an argument: --%s=%s", command->name,
			    option->name, option->name, option->argument);
		return CTPOST_PARSED_ERROR;
	}
	if (option->choices && !is_choice(option->choices, value)) {
		ctpost_fail(call, 0, "%s: --%s='%s' is not one of %s", command->name, option->name,
			    value, option->choices);
		return CTPOST_PARSED_ERROR;
	}
	call->option[i] = value;
	return CTPOST_PARSED_RUN;
}

enum ctpost_parsed ctpost_parse(const struct ctpost_command *command, int argc,
				const char *const *argv, const char **operands,
				struct ctpost_call *call)
{
	int only_operands = 0;

	memset(call, 0, sizeof(*call));
	call->operand = operands;
	for (int i = 0; i < argc; i++) {
		if (only_operands || argv[i][0] != '-' || !argv[i][1]) {
			operands[call->operands++] = argv[i];
		} else if (!strcmp(argv[i], "--")) {
			only_operands = 1;
		} else {
			enum ctpost_parsed got = take_option(command, argc, argv, &i, call);

			if (got != CTPOST_PARSED_RUN)
				return got;
		}
	}
	if (call->operands < command->operands_min) {
		ctpost_fail(call, 0, "%s: expected %s; see 'ctpost %s --help'", command->name,
			    command->operands, command->name);
		return CTPOST_PARSED_ERROR;
	}
	if (command->operands_max >= 0 && call->operands > command->operands_max) {
		ctpost_fail(call, 0, "%s: unexpected argument '%s'; expected %s", command->name,
			    operands[command->operands_max], command->operands);
		return CTPOST_PARSED_ERROR;
	}
	return CTPOST_PARSED_RUN;
}

static int parse_prefix(const char *text, const char **end, uint64_t *out)
{
	char *stop;

	if (!isdigit((unsigned char)*text))
		return -1;
	errno = 0;
	*out = strtoull(text, &stop, 10);
	*end = stop;
	return errno ? -1 : 0;
}

int ctpost_parse_count(const char *text, uint64_t *out)
{
	const char *end;

	return parse_prefix(text, &end, out) < 0 || *end ? -1 : 0;
}

int ctpost_parse_range(const char *text, uint64_t *first, uint64_t *last)
{
	const char *end;

	if (parse_prefix(text, &end, first) < 0)
		return -1;
	*last = *first;
	if (!*end)
		return 0;
	if (*end != '-' || ctpost_parse_count(end + 1, last) < 0)
		return -1;
	return *first <= *last ? 0 : -1;
}

int ctpost_parse_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "kmgt";
	const char *end, *unit;
	unsigned shift;

	if (parse_prefix(text, &end, bytes) < 0)
		return -1;
	if (!*end)
		return 0;
	unit = strchr(units, tolower((unsigned char)*end));
	if (!unit || end[1])
		return -1;
	shift = 10 * (unsigned)(unit - units + 1);
	if (*bytes > UINT64_MAX >> shift)
		return -1;
	*bytes <<= shift;
	return 0;
}

struct unit {
	const char *name;
	double factor;
};

/* A number and one of the units; the first of them may be left out. */
static int parse_quantity(const char *text, const struct unit *unit, double *out)
{
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return -1;
	*out = strtod(text, &end);
	if (!(*out >= 0 && *out < 1e18))
		return -1;
	if (!*end)
		end = (char *)unit->name;
	for (; unit->name; unit++)
		if (!strcmp(unit->name, end)) {
			*out *= unit->factor;
			return 0;
		}
	return -1;
}

int ctpost_parse_rate(const char *text, double *per_second)
{
	static const struct unit units[] = {{"B", 1},     {"k", 1e3},  {"M", 1e6},  {"G", 1e9},
					    {"T", 1e12},  {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9},
					    {"TB", 1e12}, {NULL, 0}};

	return parse_quantity(text, units, per_second);
}

int ctpost_parse_time(const char *text, double *seconds)
{
	static const struct unit units[] = {
	    {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {NULL, 0}};

	return parse_quantity(text, units, seconds);
}

static int parse_address(const char *text, const char **end, uint64_t *out)
{
	char *stop;

	if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
		return parse_prefix(text, end, out);
	if (!isxdigit((unsigned char)text[2]))
		return -1;
	errno = 0;
	*out = strtoull(text, &stop, 16);
	*end = stop;
	return errno ? -1 : 0;
}

int ctpost_parse_addresses(const char *text, uint64_t *first, uint64_t *last)
{
	const char *end;

	if (parse_address(text, &end, first) < 0)
		return -1;
	*last = *first;
	if (!*end)
		return 0;
	if (*end != '-' || parse_address(end + 1, &end, last) < 0 || *end)
		return -1;
	return *first <= *last ? 0 : -1;
}
