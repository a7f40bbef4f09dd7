/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, sizes, times and ranges as users write and read them. */
#include "base/quantity.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number at the beginning of text, which must begin with a digit; *end is what follows it. */
static int parse_decimal(const char *text, const char **end, uint64_t *out)
{
	char *stop;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	*out = strtoull(text, &stop, 10);
	*end = stop;
	return errno ? -EINVAL : 0;
}

static int parse_address(const char *text, const char **end, uint64_t *out)
{
	char *stop;

	if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
		return parse_decimal(text, end, out);
	if (!isxdigit((unsigned char)text[2]))
		return -EINVAL;
	errno = 0;
	*out = strtoull(text, &stop, 16);
	*end = stop;
	return errno ? -EINVAL : 0;
}

int ct_parse_count(const char *text, uint64_t *count)
{
	const char *end;

	return parse_decimal(text, &end, count) < 0 || *end ? -EINVAL : 0;
}

static int parse_pair(const char *text, int (*parse)(const char *, const char **, uint64_t *),
		      uint64_t *first, uint64_t *last)
{
	const char *end;

	if (parse(text, &end, first) < 0)
		return -EINVAL;
	*last = *first;
	if (*end == '-' && parse(end + 1, &end, last) < 0)
		return -EINVAL;
	return !*end && *first <= *last ? 0 : -EINVAL;
}

int ct_parse_range(const char *text, uint64_t *first, uint64_t *last)
{
	return parse_pair(text, parse_decimal, first, last);
}

int ct_parse_addresses(const char *text, uint64_t *first, uint64_t *last)
{
	return parse_pair(text, parse_address, first, last);
}

int ct_parse_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMGT";
	const char *end, *unit;
	unsigned shift;

	if (parse_decimal(text, &end, bytes) < 0)
		return -EINVAL;
	if (!*end)
		return 0;
	unit = strchr(units, toupper((unsigned char)*end));
	if (!unit || end[1])
		return -EINVAL;
	shift = 10 * (unsigned)(unit - units + 1);
	if (*bytes > UINT64_MAX >> shift)
		return -EINVAL;
	*bytes <<= shift;
	return 0;
}

int ct_parse_share(const char *text, uint64_t *bytes, unsigned *percent)
{
	const char *end;

	*percent = 0;
	if (ct_parse_size(text, bytes) == 0)
		return 0;
	if (parse_decimal(text, &end, bytes) < 0 || strcmp(end, "%") != 0 || *bytes > 100)
		return -EINVAL;
	*percent = (unsigned)*bytes;
	*bytes = 0;
	return 0;
}

int ct_parse_seconds(const char *text, uint64_t *ns)
{
	uint64_t unit = 1000000000;
	const char *end;

	if (parse_decimal(text, &end, ns) < 0 || *ns > UINT32_MAX)
		return -EINVAL;
	*ns *= unit;
	if (!*end)
		return 0;
	if (*end != '.' || !end[1])
		return -EINVAL;
	for (end++; isdigit((unsigned char)*end) && unit > 1; end++) {
		unit /= 10;
		*ns += (uint64_t)(*end - '0') * unit;
	}
	return *end ? -EINVAL : 0;
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
		return -EINVAL;
	*out = strtod(text, &end);
	if (!(*out >= 0 && *out < 1e18))
		return -EINVAL;
	if (!*end)
		end = (char *)unit->name;
	for (; unit->name; unit++)
		if (!strcmp(unit->name, end)) {
			*out *= unit->factor;
			return 0;
		}
	return -EINVAL;
}

int ct_parse_rate(const char *text, double *per_second)
{
	static const struct unit units[] = {{"B", 1},     {"k", 1e3},  {"M", 1e6},  {"G", 1e9},
					    {"T", 1e12},  {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9},
					    {"TB", 1e12}, {NULL, 0}};

	return parse_quantity(text, units, per_second);
}

int ct_parse_time(const char *text, double *seconds)
{
	static const struct unit units[] = {
	    {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {NULL, 0}};

	return parse_quantity(text, units, seconds);
}

bool ct_is_choice(const char *choices, const char *text)
{
	size_t bytes = strlen(text), word;

	for (;; choices += word + 1) {
		word = strcspn(choices, "|");
		if (word == bytes && memcmp(choices, text, bytes) == 0)
			return true;
		if (!choices[word])
			return false;
	}
}

const char *ct_number(uint64_t number, char buffer[CT_NUMBER_BYTES])
{
	char *at = buffer + CT_NUMBER_BYTES - 1;
	int digits = 0;

	*at = '\0';
	do {
		if (digits && digits % 3 == 0)
			*--at = ' ';
		*--at = (char)('0' + number % 10);
		number /= 10;
		digits++;
	} while (number);
	return at;
}

const char *ct_size(uint64_t bytes, char buffer[CT_NUMBER_BYTES])
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	double value = (double)bytes;
	int unit = 0;

	while (value >= 999.95 && unit < 6) { /* what would be printed as 1000.0 */
		value /= 1000;
		unit++;
	}
	snprintf(buffer, CT_NUMBER_BYTES, "%.*f %s", unit ? 1 : 0, value, units[unit]);
	return buffer;
}
