/* SPDX-License-Identifier: Apache-2.0 */
/* Run-time options, parsed strictly: one complaint per bad value, then its default. */
#include "host-rt/base/options.h"
#include <ctype.h>
#include <cudatrace/format.h>
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

static bool parse_PERIOD(const char *text, uint64_t *value)
{
	return parse_COUNT(text, value) && *value >= 1 && *value <= INT32_MAX;
}

/* "2", "0.25": up to nine digits after the point. */
static bool parse_SECONDS(const char *text, uint64_t *value)
{
	uint64_t scale = 1000000000, fraction = 0;
	const char *end;

	if (!parse_number(text, &end, value) || *value > UINT32_MAX)
		return false;
	*value *= scale;
	if (*end != '.')
		return !*end;
	for (end++; isdigit((unsigned char)*end) && scale > 1; end++) {
		scale /= 10;
		fraction += (uint64_t)(*end - '0') * scale;
	}
	*value += fraction;
	return !*end && scale < 1000000000;
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
static const char *const expected_PERIOD = "a number from 1 to 2147483647";
static const char *const expected_SECONDS = "seconds such as 2 or 0.25";
static const char *const expected_SWITCH = "on or off";
static const char *const expected_STRING = "a text";

/* Of words that are separated by "|", or of no such list. */
static bool is_choice(const char *choices, const char *text)
{
	size_t bytes = strlen(text), word;

	if (!strchr(choices, '|'))
		return true;
	for (;; choices += word + 1) {
		word = strcspn(choices, "|");
		if (word == bytes && strncmp(choices, text, bytes) == 0)
			return true;
		if (!choices[word])
			return false;
	}
}

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

static void check_pattern(const char **text, const char *environment,
			  ct_options_complaint *complain)
{
	regex_t pattern;

	if (regcomp(&pattern, *text, REG_EXTENDED | REG_NOSUB) == 0) {
		regfree(&pattern);
		return;
	}
	complain(environment, *text, "an extended regular expression");
	*text = "";
}

static void check_level(struct ct_options *options, ct_options_complaint *complain,
			const char *text)
{
	if (options->level <= 19)
		return;
	complain("CUDATRACE_LEVEL", text, "0 to 19");
	options->level = 1;
}

static void check_consumers(struct ct_options *options, ct_options_complaint *complain,
			    const char *text)
{
	if (options->consumers <= 64)
		return;
	complain("CUDATRACE_CONSUMERS", text, "0 to 64");
	options->consumers = 0;
}

static uint32_t codec_number(const char *name)
{
	static const char *const names[] = {[CT_CODEC_NONE] = "none",
					    [CT_CODEC_ZSTD] = "zstd",
					    [CT_CODEC_DELTA] = "delta",
					    [CT_CODEC_DELTA_ZSTD] = "delta-zstd"};

	for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return i + 1;
	return 0;
}

void ct_options_parse(struct ct_options *options, ct_options_lookup *lookup,
		      ct_options_complaint *complain)
{
	const char *text;

#define CT_OPTION(field, type, environment, flag, argument, preset, help)                          \
	text = lookup(environment);                                                                \
	if (text && !is_choice(argument, text)) {                                                  \
		complain(environment, text, argument);                                             \
		text = NULL;                                                                       \
	}                                                                                          \
	if (text && !parse_##type(text, &options->field)) {                                        \
		complain(environment, text, expected_##type);                                      \
		text = NULL;                                                                       \
	}                                                                                          \
	if (!text)                                                                                 \
		parse_##type(preset, &options->field);
#include <cudatrace/options.def>
#undef CT_OPTION
	check_launches(options, complain);
	check_pattern(&options->kernels, "CUDATRACE_KERNELS", complain);
	check_pattern(&options->region, "CUDATRACE_REGION", complain);
	options->tier_number = strcmp(options->tier, "counts") == 0 ? CT_TIER_COUNTS : CT_TIER_FULL;
	check_level(options, complain, lookup("CUDATRACE_LEVEL"));
	check_consumers(options, complain, lookup("CUDATRACE_CONSUMERS"));
	options->codec_number = codec_number(options->codec);
}
