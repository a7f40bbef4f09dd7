/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the report on bank conflicts: what requests of each line take. */
#include "postproc/analysis/banks/section.h"
#include "postproc/facts/operation.h"
#include <stdio.h>

#define WAYS_BYTES 64u

enum { LINE, FUNCTION, OPERATION, REQUESTS, WAYS, WAVEFRONTS, IDEAL, EXCESS, SHARE, STRIDE };

static const struct ct_section_column columns[] = {
    [LINE] = {"line", "line", NULL, CT_SECTION_LINE, NULL, false},
    [FUNCTION] = {"function", "function", NULL, CT_SECTION_NAME, NULL, false},
    [OPERATION] = {"operation", "operation", NULL, CT_SECTION_TEXT, NULL, false},
    [REQUESTS] = {"requests", "requests", "How often a warp does it.", CT_SECTION_NUMBER,
		  "requests", true},
    [WAYS] = {"ways", "ways",
	      "Most words that meet in a bank, over the requests where some do; 1: nowhere.",
	      CT_SECTION_TEXT, NULL, false},
    [WAVEFRONTS] = {"wavefronts", "wavefronts", "What all requests take.", CT_SECTION_NUMBER,
		    "wavefronts", false},
    [IDEAL] = {"ideal", "ideal", "What they would take if no two words met in a bank.",
	       CT_SECTION_NUMBER, "wavefronts", true},
    [EXCESS] = {"excess", "excess", "Wavefronts beyond the ideal.", CT_SECTION_NUMBER, "wavefronts",
		false},
    [SHARE] = {"excess_percent", "share", "Of the line's wavefronts, those that are excess.",
	       CT_SECTION_NUMBER, "%", true},
    [STRIDE] = {"stride", "stride",
		"How far apart lanes are where most excess comes from: column (a multiple of 32 "
		"words), constant, irregular.",
		CT_SECTION_TEXT, NULL, false},
};

/* "2 to 32", "4", "1" */
static const char *ways_of(const struct ct_banks_figures *f, char text[WAYS_BYTES])
{
	if (!f->most_ways)
		return "1";
	if (f->least_ways == f->most_ways)
		snprintf(text, WAYS_BYTES, "%llu", (unsigned long long)f->most_ways);
	else
		snprintf(text, WAYS_BYTES, "%llu to %llu", (unsigned long long)f->least_ways,
			 (unsigned long long)f->most_ways);
	return text;
}

/* NULL: nothing meets. */
static const char *stride_of(const struct ct_banks_line *line)
{
	static const char *const text[] = {[CT_BANKS_IRREGULAR] = "irregular",
					   [CT_BANKS_COLUMN] = "column",
					   [CT_BANKS_CONSTANT] = "constant"};

	return ct_banks_line_excess(line) ? text[ct_banks_line_stride(line)] : NULL;
}

static void add_row(struct ct_sections *sections, const struct ct_banks_line *line)
{
	const struct ct_banks_figures *f = &line->figures;
	double excess = (double)ct_banks_line_excess(line);
	char ways[WAYS_BYTES];

	ct_sections_line(sections, line->unit, line->site);
	ct_sections_name(sections, ct_banks_line_function(line));
	ct_sections_text(sections, ct_operation_text(line->operation));
	ct_sections_number(sections, (double)f->requests);
	ct_sections_text(sections, ways_of(f, ways));
	ct_sections_number(sections, (double)f->wavefronts);
	ct_sections_number(sections, (double)f->ideal);
	ct_sections_number(sections, excess);
	ct_sections_number(sections, 100 * excess / (double)f->wavefronts);
	ct_sections_text(sections, stride_of(line));
}

void ct_banks_show(struct ct_sections *sections, const struct ct_banks_lines *lines)
{
	static const struct ct_section like = {
	    .analysis = "banks",
	    .name = CT_BANKS_SECTION,
	    .title = "Bank conflicts of shared memory",
	    .about = "Each line that loads or stores shared memory: the wavefronts that its "
		     "requests take, and how many of them are excess, since lanes of a warp meet "
		     "in a bank (docs/shared-memory.md).",
	    .column = columns,
	    .columns = sizeof(columns) / sizeof(*columns),
	    .order = EXCESS,
	};

	ct_sections_add(sections, &like);
	for (size_t i = 0; i < lines->count; i++)
		add_row(sections, &lines->list[i]);
}
