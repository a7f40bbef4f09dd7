/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of the report on values: what lines move in vain, what objects hold. */
#include "postproc/analysis/values/findings/findings.h"
#include "postproc/analysis/values/numbers.h"

#include <math.h>
#include <stdio.h>

#define PLACE_BYTES 256u

enum {
	LINE,
	KERNEL,
	OPERATION,
	OBJECT,
	ACCESSES,
	REDUNDANT,
	SHARE,
	OWN,
	KNOWN,
	AGREED,
	UNKNOWN,
	SECTORS,
	AVOIDED,
	SAVED,
	ESTIMATE
};

static const struct ct_section_column columns[] = {
    [LINE] = {"line", "line", NULL, CT_SECTION_LINE, NULL, false},
    [KERNEL] = {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    [OPERATION] = {"operation", "operation", NULL, CT_SECTION_TEXT, NULL, false},
    [OBJECT] = {"object", "object", "The one that the line accesses most.", CT_SECTION_TEXT, NULL,
		true},
    [ACCESSES] = {"accesses", "accesses", "Elements that threads access.", CT_SECTION_NUMBER,
		  "elements", false},
    [REDUNDANT] = {"redundant", "redundant",
		   "Those whose value was there already: loads of what the thread had loaded, "
		   "stores of what memory held.",
		   CT_SECTION_NUMBER, "elements", false},
    [SHARE] = {"redundant_percent", "share", NULL, CT_SECTION_NUMBER, "%", false},
    [OWN] = {"own", "own", "As the thread itself had loaded or stored it there, in the launch.",
	     CT_SECTION_NUMBER, "elements", true},
    [KNOWN] = {"known", "before", "Stores of what memory held before the launch.",
	       CT_SECTION_NUMBER, "elements", true},
    [AGREED] = {"agreed", "agreed", "Stores of what all other threads store there, too.",
		CT_SECTION_NUMBER, "elements", true},
    [UNKNOWN] = {"unknown", "unknown", "Stores of which it is not known what memory held.",
		 CT_SECTION_NUMBER, "elements", true},
    [SECTORS] = {"sectors", "sectors", "Of 32 bytes, that requests to global memory touch.",
		 CT_SECTION_NUMBER, "sectors", true},
    [AVOIDED] = {"redundant_sectors", "redundant", "Of requests that are redundant in all lanes.",
		 CT_SECTION_NUMBER, "sectors", true},
    [SAVED] = {"saved_seconds", "at most",
	       "Of the kernel's time, its part of all sectors that are redundant here.",
	       CT_SECTION_NUMBER, "s", false},
    [ESTIMATE] = {"estimated_seconds", "about", "The same by what caches serve.", CT_SECTION_NUMBER,
		  "s", false},
};

enum {
	SET_OBJECT,
	SET_KERNEL,
	SET_ACCESS,
	SET_TYPE,
	SET_ELEMENTS,
	SET_VALUES,
	SET_TOP,
	SET_SHARE,
	SET_SPATIAL,
	SET_PATTERN
};

static const struct ct_section_column set_columns[] = {
    [SET_OBJECT] = {"object", "object", NULL, CT_SECTION_TEXT, NULL, false},
    [SET_KERNEL] = {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    [SET_ACCESS] = {"access", "access", NULL, CT_SECTION_TEXT, NULL, false},
    [SET_TYPE] = {"type", "type", "Of an element.", CT_SECTION_TEXT, NULL, true},
    [SET_ELEMENTS] = {"elements", "elements", NULL, CT_SECTION_NUMBER, "elements", false},
    [SET_VALUES] = {"distinct", "values", "Distinct ones.", CT_SECTION_NUMBER, "values", false},
    [SET_TOP] = {"top", "most frequent", NULL, CT_SECTION_TEXT, NULL, false},
    [SET_SHARE] = {"top_percent", "share", "Of the elements that have it.", CT_SECTION_NUMBER, "%",
		   false},
    [SET_SPATIAL] = {"spatial_percent", "spatial",
		     "Elements whose value another one of the launch has, too, but for one of "
		     "each value.",
		     CT_SECTION_NUMBER, "%", true},
    [SET_PATTERN] = {"pattern", "pattern", NULL, CT_SECTION_TEXT, NULL, false},
};

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void show_saved(struct ct_sections *sections, const struct ct_values_figures *figures,
		       const struct ct_values_line *line)
{
	const struct ct_values_saved saved = ct_values_line_saved(figures, line);

	ct_sections_number(sections, saved.seconds > 0 ? saved.seconds : NAN);
	ct_sections_number(sections, saved.estimate > 0 ? saved.estimate : NAN);
}

static void show_lines(struct ct_sections *sections, const struct ct_values_figures *figures,
		       const struct ct_values_lines *lines)
{
	const struct ct_section like = {
	    .analysis = "values",
	    .name = CT_VALUES_SECTION,
	    .title = "Loads and stores of values that are there already",
	    .about = "Each line that accesses memory with values: how many of the elements were "
		     "there already (docs/values.md).",
	    .column = columns,
	    .columns = figures->seconds ? sizeof(columns) / sizeof(*columns) : SAVED,
	    .order = REDUNDANT,
	};

	ct_sections_add(sections, &like);
	for (size_t i = 0; i < lines->count; i++) {
		const struct ct_values_line *line = &lines->list[i];
		const struct ct_values_counts *c = &line->counts;
		bool is_load = line->class == CT_CLASS_LOAD;
		char object[CT_VALUES_LINE_BYTES];

		ct_sections_line(sections, line->unit, line->site);
		ct_sections_name(sections, figures->kernel[line->kernel].name);
		ct_sections_text(sections, ct_operation_text(line->operation));
		ct_sections_text(sections, ct_values_line_text(figures, line, object));
		ct_sections_number(sections, (double)c->elements);
		ct_sections_number(sections, (double)ct_values_line_redundant(line));
		ct_sections_number(sections, percent(ct_values_line_redundant(line), c->elements));
		ct_sections_number(sections, (double)(is_load ? c->temporal : c->silent));
		ct_sections_number(sections, (double)c->known);
		ct_sections_number(sections, (double)c->agreed);
		ct_sections_number(sections, (double)c->unknown);
		ct_sections_number(sections, (double)c->sectors);
		ct_sections_number(sections, (double)c->avoided);
		if (figures->seconds)
			show_saved(sections, figures, line);
	}
}

static void show_sets(struct ct_sections *sections, const struct ct_values_figures *figures)
{
	static const struct ct_section like = {
	    .analysis = "values",
	    .name = "value-patterns",
	    .title = "What values objects hold",
	    .about = "What kernels load from objects and store to them, by the type of the "
		     "elements: how many values there are, and what they have in common "
		     "(docs/values.md).",
	    .column = set_columns,
	    .columns = sizeof(set_columns) / sizeof(*set_columns),
	    .order = SET_ELEMENTS,
	};

	ct_sections_add(sections, &like);
	for (size_t i = 0; i < figures->sets; i++) {
		const struct ct_values_set *set = &figures->set[i];
		struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT];
		size_t count = ct_values_patterns(set, pattern);
		char text[CT_ELEMENT_TEXT_BYTES];

		ct_sections_text(sections, ct_values_group_text(figures, set->group));
		ct_sections_name(sections, figures->kernel[set->kernel].name);
		ct_sections_text(sections, set->is_store ? "store" : "load");
		ct_sections_text(sections, ct_element_type_text(set->type, text));
		ct_sections_number(sections, (double)set->elements);
		ct_sections_number(sections, (double)set->distinct);
		ct_sections_text(sections, ct_element_text(set->type, set->top[0].value, text));
		ct_sections_number(sections, percent(set->top[0].elements, set->elements));
		ct_sections_number(sections,
				   percent(set->elements - set->launch_distinct, set->elements));
		ct_sections_text(sections, count ? ct_values_pattern_text(pattern[0].id) : NULL);
	}
}

enum {
	CONTEXT_PLACE,
	CONTEXT_REGION,
	CONTEXT_KERNEL,
	CONTEXT_LAUNCHES,
	CONTEXT_UNCHANGED,
	CONTEXT_ACCESSES,
	CONTEXT_LOADS,
	CONTEXT_LOAD_SHARE,
	CONTEXT_STORES,
	CONTEXT_STORE_SHARE,
	CONTEXT_UNKNOWN
};

static const struct ct_section_column context_columns[] = {
    [CONTEXT_PLACE] = {"launched", "launched", "Where in the program.", CT_SECTION_TEXT, NULL,
		       false},
    [CONTEXT_REGION] = {"region", "region", NULL, CT_SECTION_TEXT, NULL, true},
    [CONTEXT_KERNEL] = {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    [CONTEXT_LAUNCHES] = {"launches", "launches", NULL, CT_SECTION_NUMBER, "launches", false},
    [CONTEXT_UNCHANGED] = {"unchanged", "unchanged",
			   "Launches that left memory as it was: all that they stored was there.",
			   CT_SECTION_NUMBER, "launches", false},
    [CONTEXT_ACCESSES] = {"accesses", "accesses", NULL, CT_SECTION_NUMBER, "elements", false},
    [CONTEXT_LOADS] = {"loads", "loads", NULL, CT_SECTION_NUMBER, "elements", true},
    [CONTEXT_LOAD_SHARE] = {"redundant_loads_percent", "redundant",
			    "Of the loads: of what the thread had loaded.", CT_SECTION_NUMBER, "%",
			    false},
    [CONTEXT_STORES] = {"stores", "stores", "Atomics among them.", CT_SECTION_NUMBER, "elements",
			false},
    [CONTEXT_STORE_SHARE] = {"redundant_stores_percent", "redundant",
			     "Of the stores: of what memory held.", CT_SECTION_NUMBER, "%", false},
    [CONTEXT_UNKNOWN] = {"unknown", "unknown", "Stores of which it is not known what memory held.",
			 CT_SECTION_NUMBER, "elements", true},
};

/* "main.cu:12"; NULL: not known. */
static const char *place_text(const char *site, char text[PLACE_BYTES])
{
	char file[PLACE_BYTES - 24], line[24];

	ct_site_field(site, 1, file, sizeof(file));
	ct_site_field(site, 2, line, sizeof(line));
	if (!*file)
		return NULL;
	snprintf(text, PLACE_BYTES, "%s:%s", file, line);
	return text;
}

static void show_contexts(struct ct_sections *sections, const struct ct_values_figures *figures)
{
	static const struct ct_section like = {
	    .analysis = "values",
	    .name = "value-launches",
	    .title = "Launches that move what is there already, by where they are made",
	    .about = "Launches of a kernel from one place of the program: what of their loads and "
		     "stores was there already, and which of them changed nothing "
		     "(docs/values.md).",
	    .column = context_columns,
	    .columns = sizeof(context_columns) / sizeof(*context_columns),
	    .order = CONTEXT_ACCESSES,
	};

	ct_sections_add(sections, &like);
	for (size_t i = 0; i < figures->contexts; i++) {
		const struct ct_values_context *context = &figures->context[i];
		const struct ct_values_done *done = &context->done;
		char place[PLACE_BYTES];

		ct_sections_text(sections, place_text(context->first->site, place));
		ct_sections_text(sections, *context->first->region ? context->first->region : NULL);
		ct_sections_name(sections, figures->kernel[context->kernel].name);
		ct_sections_number(sections, (double)context->launches);
		ct_sections_number(sections, (double)context->unchanged);
		ct_sections_number(sections, (double)(done->loads + done->stores));
		ct_sections_number(sections, (double)done->loads);
		ct_sections_number(sections, percent(done->temporal, done->loads));
		ct_sections_number(sections, (double)done->stores);
		ct_sections_number(sections, percent(done->redundant, done->stores));
		ct_sections_number(sections, (double)done->unknown);
	}
}

void ct_values_show(struct ct_sections *sections, const struct ct_values_figures *figures,
		    const struct ct_values_lines *lines)
{
	show_lines(sections, figures, lines);
	show_sets(sections, figures);
	show_contexts(sections, figures);
	ct_values_show_flows(sections, figures);
	ct_values_show_lives(sections, figures);
}
