/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers with their units, in words. */
#include "postproc/tables/amount.h"
#include "base/quantity.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LARGE 999.5   /* from here on, three digits are too few */
#define NOTHING 1e-15 /* seconds; less is what is left of a rounded difference */

static void write_count(double value, char *buffer, size_t bytes)
{
	char number[CT_NUMBER_BYTES];

	if (value < LARGE)
		snprintf(buffer, bytes, "%.3g", value);
	else
		snprintf(buffer, bytes, "%s", ct_number((uint64_t)llround(value), number));
}

static void write_duration(double seconds, char *buffer, size_t bytes)
{
	static const char *const unit[] = {"ns", "\xc2\xb5s", "ms", "s"};
	char number[CT_AMOUNT_BYTES / 2];
	double value = seconds > NOTHING ? seconds * 1e9 : 0;
	size_t at = value > 0 ? 0 : 3;

	while (value >= LARGE && at < 3) {
		value /= 1000;
		at++;
	}
	write_count(value, number, sizeof(number));
	snprintf(buffer, bytes, "%s %s", number, unit[at]);
}

const char *ct_amount_number(const struct ct_amount *amount, char buffer[CT_AMOUNT_BYTES])
{
	const char *unit = amount->unit ? amount->unit : "";
	double value = fabs(amount->value);
	char number[CT_NUMBER_BYTES];
	size_t sign = amount->value < 0;

	if (!isfinite(value)) {
		snprintf(buffer, CT_AMOUNT_BYTES, "\xe2\x80\x93");
		return buffer;
	}
	buffer[0] = '-';
	if (!strcmp(unit, "B"))
		snprintf(buffer + sign, CT_AMOUNT_BYTES - sign, "%s",
			 ct_size((uint64_t)value, number));
	else if (!strcmp(unit, "s"))
		write_duration(value, buffer + sign, CT_AMOUNT_BYTES - sign);
	else if (!strcmp(unit, "%"))
		snprintf(buffer + sign, CT_AMOUNT_BYTES - sign, "%.1f %%", value);
	else
		write_count(value, buffer + sign, CT_AMOUNT_BYTES - sign);
	return buffer;
}

/* Units of a kind of their own are part of the number. */
static bool is_counted(const char *unit)
{
	return unit && strcmp(unit, "B") && strcmp(unit, "s") && strcmp(unit, "%");
}

const char *ct_amount_text(const struct ct_amount *amount, char buffer[CT_AMOUNT_BYTES])
{
	size_t used = strlen(ct_amount_number(amount, buffer));

	if (is_counted(amount->unit))
		snprintf(buffer + used, CT_AMOUNT_BYTES - used, " %s", amount->unit);
	return buffer;
}
