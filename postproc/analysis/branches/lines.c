/* SPDX-License-Identifier: Apache-2.0 */
/* Branches by line of the source. */
#include "postproc/analysis/branches/lines.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_of(const struct ct_branches_line *line, uint32_t kernel,
		  const struct ct_place *place)
{
	return line->kernel == kernel && line->place.line && line->place.line == place->line &&
	       !strcmp(line->place.file, place->file);
}

int ct_branches_lines_add(struct ct_branches_results *results, const struct ct_unit *units,
			  const uint32_t *first_site, struct ct_branches_site *site)
{
	size_t i = results->lines;
	uint32_t at = site->site;
	struct ct_branches_figures figures;
	struct ct_place place;
	int err;

	while (at - *first_site >= units->header->site_count) {
		units++;
		first_site++;
	}
	at -= *first_site;
	place = ct_place_of(units, &units->sites[at]);
	while (i && results->line[i - 1].kernel == site->kernel &&
	       !is_of(&results->line[i - 1], site->kernel, &place))
		i--;
	if (!i || results->line[i - 1].kernel != site->kernel) {
		err = ct_array_grow(&results->line, results->lines, sizeof(*results->line));
		if (err < 0)
			return err;
		i = ++results->lines;
		results->line[i - 1] = (struct ct_branches_line){.number = (uint32_t)i - 1,
								 .kernel = site->kernel,
								 .unit = units,
								 .site = at,
								 .place = place};
	}
	site->line = results->line[i - 1].number;
	figures = site->figures;
	if (ct_place_is_foreign(ct_unit_string(units, units->sites[at].file)))
		figures.idle = figures.idle_beside_one = 0;
	ct_branches_figures_add(&results->line[i - 1].figures, &figures);
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct ct_branches_line *a = left, *b = right;

	if (a->figures.divergent != b->figures.divergent)
		return a->figures.divergent > b->figures.divergent ? -1 : 1;
	if (a->figures.branches != b->figures.branches)
		return a->figures.branches > b->figures.branches ? -1 : 1;
	if (a->kernel != b->kernel)
		return a->kernel < b->kernel ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

void ct_branches_lines_sort(struct ct_branches_results *results)
{
	if (results->lines)
		qsort(results->line, results->lines, sizeof(*results->line), compare);
}

void ct_branches_figures_add(struct ct_branches_figures *sum,
			     const struct ct_branches_figures *more)
{
	sum->branches += more->branches;
	sum->divergent += more->divergent;
	sum->lanes += more->lanes;
	sum->idle += more->idle;
	sum->idle_beside_one += more->idle_beside_one;
	sum->behind += more->behind;
	sum->lanes_behind += more->lanes_behind;
	sum->parted_warps += more->parted_warps;
}
