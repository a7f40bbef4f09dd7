/* SPDX-License-Identifier: Apache-2.0 */
/* Rows by kernel, line of the source and operation. */
#include "postproc/analysis/values/findings/lines.h"
#include "postproc/analysis/values/findings/findings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t ct_values_line_redundant(const struct ct_values_line *line)
{
	return ct_values_redundant(&line->counts, line->class);
}

uint64_t ct_values_line_redundant_bytes(const struct ct_values_line *line)
{
	const struct ct_values_counts *c = &line->counts;

	return c->elements ? (uint64_t)((double)c->bytes * (double)ct_values_line_redundant(line) /
					(double)c->elements)
			   : 0;
}

const char *ct_values_line_text(const struct ct_values_figures *figures,
				const struct ct_values_line *line, char text[CT_VALUES_LINE_BYTES])
{
	static const char *const space[] = {
	    [CT_SPACE_SHARED] = "shared memory",
	    [CT_SPACE_LOCAL] = "local memory",
	    [CT_SPACE_CONSTANT] = "constant memory",
	};
	const uint8_t site_space = line->unit->sites[line->site].space;
	const char *name = ct_values_group_text(figures, line->group);

	if (!figures->object[line->group] && site_space < sizeof(space) / sizeof(*space) &&
	    space[site_space])
		name = space[site_space];
	snprintf(text, CT_VALUES_LINE_BYTES, "%s%s", name, line->has_several ? " and others" : "");
	return text;
}

/* A line without a place is a copy of none. */
static int compare_line(const void *a, const void *b)
{
	const struct ct_values_line *x = a, *y = b;
	int by_file;

	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	by_file = strcmp(x->place.file, y->place.file);
	if (by_file)
		return by_file;
	if (x->place.line != y->place.line)
		return x->place.line < y->place.line ? -1 : 1;
	if (x->operation != y->operation)
		return x->operation < y->operation ? -1 : 1;
	if (x->has_object != y->has_object)
		return x->has_object ? -1 : 1;
	if (x->place.line)
		return 0;
	return x->site < y->site ? -1 : x->site > y->site;
}

static int compare_worth(const void *a, const void *b)
{
	uint64_t x = ct_values_line_redundant(a), y = ct_values_line_redundant(b);

	return x > y ? -1 : x < y ? 1 : compare_line(a, b);
}

static void merge(struct ct_values_line *to, const struct ct_values_line *from)
{
	ct_values_counts_add(&to->counts, &from->counts);
	to->has_several |= from->has_several || from->group != to->group;
	if (from->most <= to->most)
		return;
	to->most = from->most;
	to->unit = from->unit;
	to->site = from->site;
	to->group = from->group;
	to->place = from->place;
}

int ct_values_lines_init(struct ct_values_lines *lines, const struct ct_values_figures *figures)
{
	size_t count = 0;

	*lines =
	    (struct ct_values_lines){.list = malloc((figures->rows + 1) * sizeof(*lines->list))};
	if (!lines->list)
		return -ENOMEM;
	for (size_t i = 0; i < figures->rows; i++) {
		const struct ct_values_row *row = &figures->row[i];
		const struct ct_unit_site *site = &row->unit->sites[row->site];

		lines->bytes += row->counts.bytes;
		lines->list[i] = (struct ct_values_line){
		    .kernel = row->kernel,
		    .unit = row->unit,
		    .site = row->site,
		    .group = row->group,
		    .has_object = figures->object[row->group] != NULL,
		    .place = ct_place_of(row->unit, site),
		    .operation = site->operation,
		    .class = row->class,
		    .counts = row->counts,
		    .most = row->counts.elements,
		};
	}
	qsort(lines->list, figures->rows, sizeof(*lines->list), compare_line);
	for (size_t i = 0; i < figures->rows; i++) {
		if (count && !compare_line(&lines->list[count - 1], &lines->list[i]))
			merge(&lines->list[count - 1], &lines->list[i]);
		else
			lines->list[count++] = lines->list[i];
	}
	lines->count = count;
	qsort(lines->list, count, sizeof(*lines->list), compare_worth);
	return 0;
}

void ct_values_lines_fini(struct ct_values_lines *lines)
{
	free(lines->list);
	*lines = (struct ct_values_lines){.list = NULL};
}

void ct_values_sum(const struct ct_values_figures *figures, enum ct_class class,
		   struct ct_values_counts *sum)
{
	*sum = (struct ct_values_counts){0};
	for (size_t i = 0; i < figures->rows; i++)
		if (figures->row[i].class == class)
			ct_values_counts_add(sum, &figures->row[i].counts);
}
