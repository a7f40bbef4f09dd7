/* SPDX-License-Identifier: Apache-2.0 */
/* Values of run-time options. */
#include "base/option.h"
#include "base/quantity.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

static bool is_pattern(const char *text)
{
	regex_t pattern;

	if (regcomp(&pattern, text, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	regfree(&pattern);
	return true;
}

static bool is_range(const char *text)
{
	uint64_t first, last;

	return !*text || (ct_parse_range(text, &first, &last) == 0 && first >= 1);
}

static bool is_space(const char *text)
{
	uint64_t bytes;
	unsigned percent;

	return ct_is_choice("auto|off", text) || ct_parse_share(text, &bytes, &percent) == 0;
}

static bool is_cycles(const char *text)
{
	uint64_t cycles;

	if (ct_is_choice("auto|off", text))
		return true;
	return ct_parse_count(text, &cycles) == 0 && cycles >= 32 && cycles <= 1ull << 31 &&
	       (cycles & (cycles - 1)) == 0;
}

static const char *read_string(const char *argument, const char *text)
{
	if (strchr(argument, '|'))
		return ct_is_choice(argument, text) ? NULL : argument;
	if (strcmp(argument, "REGEX") == 0)
		return is_pattern(text) ? NULL : "an extended regular expression";
	if (strcmp(argument, "FIRST[-LAST]") == 0)
		return is_range(text) ? NULL : "a number or FIRST-LAST, from 1";
	if (strcmp(argument, "SPACE") == 0)
		return is_space(text) ? NULL
				      : "auto, off, bytes such as 10G, or a share such as 5%";
	if (strcmp(argument, "[CYCLES]") == 0)
		return is_cycles(text) ? NULL
				       : "auto, off, or a power of two from 32 to 2147483648";
	return NULL;
}

/* argument: any number, or one in FIRST..LAST. */
static const char *read_count(const char *argument, const char *text, uint64_t *number)
{
	const char *range = strstr(argument, "..");

	if (ct_parse_count(text, number) < 0)
		return range ? argument : "a number";
	return range && (*number < strtoull(argument, NULL, 10) ||
			 *number > strtoull(range + 2, NULL, 10))
		   ? argument
		   : NULL;
}

static const char *read_switch(const char *text, uint64_t *number)
{
	*number = strcmp(text, "on") == 0;
	return *number || strcmp(text, "off") == 0 ? NULL : "on or off";
}

const char *ct_option_read(enum ct_option_type type, const char *argument, const char *text,
			   uint64_t *number)
{
	*number = 0;
	switch (type) {
	case CT_OPTION_SWITCH:
		return read_switch(text, number);
	case CT_OPTION_COUNT:
		return read_count(argument, text, number);
	case CT_OPTION_SIZE:
		return ct_parse_size(text, number) == 0 ? NULL : "a number of bytes, such as 64M";
	case CT_OPTION_PERIOD:
		if (ct_parse_count(text, number) == 0 && *number >= 1 && *number <= INT32_MAX)
			return NULL;
		return "a number from 1 to 2147483647";
	case CT_OPTION_SECONDS:
		return ct_parse_seconds(text, number) == 0 ? NULL : "seconds, such as 2 or 0.25";
	default:
		return read_string(argument, text);
	}
}
