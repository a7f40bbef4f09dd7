/* SPDX-License-Identifier: Apache-2.0 */
/* Tables: a made-up one for people, and what programs are given. */
#include "postproc/tables/amount.h"
#include "postproc/tables/layout.h"
#include "postproc/tables/sections.h"
#include "postproc/tables/sink.h"
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

static const struct ct_column_def columns[] = {
    {"number", CT_COLUMN_UINT, CT_COLUMN_KEY, NULL, "", "for programs alone"},
    {"line", CT_COLUMN_LINE, CT_COLUMN_OPTIONAL, "where", "", ""},
    {"kernel", CT_COLUMN_NAME, CT_COLUMN_OPTIONAL, "kernel", "", ""},
    {"why", CT_COLUMN_TEXT, CT_COLUMN_OPTIONAL, "why", "", ""},
    {"count", CT_COLUMN_REAL, CT_COLUMN_ALWAYS, "count", "things", "So many."},
    {"size", CT_COLUMN_UINT, CT_COLUMN_DETAIL, "size", "bytes", ""},
    {"part", CT_COLUMN_REAL, CT_COLUMN_ALWAYS, "part", "share", ""},
    {"took", CT_COLUMN_REAL, CT_COLUMN_OPTIONAL_DETAIL, "took", "seconds", ""},
    {"never", CT_COLUMN_UINT, CT_COLUMN_OPTIONAL, "never", "", "no row has it"},
};

static const struct ct_column_def part_columns[] = {
    {"position", CT_COLUMN_UINT, CT_COLUMN_KEY, NULL, "", ""},
    {"name", CT_COLUMN_TEXT, CT_COLUMN_ALWAYS, NULL, "", ""},
};

static void fill_part(const void *row, union ct_cell *cell)
{
	cell[0].number = *(const uint32_t *)row;
	cell[1].text = *(const uint32_t *)row ? "later" : "first";
}

struct row {
	uint32_t at;
	const char *kernel, *why;
	double count, took;
	uint32_t parts;
};

static const struct row rows[] = {{0, "f<(lambda at /home/me/a.cu:1:2)>", "it is", 1234, 0.25, 2},
				  {0, "g", NULL, 1, 2, 0},
				  {1, NULL, "no site", 0.5, NAN, 1}};

static void fill(const void *from, union ct_cell *cell)
{
	const struct row *row = from;

	*cell++ = (union ct_cell){.number = (uint64_t)(row - rows)};
	*cell++ = (union ct_cell){.line = {&unit, row->at}};
	*cell++ = (union ct_cell){.text = row->kernel};
	*cell++ = (union ct_cell){.text = row->why};
	*cell++ = (union ct_cell){.real = row->count};
	*cell++ = (union ct_cell){.number = (uint64_t)(1000 * row->count)};
	*cell++ = (union ct_cell){.real = row->count / 1600};
	*cell++ = (union ct_cell){.real = row->took};
	*cell++ = (union ct_cell){.number = CT_MISSING};
}

/* from: how many */
static int put_rows(const void *from, struct ct_table_sink *sink)
{
	int err = 0;

	for (size_t i = 0; i < *(const size_t *)from && err == 0; i++) {
		err = ct_table_put_row(sink, &rows[i]);
		for (uint32_t p = 0; p < rows[i].parts && err == 0; p++)
			err = ct_table_put_child(sink, 1, &p);
	}
	return err;
}

static const struct ct_table_def parts = {
    .name = "made_parts", .column = part_columns, .columns = 2, .fill = fill_part};
static const struct ct_table_child children[] = {{"none", &parts}, {"parts", &parts}, {NULL, NULL}};

static const struct ct_table_def made = {
    .name = "made_up",
    .title = "Made up",
    .help = "Rows that were not counted.",
    .order = "count",
    .column = columns,
    .columns = sizeof(columns) / sizeof(*columns),
    .child = children,
    .rows = put_rows,
    .fill = fill,
};

static struct ct_sections sections;

/* The first has rows, the second none. */
static void make(void)
{
	static const size_t all = 3, none = 0;

	ct_sections_add(&sections, "made", &made, &all);
	ct_sections_add(&sections, "made", &made, &none);
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
	    "\nMade up\nRows that were not counted.\n"
	    "where             kernel                   why      count    size    part    took\n"
	    "src/a<b>.cu:12:3  f<(lambda at a.cu:1:2)>  it is    1 234  1.2 MB  77.1 %  250 ms\n"
	    "src/a<b>.cu:12:3  g                        –            1  1.0 kB   0.1 %     2 s\n"
	    "–                 –                        no site    0.5   500 B   0.0 %       –\n");
}

Test(sections, say_which_rows_and_columns_are_left_out)
{
	expect(0, 0, "");
	expect(2, 57,
	       "\nMade up\nRows that were not counted.\n"
	       "where             kernel             why    count    part\n"
	       "src/a<b>.cu:12:3  …da at a.cu:1:2)>  it is  1 234  77.1 %\n"
	       "src/a<b>.cu:12:3  g                  –          1   0.1 %\n"
	       "… and 1 more row: --rows=all\n"
	       "… and 2 more columns in a wider terminal\n");
	expect(2, 65,
	       "\nMade up\nRows that were not counted.\n"
	       "where             kernel             why    count    size    part\n"
	       "src/a<b>.cu:12:3  …da at a.cu:1:2)>  it is  1 234  1.2 MB  77.1 %\n"
	       "src/a<b>.cu:12:3  g                  –          1  1.0 kB   0.1 %\n"
	       "… and 1 more row: --rows=all\n"
	       "… and 1 more column in a wider terminal\n");
}

static void expect_json(const struct ct_table_def *table, const void *from, const char *expected)
{
	static const char *const head[] = {"schema", "made-2", NULL};
	size_t bytes;
	char *text;
	struct ct_table_sink sink = {.format = &ct_format_json,
				     .head = head,
				     .unit = &unit,
				     .out = open_memstream(&text, &bytes)};
	int err = ct_table_sink_begin(&sink);

	if (err == 0)
		err = ct_table_write_rows(&sink, table, from);
	if (err == 0)
		err = ct_table_sink_end(&sink);
	cr_assert_eq(ct_table_sink_close(&sink, err), 0);
	fclose(sink.out);
	cr_assert_str_eq(text, expected);
	free(text);
}

#define FIRST                                                                                      \
	"{\n\"schema\": \"made-2\",\n\"made_up\": [\n"                                             \
	"{\"number\": 0, \"file\": \"src/a<b>.cu\", \"line\": 12, \"column\": 3, \"unit\": 0, "    \
	"\"site\": 0, \"kernel\": \"f<(lambda at /home/me/a.cu:1:2)>\", \"why\": \"it is\", "      \
	"\"count\": 1234, \"size\": 1234000, \"part\": 0.77124999999999999, \"took\": 0.25, "      \
	"\"never\": null"
#define SECOND                                                                                     \
	"{\"number\": 1, \"file\": \"src/a<b>.cu\", \"line\": 12, \"column\": 3, \"unit\": 0, "    \
	"\"site\": 0, \"kernel\": \"g\", \"why\": null, \"count\": 1, \"size\": 1000, "            \
	"\"part\": 0.00062500000000000001, \"took\": 2, \"never\": null"
#define THIRD                                                                                      \
	"{\"number\": 2, \"file\": null, \"line\": null, \"column\": null, \"unit\": null, "       \
	"\"site\": null, \"kernel\": null, \"why\": \"no site\", \"count\": 0.5, \"size\": 500, "  \
	"\"part\": 0.00031250000000000001, \"took\": null, \"never\": null"

Test(sections, in_json_have_what_programs_are_given)
{
	const struct ct_section *section = ct_sections_next(&sections, NULL);

	cr_assert_null(ct_sections_next(&sections, section));
	expect_json(&section->kept, section, FIRST "},\n" SECOND "},\n" THIRD "}\n]\n}\n");
}

Test(sections, rows_that_belong_to_others_are_within_them_in_json)
{
	static const size_t all = 3;

	expect_json(&made, &all,
		    FIRST ", \"none\": [], \"parts\": [{\"position\": 0, \"name\": \"first\"}, "
			  "{\"position\": 1, \"name\": \"later\"}]},\n" SECOND
			  ", \"none\": [], \"parts\": []},\n" THIRD
			  ", \"none\": [], \"parts\": [{\"position\": 0, \"name\": "
			  "\"first\"}]}\n]\n}\n");
}

/* A format that says what it is given. */
static int say_table(struct ct_table_sink *sink)
{
	fprintf(sink->out, "%s(", sink->table->name);
	for (size_t c = 0; c < sink->table->columns; c++)
		fprintf(sink->out, "%s ", sink->table->column[c].name);
	return 0;
}

static int say_row(struct ct_table_sink *sink, const union ct_cell *cell)
{
	fprintf(sink->out, " %llu", (unsigned long long)cell[0].number);
	return 0;
}

static int end_table(struct ct_table_sink *sink)
{
	fprintf(sink->out, ": %llu)", (unsigned long long)sink->rows);
	return 0;
}

Test(sections, rows_that_belong_to_others_are_tables_with_their_key_elsewhere)
{
	static const size_t all = 3;
	const struct ct_table_format format = {
	    .begin_table = say_table, .row = say_row, .end_table = end_table};
	size_t bytes;
	char *text;
	struct ct_table_sink sink = {.format = &format, .out = open_memstream(&text, &bytes)};

	cr_assert_eq(ct_table_write_rows(&sink, &made, &all), 0);
	fclose(sink.out);
	cr_assert_str_eq(text, "made_up(number file line column unit site kernel why count size "
			       "part took never  0 1 2: 3)made_parts(number position name : "
			       "0)made_parts(number position name  0 0 2: 3)");
	free(text);
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
