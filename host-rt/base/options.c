/* SPDX-License-Identifier: Apache-2.0 */
/* Run-time options, parsed strictly: one complaint per bad value, then its default. */
#include "host-rt/base/options.h"
#include "base/option.h"
#include "base/quantity.h"
#include <cudatrace/format.h>
#include <string.h>

/* 2 to 6 % of the time of kernels on 132 SMs (docs/samples.md). */
#define AUTO_SAMPLE_EXPONENT 18u

/* The variable's value, or the preset if there is none that is understood. */
static const char *take(enum ct_option_type type, const char *environment, const char *argument,
			const char *preset, ct_options_lookup *lookup,
			ct_options_complaint *complain, uint64_t *number)
{
	const char *text = lookup(environment), *expected;

	if (text) {
		expected = ct_option_read(type, argument, text, number);
		if (!expected)
			return text;
		complain(environment, text, expected);
	}
	ct_option_read(type, argument, preset, number);
	return preset;
}

static void split_launches(struct ct_options *options)
{
	if (*options->launches) {
		ct_parse_range(options->launches, &options->first_launch, &options->last_launch);
		return;
	}
	options->first_launch = 1;
	options->last_launch = UINT64_MAX;
}

/* A limit is an answer to how much there may be. */
static void split_keep_free(struct ct_options *options)
{
	bool is_auto = strcmp(options->keep_free, "auto") == 0 && !options->limit;

	options->keep_free_bytes = is_auto ? 2ull << 30 : 0;
	options->keep_free_percent = is_auto ? 5 : 0;
	if (!ct_is_choice("auto|off", options->keep_free))
		ct_parse_share(options->keep_free, &options->keep_free_bytes,
			       &options->keep_free_percent);
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

#define VALUE_STRING text
#define VALUE_SIZE number
#define VALUE_COUNT number
#define VALUE_PERIOD number
#define VALUE_SECONDS number
#define VALUE_SWITCH number

static uint32_t tier_number(const char *word)
{
	return strcmp(word, "counts") == 0   ? CT_TIER_COUNTS
	       : strcmp(word, "blocks") == 0 ? CT_TIER_BLOCKS
	       : strcmp(word, "values") == 0 ? CT_TIER_VALUES
	       : strcmp(word, "clock") == 0  ? CT_TIER_CLOCK
					     : CT_TIER_FULL;
}

static unsigned sample_exponent(const char *text)
{
	uint64_t cycles = 0;

	if (strcmp(text, "auto") == 0)
		return AUTO_SAMPLE_EXPONENT;
	return ct_parse_count(text, &cycles) == 0 && cycles ? (unsigned)__builtin_ctzll(cycles) : 0;
}

bool ct_options_are_given(ct_options_lookup *lookup)
{
	static const char *const variables[] = {
#define CT_OPTION(field, type, environment, flag, argument, preset, help) environment,
#include <cudatrace/options.def>
#undef CT_OPTION
	};
	bool are_given = false;

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		are_given |= lookup(variables[i]) != NULL;
	return are_given;
}

void ct_options_parse(struct ct_options *options, ct_options_lookup *lookup,
		      ct_options_complaint *complain)
{
	const char *text;
	uint64_t number;

#define CT_OPTION(field, type, environment, flag, argument, preset, help)                          \
	text = take(CT_OPTION_##type, environment, argument, preset, lookup, complain, &number);   \
	options->field = VALUE_##type;
#include <cudatrace/options.def>
#undef CT_OPTION
	options->enabled = options->enabled && ct_options_are_given(lookup);
	split_launches(options);
	options->tier_number = tier_number(options->tier);
	options->calls_only = strcmp(options->calls, "only") == 0;
	options->sample_exponent = sample_exponent(options->samples);
	split_keep_free(options);
	options->codec_number = codec_number(options->codec);
}
