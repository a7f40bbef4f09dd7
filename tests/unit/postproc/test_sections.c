/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of analyses: a made-up one, in text and as JSON. */
#include "postproc/render/base/amount.h"
#include "postproc/render/findings/findings.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char strings[] = "\0src/a<b>.cu";
static struct ct_unit_header header = {
    .unit_id = 0xabc, .string_bytes = sizeof(strings), .site_count = 1};
static struct ct_unit_site site[] = {
    {.file = 1, .line = 12, .column = 3, .kernel = CT_NONE, .inlined_at = CT_NONE}};
static const struct ct_unit unit = {.header = &header, .sites = site, .strings = strings};

static const struct ct_section_column columns[] = {
    {"where", "where", NULL, CT_SECTION_LINE, NULL, false},
    {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    {"why", "why", NULL, CT_SECTION_TEXT, NULL, false},
    {"count", "count", "So many.", CT_SECTION_NUMBER, "things", false},
    {"size", "size", NULL, CT_SECTION_NUMBER, "B", true},
    {"part", "part", NULL, CT_SECTION_NUMBER, "%", false},
    {"took", "took", NULL, CT_SECTION_NUMBER, "s", true},
};

static const struct ct_section like = {
    .analysis = "made",
    .name = "made-up",
    .title = "Made up",
    .about = "Rows that nobody has counted.",
    .column = columns,
    .columns = sizeof(columns) / sizeof(*columns),
    .order = 3,
};

static struct ct_sections sections;

static void add_row(uint32_t at, const char *kernel, const char *why, double count, double took)
{
	ct_sections_line(&sections, &unit, at);
	ct_sections_name(&sections, kernel);
	ct_sections_text(&sections, why);
	ct_sections_number(&sections, count);
	ct_sections_number(&sections, 1000 * count);
	ct_sections_number(&sections, count / 16);
	ct_sections_number(&sections, took);
}

/* The first has rows, the second none. */
static void make(void)
{
	struct ct_section empty = like;

	empty.name = "empty";
	ct_sections_add(&sections, &like);
	add_row(0, "f<(lambda at /home/me/a.cu:1:2)>", "it is", 1234, 0.25);
	add_row(0, "g", NULL, 1, 2);
	add_row(1, NULL, "no site", 0.5, NAN);
	ct_sections_add(&sections, &empty);
	cr_assert_eq(sections.err, 0);
}

static void clean(void)
{
	ct_sections_fini(&sections);
}

TestSuite(sections, .init = make, .fini = clean);

static void expect(size_t rows, unsigned width, const char *expected)
{
	const struct ct_style style = {.width = width};
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);

	cr_assert_eq(ct_sections_write(out, &sections, rows, &style), 0);
	fclose(out);
	cr_assert_str_eq(text, expected);
	free(text);
}

Test(sections, show_cells_by_their_kind)
{
	expect(
	    3, 0,
	    "\nMade up\nRows that nobody has counted.\n"
	    "where             kernel                   why      count    size    part    took\n"
	    "src/a<b>.cu:12:3  f<(lambda at a.cu:1:2)>  it is    1 234  1.2 MB  77.1 %  250 ms\n"
	    "src/a<b>.cu:12:3  g                        –            1  1.0 kB   0.1 %     2 s\n"
	    "–                 –                        no site    0.5   500 B   0.0 %       –\n");
}

Test(sections, say_which_rows_and_columns_are_left_out)
{
	expect(0, 0, "");
	expect(2, 57,
	       "\nMade up\nRows that nobody has counted.\n"
	       "where             kernel             why    count    part\n"
	       "src/a<b>.cu:12:3  …da at a.cu:1:2)>  it is  1 234  77.1 %\n"
	       "src/a<b>.cu:12:3  g                  –          1   0.1 %\n"
	       "… and 1 more row: --rows=all\n"
	       "… and 2 more columns in a wider terminal\n");
	expect(2, 65,
	       "\nMade up\nRows that nobody has counted.\n"
	       "where             kernel             why    count    size    part\n"
	       "src/a<b>.cu:12:3  …da at a.cu:1:2)>  it is  1 234  1.2 MB  77.1 %\n"
	       "src/a<b>.cu:12:3  g                  –          1  1.0 kB   0.1 %\n"
	       "… and 1 more row: --rows=all\n"
	       "… and 1 more column in a wider terminal\n");
}

Test(sections, in_json_have_all_rows)
{
	static const char *const expected =
	    "[{\"analysis\":\"made\",\"section\":\"made-up\",\"title\":\"Made up\","
	    "\"about\":\"Rows that nobody has counted.\",\"columns\":["
	    "{\"key\":\"where\",\"title\":\"where\",\"unit\":null,\"help\":null},"
	    "{\"key\":\"kernel\",\"title\":\"kernel\",\"unit\":null,\"help\":null},"
	    "{\"key\":\"why\",\"title\":\"why\",\"unit\":null,\"help\":null},"
	    "{\"key\":\"count\",\"title\":\"count\",\"unit\":\"things\",\"help\":\"So many.\"},"
	    "{\"key\":\"size\",\"title\":\"size\",\"unit\":\"B\",\"help\":null},"
	    "{\"key\":\"part\",\"title\":\"part\",\"unit\":\"%\",\"help\":null},"
	    "{\"key\":\"took\",\"title\":\"took\",\"unit\":\"s\",\"help\":null}],\"rows\":["
	    "{\"where\":{\"file\":\"src/a<b>.cu\",\"line\":12,\"column\":3,"
	    "\"unit\":\"0000000000000abc\",\"site\":0},"
	    "\"kernel\":\"f<(lambda at /home/me/a.cu:1:2)>\",\"why\":\"it is\",\"count\":1234,"
	    "\"size\":1234000,\"part\":77.125,\"took\":0.25},"
	    "{\"where\":{\"file\":\"src/a<b>.cu\",\"line\":12,\"column\":3,"
	    "\"unit\":\"0000000000000abc\",\"site\":0},\"kernel\":\"g\",\"why\":null,\"count\":1,"
	    "\"size\":1000,\"part\":0.0625,\"took\":2},"
	    "{\"where\":null,\"kernel\":null,\"why\":\"no site\",\"count\":0.5,\"size\":500,"
	    "\"part\":0.03125,\"took\":null}]}]";
	json_t *array = ct_sections_json(&sections);
	char *text = json_dumps(array, JSON_COMPACT);

	cr_assert_str_eq(text, expected);
	free(text);
	json_decref(array);
}

Test(amount, is_a_number_and_its_unit)
{
	static const struct {
		struct ct_amount amount;
		const char *number, *text;
	} known[] = {
	    {{0, "things"}, "0", "0 things"},
	    {{999.6, "things"}, "1 000", "1 000 things"},
	    {{-3.14159, "things"}, "-3.14", "-3.14 things"},
	    {{7, NULL}, "7", "7"},
	    {{100, "%"}, "100.0 %", "100.0 %"},
	    {{0, "s"}, "0 s", "0 s"},
	    {{6.8e-18, "s"}, "0 s", "0 s"},
	    {{2e-9, "s"}, "2 ns", "2 ns"},
	    {{1.5e-5, "s"}, "15 \xc2\xb5s", "15 \xc2\xb5s"},
	    {{0.9996, "s"}, "1 s", "1 s"},
	    {{86400, "s"}, "86 400 s", "86 400 s"},
	    {{12.3e6, "B"}, "12.3 MB", "12.3 MB"},
	};
	char buffer[CT_AMOUNT_BYTES];

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		cr_expect_str_eq(ct_amount_number(&known[i].amount, buffer), known[i].number);
		cr_expect_str_eq(ct_amount_text(&known[i].amount, buffer), known[i].text);
	}
}
