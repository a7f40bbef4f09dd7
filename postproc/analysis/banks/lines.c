/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of shared memory by line of the source. */
#include "postproc/analysis/banks/lines.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

uint64_t ct_banks_line_excess(const struct ct_banks_line *line)
{
	return line->figures.wavefronts - line->figures.ideal;
}

enum ct_banks_stride ct_banks_line_stride(const struct ct_banks_line *line)
{
	enum ct_banks_stride most = CT_BANKS_IRREGULAR;

	for (int i = 0; i < CT_BANKS_STRIDES; i++)
		if (line->figures.excess[i] > line->figures.excess[most])
			most = (enum ct_banks_stride)i;
	return most;
}

static const char *function_of(const struct ct_banks_line *line)
{
	return ct_unit_string(line->unit, line->unit->sites[line->site].function);
}

const char *ct_banks_line_function(const struct ct_banks_line *line)
{
	uint32_t kernel = line->unit->sites[line->site].kernel;

	return kernel == CT_NONE ? function_of(line)
				 : ct_unit_string(line->unit, line->unit->kernels[kernel].display);
}

/* A line without a place is a copy of none. */
static bool is_of(const struct ct_banks_line *line, const struct ct_banks_line *other)
{
	return line->place.line && line->place.line == other->place.line &&
	       line->operation == other->operation &&
	       !strcmp(line->place.file, other->place.file) &&
	       !strcmp(function_of(line), function_of(other));
}

static int add_site(struct ct_banks_lines *lines, const struct ct_unit *unit, uint32_t site,
		    const struct ct_banks_figures *figures)
{
	struct ct_banks_line line = {
	    .unit = unit,
	    .site = site,
	    .place = ct_place_of(unit, &unit->sites[site]),
	    .operation = unit->sites[site].operation,
	    .figures = *figures,
	};
	size_t i = 0;
	int err;

	lines->wavefronts += figures->wavefronts;
	while (i < lines->count && !is_of(&lines->list[i], &line))
		i++;
	if (i < lines->count) {
		ct_banks_figures_add(&lines->list[i].figures, figures);
		return 0;
	}
	err = ct_array_grow(&lines->list, lines->count, sizeof(line));
	if (err == 0)
		lines->list[lines->count++] = line;
	return err;
}

static int compare(const void *left, const void *right)
{
	const struct ct_banks_line *a = left, *b = right;
	uint64_t x = ct_banks_line_excess(a), y = ct_banks_line_excess(b);

	if (x != y)
		return x > y ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

int ct_banks_lines_init(struct ct_banks_lines *lines, const struct ct_banks_job *job)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(job->trace, &units);
	int err = 0;

	for (size_t i = 0; i < count; i++)
		for (uint32_t s = 0; s < units[i].header->site_count && err == 0; s++)
			if (job->site[i][s].requests)
				err = add_site(lines, &units[i], s, &job->site[i][s]);
	if (lines->count)
		qsort(lines->list, lines->count, sizeof(*lines->list), compare);
	return err;
}

void ct_banks_lines_fini(struct ct_banks_lines *lines)
{
	free(lines->list);
	memset(lines, 0, sizeof(*lines));
}
