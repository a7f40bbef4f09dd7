/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of the report on accesses: what lines move, and where atomics meet. */
#include "postproc/analysis/access/findings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE,
	KERNEL,
	OPERATION,
	OBJECT,
	PATTERN,
	WIDTH,
	REQUESTS,
	LANES,
	SECTORS,
	IDEAL,
	EXCESS,
	EFFICIENCY,
	MOVED,
	USED,
	UNIQUE
};

static const struct ct_section_column columns[] = {
    [LINE] = {"line", "line", NULL, CT_SECTION_LINE, NULL, false},
    [KERNEL] = {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    [OPERATION] = {"operation", "operation", NULL, CT_SECTION_TEXT, NULL, true},
    [OBJECT] = {"object", "object", NULL, CT_SECTION_TEXT, NULL, false},
    [PATTERN] = {"pattern", "pattern", "Of most requests.", CT_SECTION_TEXT, NULL, false},
    [WIDTH] = {"width", "width", "Of one lane's access.", CT_SECTION_NUMBER, "B", true},
    [REQUESTS] = {"requests", "requests", "How often a warp does it.", CT_SECTION_NUMBER,
		  "requests", true},
    [LANES] = {"active_lanes", "lanes", "That are active, of 32, in the mean.", CT_SECTION_NUMBER,
	       "lanes", true},
    [SECTORS] = {"sectors", "sectors", "Of 32 bytes, that the requests touch.", CT_SECTION_NUMBER,
		 "sectors", false},
    [IDEAL] = {"ideal_sectors", "ideal", "Sectors that as many distinct bytes need at least.",
	       CT_SECTION_NUMBER, "sectors", true},
    [EXCESS] = {"excess_sectors", "excess", "Sectors beyond the ideal.", CT_SECTION_NUMBER,
		"sectors", true},
    [EFFICIENCY] = {"efficiency_percent", "efficiency", "Ideal of all sectors.", CT_SECTION_NUMBER,
		    "%", false},
    [MOVED] = {"moved_bytes", "moved", "All bytes of the sectors.", CT_SECTION_NUMBER, "B", false},
    [USED] = {"used_bytes", "used", "Bytes that some lane asks for, once for each request.",
	      CT_SECTION_NUMBER, "B", true},
    [UNIQUE] = {"unique_bytes", "distinct",
		"Distinct bytes of each launch, summed over its kernel's launches.",
		CT_SECTION_NUMBER, "B", true},
};

enum { HOT_LINE, HOT_KERNEL, HOT_LAUNCH, HOT_ADDRESS, HOT_LANES };

static const struct ct_section_column hot_columns[] = {
    [HOT_LINE] = {"line", "line", "The first that does so.", CT_SECTION_LINE, NULL, false},
    [HOT_KERNEL] = {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    [HOT_LAUNCH] = {"launch", "launch", NULL, CT_SECTION_NUMBER, NULL, false},
    [HOT_ADDRESS] = {"address", "address", NULL, CT_SECTION_TEXT, NULL, false},
    [HOT_LANES] = {"lanes", "lanes", "That do an atomic there.", CT_SECTION_NUMBER, "lanes", false},
};

enum { HEAT_OBJECT, HEAT_SECTORS, HEAT_MAP };

static const struct ct_section_column heat_columns[] = {
    [HEAT_OBJECT] = {"object", "object", NULL, CT_SECTION_TEXT, NULL, false},
    [HEAT_SECTORS] = {"sectors", "sectors", "Of 32 bytes, that requests touch.", CT_SECTION_NUMBER,
		      "sectors", false},
    [HEAT_MAP] = {"map", "where in the object",
		  "A block for each 64th of the object, the higher the more sectors.",
		  CT_SECTION_TEXT, NULL, false},
};

static uint64_t excess_of(const struct ct_access_row *row)
{
	return row->figures.sectors - row->figures.ideal;
}

static int compare_excess(const void *left, const void *right)
{
	const struct ct_access_row *a = *(const struct ct_access_row *const *)left;
	const struct ct_access_row *b = *(const struct ct_access_row *const *)right;

	if (excess_of(a) != excess_of(b))
		return excess_of(a) > excess_of(b) ? -1 : 1;
	if (a->figures.sectors != b->figures.sectors)
		return a->figures.sectors > b->figures.sectors ? -1 : 1;
	if (a->figures.requests != b->figures.requests)
		return a->figures.requests > b->figures.requests ? -1 : 1;
	return a < b ? -1 : a > b;
}

const struct ct_access_row **ct_access_rows_by_excess(const struct ct_access_results *results)
{
	const struct ct_access_row **sorted = malloc((results->rows + 1) * sizeof(*sorted));

	for (size_t i = 0; sorted && i < results->rows; i++)
		sorted[i] = &results->row[i];
	if (sorted)
		qsort(sorted, results->rows, sizeof(*sorted), compare_excess);
	return sorted;
}

static void add_row(struct ct_sections *sections, const struct ct_access_results *results,
		    const struct ct_access_row *row)
{
	const struct ct_access_figures *f = &row->figures;
	const struct ct_unit_site *site = &row->unit->sites[row->site];
	char words[CT_ACCESS_WORDS_BYTES];

	ct_sections_line(sections, row->unit, row->site);
	ct_sections_name(sections, results->kernels.list[row->kernel].name);
	ct_sections_text(sections, ct_operation_text(site->operation));
	ct_sections_text(sections, ct_access_group_text(results, row->group));
	ct_sections_text(sections, ct_access_words(results, row, words));
	ct_sections_number(sections, site->bytes);
	ct_sections_number(sections, (double)f->requests);
	ct_sections_number(sections, (double)f->lanes / (double)f->requests);
	ct_sections_number(sections, (double)f->sectors);
	ct_sections_number(sections, (double)f->ideal);
	ct_sections_number(sections, (double)excess_of(row));
	ct_sections_number(sections, 100 * ct_access_efficiency(f));
	ct_sections_number(sections, (double)(f->sectors * CT_SECTOR_BYTES));
	ct_sections_number(sections, (double)f->used);
	ct_sections_number(sections, (double)row->unique);
}

static void show_hot(struct ct_sections *sections, const struct ct_access_results *results)
{
	static const struct ct_section like = {
	    .analysis = "access",
	    .name = "hot-atomics",
	    .title = "Where atomics meet",
	    .about = "The addresses of global memory with the most atomics of one launch, by lanes "
		     "(docs/access.md).",
	    .column = hot_columns,
	    .columns = sizeof(hot_columns) / sizeof(*hot_columns),
	    .order = HOT_LANES,
	};

	ct_sections_add(sections, &like);
	for (size_t i = 0; i < results->hots; i++) {
		const struct ct_access_hot *hot = &results->hot[i];
		char address[32];

		snprintf(address, sizeof(address), "0x%llx", (unsigned long long)hot->address);
		ct_sections_line(sections, hot->unit, hot->site);
		ct_sections_name(sections, hot->launch->kernel);
		ct_sections_number(sections, hot->launch->event->launch);
		ct_sections_text(sections, address);
		ct_sections_number(sections, (double)hot->lanes);
	}
}

/* Heights from nothing to as much as the most. */
static void add_map(struct ct_sections *sections, const uint64_t *bins)
{
	static const char *const block[] = {"\u258f", "\u2581", "\u2582", "\u2583", "\u2584",
					    "\u2585", "\u2586", "\u2587", "\u2588"};
	char text[4 * CT_ACCESS_HEAT_BINS + 1];
	uint64_t most = 1;
	size_t at = 0;

	for (uint32_t b = 0; b < CT_ACCESS_HEAT_BINS; b++)
		most = bins[b] > most ? bins[b] : most;
	for (uint32_t b = 0; b < CT_ACCESS_HEAT_BINS; b++) {
		const char *step = block[(8 * bins[b] + most - 1) / most];

		memcpy(text + at, step, strlen(step));
		at += strlen(step);
	}
	text[at] = '\0';
	ct_sections_text(sections, text);
}

struct hot_group {
	uint64_t sectors;
	uint32_t group;
};

static int by_sectors(const void *a, const void *b)
{
	const struct hot_group *x = a, *y = b;

	if (x->sectors != y->sectors)
		return x->sectors > y->sectors ? -1 : 1;
	return (x->group > y->group) - (x->group < y->group);
}

static int show_heat(struct ct_sections *sections, const struct ct_access_results *results)
{
	static const struct ct_section like = {
	    .analysis = "access",
	    .name = "heat",
	    .title = "Heat of objects",
	    .about = "Which parts of each object the requests move most: sectors by 64ths of the "
		     "object, of all objects of one allocation site together (docs/access.md).",
	    .column = heat_columns,
	    .columns = sizeof(heat_columns) / sizeof(*heat_columns),
	    .order = HEAT_SECTORS,
	};
	const struct ct_access_heat *heat = &results->heat;
	struct hot_group *hot = calloc(heat->groups + 1u, sizeof(*hot));

	if (!hot)
		return -ENOMEM;
	for (uint32_t g = 0; g < heat->groups; g++)
		hot[g] = (struct hot_group){ct_access_heat_sum(heat, g), g};
	qsort(hot, heat->groups, sizeof(*hot), by_sectors);
	ct_sections_add(sections, &like);
	for (uint32_t i = 0; i < heat->groups && hot[i].sectors; i++) {
		ct_sections_text(sections, ct_access_group_text(results, hot[i].group));
		ct_sections_number(sections, (double)hot[i].sectors);
		add_map(sections, heat->sectors[hot[i].group]);
	}
	free(hot);
	return 0;
}

int ct_access_show(struct ct_sections *sections, const struct ct_access_results *results)
{
	static const struct ct_section like = {
	    .analysis = "access",
	    .name = CT_ACCESS_SECTION,
	    .title = "What accesses to global memory move",
	    .about = "Each access of the source to each object: how many sectors of 32 bytes its "
		     "requests touch, how few would do, and how its lanes' addresses are to one "
		     "another (docs/access.md).",
	    .column = columns,
	    .columns = sizeof(columns) / sizeof(*columns),
	    .order = EXCESS,
	};
	const struct ct_access_row **sorted = ct_access_rows_by_excess(results);

	if (!sorted)
		return -ENOMEM;
	ct_sections_add(sections, &like);
	for (size_t i = 0; i < results->rows; i++)
		if (ct_access_space(results, sorted[i]->group) == CT_SPACE_GLOBAL)
			add_row(sections, results, sorted[i]);
	free(sorted);
	if (show_heat(sections, results) < 0)
		return -ENOMEM;
	show_hot(sections, results);
	return 0;
}
