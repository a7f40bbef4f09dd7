/* SPDX-License-Identifier: Apache-2.0 */
/* Text tables and numbers. */
#include "postproc/tables/layout.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(table, groups_digits_in_threes)
{
	char buffer[CT_NUMBER_BYTES];

	cr_assert_str_eq(ct_number(0, buffer), "0");
	cr_assert_str_eq(ct_number(999, buffer), "999");
	cr_assert_str_eq(ct_number(1000, buffer), "1 000");
	cr_assert_str_eq(ct_number(1204331, buffer), "1 204 331");
	cr_assert_str_eq(ct_number(UINT64_MAX, buffer), "18 446 744 073 709 551 615");
}

Test(table, writes_sizes_with_units)
{
	char buffer[CT_NUMBER_BYTES];

	cr_assert_str_eq(ct_size(0, buffer), "0 B");
	cr_assert_str_eq(ct_size(999, buffer), "999 B");
	cr_assert_str_eq(ct_size(1000, buffer), "1.0 kB");
	cr_assert_str_eq(ct_size(3100000, buffer), "3.1 MB");
	cr_assert_str_eq(ct_size(999999, buffer), "1.0 MB");
}

static const struct ct_column columns[] = {
    {"name", 0, 4, 0},
    {"n", 1, 0, 0},
    {"why", 0, 4, 1},
};

static void expect(unsigned width, const char *expected)
{
	struct ct_style style = {.width = width};
	struct ct_table *table;
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	cr_assert_eq(ct_table_open(&table, columns, 3), 0);
	ct_table_text(table, "n\xc3\xa4mespace::kernel");
	ct_table_number(table, 1234);
	ct_table_text(table, "because of it");
	ct_table_text(table, "k");
	ct_table_number(table, 5);
	ct_table_text(table, NULL);
	cr_assert_eq(ct_table_write(table, out, &style), 0);
	ct_table_close(table);
	fclose(out);
	cr_assert_str_eq(text, expected);
	free(text);
}

Test(table, aligns_columns_by_characters)
{
	expect(0, "name                   n  why\n"
		  "n\xc3\xa4mespace::kernel  1 234  because of it\n"
		  "k                      5\n");
}

Test(table, cuts_what_may_be_cut_to_the_width)
{
	expect(32, "name            n  why\n"
		   "\xe2\x80\xa6"
		   "e::kernel  1 234  because of it\n"
		   "k               5\n");
	expect(20, "name      n  why\n"
		   "\xe2\x80\xa6nel  1 234  becaus\xe2\x80\xa6\n"
		   "k         5\n");
}

/* Details go, the last first, before what is left would be wider than it may be. */
Test(table, leaves_details_out_where_they_do_not_fit)
{
	static const struct ct_column detailed[] = {
	    {.title = "name", .least = 4},
	    {.title = "first", .right = 1},
	    {.title = "n", .right = 1},
	    {.title = "second", .right = 1},
	};
	static const char *const expected[] = {
	    "name    first  n  second\nkernel     12  3       4\n",
	    "name  first  n  second\n\xe2\x80\xa6nel     12  3       4\n",
	    "name    first  n\nkernel     12  3\n",
	    "name    n\nkernel  3\n",
	    "name  n\n\xe2\x80\xa6nel  3\n",
	};
	static const unsigned width[] = {0, 22, 21, 9, 2};
	static const int left_out[] = {0, 0, 1, 2, 2};

	for (size_t i = 0; i < sizeof(width) / sizeof(*width); i++) {
		const struct ct_style style = {.width = width[i]};
		struct ct_table *table;
		size_t bytes;
		char *text;
		FILE *out = open_memstream(&text, &bytes);

		cr_assert_eq(ct_table_open(&table, detailed, 4), 0);
		ct_table_detail(table, 1);
		ct_table_detail(table, 3);
		ct_table_text(table, "kernel");
		ct_table_number(table, 12);
		ct_table_number(table, 3);
		ct_table_number(table, 4);
		cr_expect_eq(ct_table_write(table, out, &style), left_out[i]);
		ct_table_close(table);
		fclose(out);
		cr_expect_str_eq(text, expected[i]);
		free(text);
	}
}
