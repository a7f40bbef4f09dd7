/* SPDX-License-Identifier: Apache-2.0 */
/* Run-time options, parsed strictly: one complaint per bad value, then its default. */
#include "options.h"
#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool parse_number(const char *text, const char **end, uint64_t *value)
{
	char *stop;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*value = strtoull(text, &stop, 10);
	*end = stop;
	return errno == 0;
}

static bool parse_COUNT(const char *text, uint64_t *value)
{
	const char *end;

	return parse_number(text, &end, value) && !*end;
}

static bool parse_SIZE(const char *text, uint64_t *value)
{
	static const char suffixes[] = "KMGT";
	const char *end, *suffix;
	unsigned shift = 0;

	if (!parse_number(text, &end, value))
		return false;
	if (*end) {
		suffix = strchr(suffixes, toupper((unsigned char)*end));
		if (!suffix || end[1])
			return false;
		shift = 10 * (unsigned)(suffix - suffixes + 1);
	}
	if (*value > UINT64_MAX >> shift)
		return false;
	*value <<= shift;
	return true;
}

static bool parse_SWITCH(const char *text, bool *value)
{
	*value = strcmp(text, "on") == 0;
	return *value || strcmp(text, "off") == 0;
}

static bool parse_STRING(const char *text, const char **value)
{
	*value = text;
	return true;
}

static const char *const expected_COUNT = "a number";
static const char *const expected_SIZE = "a number of bytes such as 64M";
static const char *const expected_SWITCH = "on or off";
static const char *const expected_STRING = "a text";

static bool parse_range(const char *text, uint64_t *first, uint64_t *last)
{
	const char *end;

	*first = 1;
	*last = UINT64_MAX;
	if (!*text)
		return true;
	if (!parse_number(text, &end, first) || *first == 0)
		return false;
	*last = *first;
	if (*end == '-' && !parse_number(end + 1, &end, last))
		return false;
	return !*end && *last >= *first;
}

static void check_launches(struct ct_options *options, ct_options_complaint *complain)
{
	if (parse_range(options->launches, &options->first_launch, &options->last_launch))
		return;
	complain("CUDATRACE_LAUNCHES", options->launches, "a launch number or FIRST-LAST, from 1");
	options->launches = "";
	parse_range("", &options->first_launch, &options->last_launch);
}

static void check_kernels(struct ct_options *options, ct_options_complaint *complain)
{
	regex_t pattern;

	if (regcomp(&pattern, options->kernels, REG_EXTENDED | REG_NOSUB) == 0) {
		regfree(&pattern);
		return;
	}
	complain("CUDATRACE_KERNELS", options->kernels, "an extended regular expression");
	options->kernels = "";
}

static void check_level(struct ct_options *options, ct_options_complaint *complain,
			const char *text)
{
	if (options->level <= 19)
		return;
	complain("CUDATRACE_LEVEL", text, "0 to 19");
	options->level = 1;
}

void ct_options_parse(struct ct_options *options, ct_options_lookup *lookup,
		      ct_options_complaint *complain)
{
	const char *text;

#define CT_OPTION(field, type, environment, flag, argument, preset, help)                          \
	text = lookup(environment);                                                                \
	if (text && !parse_##type(text, &options->field)) {                                        \
		complain(environment, text, expected_##type);                                      \
		text = NULL;                                                                       \
	}                                                                                          \
	if (!text)                                                                                 \
		parse_##type(preset, &options->field);
#include <cudatrace/options.def>
#undef CT_OPTION
	check_launches(options, complain);
	check_kernels(options, complain);
	check_level(options, complain, lookup("CUDATRACE_LEVEL"));
}
