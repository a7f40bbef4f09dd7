/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that users write and read: nearest words, quantities, options, CSV, JSON. */
#include "base/csv.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/option.h"
#include "base/quantity.h"
#include "base/utf8.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *nearest_to(const char *typed)
{
	static const char *const words[] = {"info", "dump", "--ct-target", "--ct-values", "comm"};
	struct ct_nearest nearest;

	ct_nearest_begin(&nearest, typed, strcspn(typed, "="));
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		ct_nearest_consider(&nearest, words[i]);
	return nearest.best ? nearest.best : "";
}

Test(base_nearest, a_mistyped_word_finds_the_nearest_one_or_none)
{
	cr_expect_str_eq(nearest_to("ifno"), "info");
	cr_expect_str_eq(nearest_to("dmup"), "dump");
	cr_expect_str_eq(nearest_to("--ct-tarjet=x"), "--ct-target");
	cr_expect_str_eq(nearest_to("--ct-va"), "--ct-values");
	cr_expect_str_eq(nearest_to("comm"), "comm");
	cr_expect_str_eq(nearest_to("xyzzy"), "");
	cr_expect_str_eq(nearest_to("--ct-"), "");
	cr_expect_str_eq(nearest_to(""), "");
	cr_expect_str_eq(nearest_to("infoinfoinfoinfoinfoinfoinfoinfoinfoinfoinfoinfo"
				    "infoinfoinfoinfoinfoinfo"),
			 "");
}

Test(base_quantity, counts_and_ranges_are_digits_and_nothing_else)
{
	static const char *const wrong[] = {
	    "", "-1", "+1", " 1", "1 ", "1x", "18446744073709551616"};
	static const char *const wrong_ranges[] = {"",    "-",     "3-",    "-3",
						   "4-3", "1-2-3", "1 - 2", "x-y"};
	uint64_t first, last;

	cr_assert_eq(ct_parse_count("18446744073709551615", &first), 0);
	cr_assert_eq(first, UINT64_MAX);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		cr_expect_eq(ct_parse_count(wrong[i], &first), -EINVAL, "'%s'", wrong[i]);
	cr_assert_eq(ct_parse_range("7", &first, &last), 0);
	cr_assert(first == 7 && last == 7);
	cr_assert_eq(ct_parse_range("3-9", &first, &last), 0);
	cr_assert(first == 3 && last == 9);
	for (size_t i = 0; i < sizeof(wrong_ranges) / sizeof(*wrong_ranges); i++)
		cr_expect_eq(ct_parse_range(wrong_ranges[i], &first, &last), -EINVAL, "'%s'",
			     wrong_ranges[i]);
}

Test(base_quantity, addresses_are_hexadecimal_or_decimal)
{
	static const char *const wrong[] = {"0x10-0x0", "0x", "7f00", "0x10-", "0x0x10", "0x-1"};
	uint64_t first, last;

	cr_assert_eq(ct_parse_addresses("0x7f00-0x7f0f", &first, &last), 0);
	cr_assert(first == 0x7f00 && last == 0x7f0f);
	cr_assert_eq(ct_parse_addresses("256", &first, &last), 0);
	cr_assert(first == 256 && last == 256);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		cr_expect_eq(ct_parse_addresses(wrong[i], &first, &last), -EINVAL, "'%s'",
			     wrong[i]);
}

Test(base_quantity, sizes_are_in_powers_of_1024)
{
	static const char *const wrong[] = {"",   "G",    "2X",        "2GB",      "-1",
					    " 2", "1.5G", "99999999T", "16777216T"};
	uint64_t bytes;

	cr_assert_eq(ct_parse_size("4096", &bytes), 0);
	cr_assert_eq(bytes, 4096);
	cr_assert_eq(ct_parse_size("3k", &bytes), 0);
	cr_assert_eq(bytes, 3072);
	cr_assert_eq(ct_parse_size("512M", &bytes), 0);
	cr_assert_eq(bytes, UINT64_C(512) << 20);
	cr_assert_eq(ct_parse_size("2g", &bytes), 0);
	cr_assert_eq(bytes, UINT64_C(2) << 30);
	cr_assert_eq(ct_parse_size("1T", &bytes), 0);
	cr_assert_eq(bytes, UINT64_C(1) << 40);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		cr_expect_eq(ct_parse_size(wrong[i], &bytes), -EINVAL, "'%s'", wrong[i]);
}

Test(base_quantity, seconds_are_exact_to_the_nanosecond)
{
	static const char *const wrong[] = {"",           "1.",           ".5",  "-1",
					    "4294967296", "1.0000000001", "1.5s"};
	uint64_t ns;

	cr_assert_eq(ct_parse_seconds("2", &ns), 0);
	cr_assert_eq(ns, 2000000000);
	cr_assert_eq(ct_parse_seconds("0.25", &ns), 0);
	cr_assert_eq(ns, 250000000);
	cr_assert_eq(ct_parse_seconds("4294967295.999999999", &ns), 0);
	cr_assert_eq(ns, UINT64_C(4294967295999999999));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		cr_expect_eq(ct_parse_seconds(wrong[i], &ns), -EINVAL, "'%s'", wrong[i]);
}

Test(base_quantity, rates_and_times_have_units)
{
	double value;

	cr_assert_eq(ct_parse_rate("450G", &value), 0);
	cr_assert_float_eq(value, 450e9, 1);
	cr_assert_eq(ct_parse_rate("1.5GB", &value), 0);
	cr_assert_float_eq(value, 1.5e9, 1);
	cr_assert_eq(ct_parse_time("2us", &value), 0);
	cr_assert_float_eq(value, 2e-6, 1e-12);
	cr_assert_eq(ct_parse_time("0.5", &value), 0);
	cr_assert_float_eq(value, 0.5, 1e-12);
	cr_assert_eq(ct_parse_time("-1", &value), -EINVAL);
	cr_assert_eq(ct_parse_time("2 us", &value), -EINVAL);
	cr_assert_eq(ct_parse_rate("inf", &value), -EINVAL);
	cr_assert_eq(ct_parse_rate("-1G", &value), -EINVAL);
}

Test(base_quantity, numbers_and_sizes_are_printed_for_people)
{
	char text[CT_NUMBER_BYTES];

	cr_expect_str_eq(ct_number(0, text), "0");
	cr_expect_str_eq(ct_number(999, text), "999");
	cr_expect_str_eq(ct_number(1204331, text), "1 204 331");
	cr_expect_str_eq(ct_number(UINT64_MAX, text), "18 446 744 073 709 551 615");
	cr_expect_str_eq(ct_size(999, text), "999 B");
	cr_expect_str_eq(ct_size(1000, text), "1.0 kB");
	cr_expect_str_eq(ct_size(3141592, text), "3.1 MB");
	cr_expect_str_eq(ct_size(999960, text), "1.0 MB");
	cr_expect_str_eq(ct_size(UINT64_MAX, text), "18.4 EB");
}

static const char *expected(enum ct_option_type type, const char *argument, const char *text)
{
	uint64_t number;
	const char *why = ct_option_read(type, argument, text, &number);

	return why ? why : "";
}

Test(base_option, values_are_of_their_type_or_say_what_they_would_have_to_be)
{
	uint64_t number = 7;

	cr_assert_null(ct_option_read(CT_OPTION_SIZE, "BYTES", "2k", &number));
	cr_assert_eq(number, 2048);
	cr_assert_null(ct_option_read(CT_OPTION_SECONDS, "SECONDS", "0.5", &number));
	cr_assert_eq(number, 500000000);
	cr_assert_null(ct_option_read(CT_OPTION_SWITCH, "on|off", "on", &number));
	cr_assert_eq(number, 1);
	cr_assert_null(ct_option_read(CT_OPTION_STRING, "DIR", "on", &number));
	cr_assert_eq(number, 0);
	cr_expect_str_eq(expected(CT_OPTION_PERIOD, "P", "2147483647"), "");
	cr_expect_str_eq(expected(CT_OPTION_PERIOD, "P", "0"), "a number from 1 to 2147483647");
	cr_expect_str_eq(expected(CT_OPTION_COUNT, "N", "x"), "a number");
	cr_expect_str_eq(expected(CT_OPTION_SWITCH, "on|off", "ON"), "on or off");
	cr_expect_str_eq(expected(CT_OPTION_SIZE, "BYTES", "1X"), "a number of bytes, such as 64M");
	cr_expect_str_eq(expected(CT_OPTION_SECONDS, "SECONDS", "1."),
			 "seconds, such as 2 or 0.25");
	cr_expect_str_eq(expected(CT_OPTION_STRING, "a|bc|d", "bc"), "");
	cr_expect_str_eq(expected(CT_OPTION_STRING, "a|bc|d", "b"), "a|bc|d");
	cr_expect_str_eq(expected(CT_OPTION_STRING, "a|bc|d", "a|bc"), "a|bc|d");
	cr_expect_str_eq(expected(CT_OPTION_STRING, "REGEX", "a("),
			 "an extended regular expression");
	cr_expect_str_eq(expected(CT_OPTION_STRING, "REGEX", "a(b|c)"), "");
	cr_expect_str_eq(expected(CT_OPTION_STRING, "FIRST[-LAST]", "2-900"), "");
	cr_expect_str_eq(expected(CT_OPTION_STRING, "FIRST[-LAST]", ""), "");
	cr_expect_str_eq(expected(CT_OPTION_STRING, "FIRST[-LAST]", "0-3"),
			 "a number or FIRST-LAST, from 1");
}

/* Returns what write puts into a file; valid until the next call. */
static const char *written(void (*write)(FILE *out))
{
	static char *text;
	size_t bytes;
	FILE *out;

	free(text);
	out = open_memstream(&text, &bytes);
	write(out);
	cr_assert_eq(fclose(out), 0);
	return text;
}

static void csv_fields(FILE *out)
{
	ct_csv_text(out, "plain text");
	fputc(',', out);
	ct_csv_text(out, "a,b");
	fputc(',', out);
	ct_csv_text(out, "say \"no\"");
	fputc(',', out);
	ct_csv_text(out, "two\nlines");
	fputc(',', out);
	ct_csv_text(out, "return\r");
}

Test(base_csv, only_what_needs_quotes_has_them)
{
	cr_assert_str_eq(written(csv_fields),
			 "plain text,\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",\"return\r\"");
}

static void csv_formulas(FILE *out)
{
	static const char *const texts[] = {"=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "=a,b",
					    "-2.5", "+1e3", "-",    "a=b",      "",    "-inf"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		ct_csv_text(out, texts[i]);
		fputc(';', out);
	}
}

Test(base_csv, text_that_begins_as_a_formula_and_is_no_number_has_an_apostrophe)
{
	cr_assert_str_eq(written(csv_formulas), "'=1+1;'+cmd;'-2+3;'@SUM(A1);'\tx;\"'=a,b\";"
						"-2.5;+1e3;-;a=b;;-inf;");
}

static const char *plain(const char *text)
{
	static char copy[100];

	snprintf(copy, sizeof(copy), "%s", text);
	ct_text_make_plain(copy, strlen(copy));
	return copy;
}

Test(base_utf8, plain_text_has_no_control_characters_and_keeps_its_letters)
{
	cr_expect_str_eq(plain("gr\303\266\303\237e \360\237\230\200"),
			 "gr\303\266\303\237e \360\237\230\200");
	cr_expect_str_eq(plain("a\nb\tc\rd"), "a b c d");
	cr_expect_str_eq(plain("\033[2J\001\177"), "?[2J??");
	cr_expect_str_eq(plain("\302\233x\302\240"), "??x\302\240");
	cr_expect_str_eq(plain("\342\200\256x\342\201\246"), "???x???");
	cr_expect_str_eq(plain("\200\303"), "??");
	cr_expect_str_eq(plain("\355\240\200"), "???");
}

static void json_layouts(FILE *out)
{
	struct ct_json json;

	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_number(&json, "n", UINT64_MAX);
	ct_json_open_array(&json, "rows", CT_JSON_LINES);
	ct_json_open_object(&json, NULL, CT_JSON_INLINE);
	ct_json_put_signed(&json, "a", -3);
	ct_json_put_bool(&json, "b", true);
	ct_json_close(&json);
	ct_json_open_array(&json, NULL, CT_JSON_COMPACT);
	ct_json_put_null(&json, NULL);
	ct_json_open_object(&json, NULL, CT_JSON_COMPACT);
	ct_json_put_address(&json, "at", 0x7f00);
	ct_json_put_number(&json, "n", 1);
	ct_json_close(&json);
	ct_json_close(&json);
	ct_json_close(&json);
	ct_json_open_array(&json, "none", CT_JSON_LINES);
	ct_json_close(&json);
	ct_json_close(&json);
	cr_assert_eq(ct_json_error(&json), 0);
	ct_json_fail(&json, -ENOMEM);
	ct_json_fail(&json, -EIO);
	cr_assert_eq(ct_json_error(&json), -ENOMEM);
}

Test(base_json, levels_stand_as_asked)
{
	cr_assert_str_eq(
	    written(json_layouts),
	    "{\n  \"n\": 18446744073709551615,\n  \"rows\": [\n    {\"a\": -3, \"b\": true},\n"
	    "    [null,{\"at\":\"0x7f00\",\"n\":1}]\n  ],\n  \"none\": []\n}");
}

static void json_reals(FILE *out)
{
	struct ct_json json;

	ct_json_init(&json, out, 0, CT_JSON_UTF8);
	ct_json_open_array(&json, NULL, CT_JSON_COMPACT);
	ct_json_put_real(&json, NULL, 0.1, 17);
	ct_json_put_real(&json, NULL, 2.0 / 3, 6);
	ct_json_put_real(&json, NULL, 123456789, 6);
	ct_json_put_real(&json, NULL, 1e300, 6);
	ct_json_put_real(&json, NULL, NAN, 6);
	ct_json_put_real(&json, NULL, -INFINITY, 6);
	ct_json_close(&json);
}

Test(base_json, reals_have_the_digits_asked_for_and_whole_numbers_all)
{
	cr_assert_str_eq(written(json_reals),
			 "[0.10000000000000001,0.666667,123456789,1e+300,null,null]");
}

static const char *const awkward = "q\" b\\ n\n t\t \x01 < \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 "
				   "\xff \xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82";

static void json_utf8(FILE *out)
{
	struct ct_json json;

	ct_json_init(&json, out, 0, CT_JSON_UTF8);
	ct_json_put_text(&json, NULL, awkward);
}

static void json_ascii(FILE *out)
{
	struct ct_json json;

	ct_json_init(&json, out, 0, CT_JSON_ASCII);
	ct_json_put_text(&json, NULL, awkward);
}

Test(base_json, texts_are_valid_whatever_they_hold)
{
	cr_assert_str_eq(written(json_utf8),
			 "\"q\\\" b\\\\ n\\n t\\t \\u0001 < \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 "
			 "? ?? ??? ???? ??\"");
	cr_assert_str_eq(written(json_ascii),
			 "\"q\\\" b\\\\ n\\n t\\t \\u0001 \\u003c \\u00e9 \\u20ac \\ud83d\\ude00 "
			 "? ?? ??? ???? ??\"");
}
