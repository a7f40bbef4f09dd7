/* SPDX-License-Identifier: Apache-2.0 */
/* Text tables: aligned columns, numbers in groups of three, fitted to a width. */
#include "postproc/tables/layout.h"
#include "postproc/base/ranks.h"
#include "postproc/facts/folded_name.h"
#include "postproc/tables/wrap.h"
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMN_GAP 2
#define LEFT_OUT UINT_MAX /* for a width */

struct ct_table {
	const struct ct_column *columns;
	size_t column_count;
	uint64_t details; /* columns, by bit */
	char **cells;
	size_t cell_count;
	int failed;
};

struct ct_style ct_style_of_stdout(void)
{
	struct ct_style style = {.width = 0, .colour = 0};
	const char *columns = getenv("COLUMNS"), *no_colour = getenv("NO_COLOR");
	struct winsize window;

	if (columns)
		style.width = (unsigned)strtoul(columns, NULL, 10);
	/* mpirun passes a terminal on as one to each rank. */
	if (!isatty(STDOUT_FILENO) || ct_ranks_launched() > 1)
		return style;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col)
		style.width = window.ws_col;
	style.colour = !(no_colour && *no_colour);
	return style;
}

void ct_emphasise(FILE *out, const struct ct_style *style, enum ct_emphasis emphasis,
		  const char *text)
{
	static const char *const code[] = {"0", "1", "2", "32", "31"};

	if (style->colour && emphasis != CT_PLAIN)
		fprintf(out, "\033[%sm%s\033[0m", code[emphasis], text);
	else
		fputs(text, out);
}

int ct_table_open(struct ct_table **out, const struct ct_column *columns, size_t count)
{
	struct ct_table *table = calloc(1, sizeof(*table));

	*out = table;
	if (!table)
		return -ENOMEM;
	table->columns = columns;
	table->column_count = count;
	return 0;
}

void ct_table_close(struct ct_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cells[i]);
	free(table->cells);
	free(table);
}

void ct_table_detail(struct ct_table *table, size_t column)
{
	table->details |= UINT64_C(1) << column;
}

void ct_table_text(struct ct_table *table, const char *text)
{
	if (table->failed)
		return;
	if (!(table->cell_count & (table->cell_count - 1))) {
		size_t capacity = table->cell_count ? 2 * table->cell_count : 1;
		char **bigger = realloc(table->cells, capacity * sizeof(*bigger));

		if (!bigger) {
			table->failed = 1;
			return;
		}
		table->cells = bigger;
	}
	table->cells[table->cell_count] = strdup(text ? text : "");
	if (table->cells[table->cell_count])
		table->cell_count++;
	else
		table->failed = 1;
}

void ct_table_number(struct ct_table *table, uint64_t number)
{
	char buffer[CT_NUMBER_BYTES];

	ct_table_text(table, ct_number(number, buffer));
}

void ct_table_name(struct ct_table *table, const char *name)
{
	char buffer[CT_BRIEF_NAME_BYTES];

	ct_table_text(table, ct_shown_name(name, buffer));
}

static unsigned display_width(const char *text)
{
	return ct_display_width(text, strlen(text));
}

/* Returns the least width of a column that needs `width` to be whole. */
static unsigned narrowest(const struct ct_column *column, unsigned width)
{
	return column->least && column->least < width ? column->least : width;
}

/* Leaves out details until the others fit, cut as far as they may be. Returns how many. */
static int leave_out(const struct ct_table *table, unsigned limit, unsigned *widths)
{
	unsigned total = 0;
	int count = 0;

	for (size_t c = 0; c < table->column_count; c++)
		total += narrowest(&table->columns[c], widths[c]) + (c ? COLUMN_GAP : 0);
	for (size_t c = table->column_count; c-- > 0 && total > limit;) {
		if (c >= 64 || !(table->details >> c & 1))
			continue;
		total -= narrowest(&table->columns[c], widths[c]) + COLUMN_GAP;
		widths[c] = LEFT_OUT;
		count++;
	}
	return count;
}

static void cut_to(const struct ct_table *table, unsigned limit, unsigned *widths)
{
	unsigned total = 0, shown = 0;

	for (size_t c = 0; c < table->column_count; c++)
		if (widths[c] != LEFT_OUT)
			total += widths[c] + (shown++ ? COLUMN_GAP : 0);
	for (size_t c = 0; c < table->column_count && total > limit; c++) {
		unsigned least = narrowest(&table->columns[c], widths[c]), excess = total - limit;

		if (widths[c] == LEFT_OUT)
			continue;
		if (excess > widths[c] - least)
			excess = widths[c] - least;
		widths[c] -= excess;
		total -= excess;
	}
}

/* Returns how many columns are left out. */
static int measure(const struct ct_table *table, const struct ct_style *style, unsigned *widths)
{
	int count;

	for (size_t c = 0; c < table->column_count; c++)
		widths[c] = display_width(table->columns[c].title);
	for (size_t i = 0; i < table->cell_count; i++) {
		unsigned width = display_width(table->cells[i]);

		if (width > widths[i % table->column_count])
			widths[i % table->column_count] = width;
	}
	if (!style->width)
		return 0;
	count = leave_out(table, style->width, widths);
	cut_to(table, style->width, widths);
	return count;
}

/* Cut text keeps its end unless set otherwise: of a path or a qualified name
 * that says most. */
static void write_cut(FILE *out, const char *text, unsigned width, int keep_start)
{
	unsigned drop = display_width(text) - width + 1;
	const char *at = text;

	for (unsigned skip = keep_start ? width - 1 : drop; skip; skip--) {
		at++;
		while ((*at & 0xc0) == 0x80)
			at++;
	}
	if (keep_start)
		fprintf(out, "%.*s\xe2\x80\xa6", (int)(at - text), text);
	else
		fprintf(out, "\xe2\x80\xa6%s", at);
}

static void write_cell(FILE *out, const char *text, unsigned width, const struct ct_column *column,
		       int last)
{
	unsigned have = display_width(text);

	if (have > width)
		write_cut(out, text, width, column->keep_start);
	else if (column->right)
		fprintf(out, "%*s%s", (int)(width - have), "", text);
	else
		fprintf(out, "%s%*s", text, last ? 0 : (int)(width - have), "");
}

/* Returns the text of a row, or of the titles: cells NULL */
static const char *text_of(const struct ct_table *table, char *const *cells, size_t column)
{
	return cells ? cells[column] : table->columns[column].title;
}

/* No blanks stand at the end of a line. */
static void write_row(const struct ct_table *table, FILE *out, char *const *cells,
		      const unsigned *widths)
{
	size_t count = table->column_count;
	bool is_begun = false;

	while (count && (widths[count - 1] == LEFT_OUT || !*text_of(table, cells, count - 1)))
		count--;
	for (size_t c = 0; c < count; c++) {
		if (widths[c] == LEFT_OUT)
			continue;
		if (is_begun)
			fprintf(out, "%*s", COLUMN_GAP, "");
		is_begun = true;
		write_cell(out, text_of(table, cells, c), widths[c], &table->columns[c],
			   c + 1 == count);
	}
	fputc('\n', out);
}

int ct_table_write(const struct ct_table *table, FILE *out, const struct ct_style *style)
{
	unsigned *widths = calloc(table->column_count, sizeof(*widths));
	int left_out;

	if (!widths || table->failed) {
		free(widths);
		return -ENOMEM;
	}
	left_out = measure(table, style, widths);
	if (style->colour)
		fputs("\033[1m", out);
	write_row(table, out, NULL, widths);
	if (style->colour)
		fputs("\033[0m", out);
	for (size_t i = 0; i + table->column_count <= table->cell_count; i += table->column_count)
		write_row(table, out, table->cells + i, widths);
	free(widths);
	return left_out;
}
