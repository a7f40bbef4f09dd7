/* SPDX-License-Identifier: Apache-2.0 */
/* Advice about redundant loads and stores, and about what values have in common. */
#include "base/array.h"
#include "base/quantity.h"
#include "postproc/analysis/values/findings/findings.h"
#include "postproc/analysis/values/numbers.h"
#include "postproc/facts/source_name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REDUNDANT_MIN 0.25 /* of a line's elements */
#define SHARE_MIN 0.01     /* of all bytes that are accessed */

const char *ct_values_group_text(const struct ct_values_figures *figures, uint32_t group)
{
	const struct ct_object_info *object = figures->object[group];

	if (!object)
		return "memory of no known object";
	return object->name[0] ? object->name : "an object without a name";
}

struct ct_values_advice *ct_values_advice_add(struct ct_values_advices *advices)
{
	if (ct_array_grow(&advices->list, advices->count, sizeof(*advices->list)) < 0)
		return NULL;
	advices->list[advices->count] = (struct ct_values_advice){.pattern = ""};
	return &advices->list[advices->count++];
}

double ct_values_kernel_sectors(const struct ct_values_figures *figures, uint32_t kernel)
{
	uint64_t sectors = 0;

	for (size_t i = 0; i < figures->rows; i++)
		sectors += figures->row[i].kernel == kernel ? figures->row[i].counts.sectors : 0;
	return (double)sectors;
}

/* Of the sectors that a set's sites request, those that its traffic has less of. */
static double sectors_of_set(const struct ct_values_figures *figures,
			     const struct ct_values_set *set, double saved_bytes)
{
	enum ct_class class = set->is_store ? CT_CLASS_STORE : CT_CLASS_LOAD;
	double sectors = 0, bytes = 0;

	for (size_t i = 0; i < figures->rows; i++) {
		const struct ct_values_row *row = &figures->row[i];

		if (row->kernel != set->kernel || row->group != set->group || row->class != class)
			continue;
		sectors += (double)row->counts.sectors;
		bytes += (double)row->counts.bytes;
	}
	return bytes > 0 ? sectors * (saved_bytes < bytes ? saved_bytes / bytes : 1) : 0;
}

/* From sectors, or from the part of a kernel's launches, to its time. */
static void find_worth(struct ct_values_advice *advice, const struct ct_values_figures *figures)
{
	double all;

	if (advice->kernel == CT_NONE)
		return;
	all = ct_values_kernel_sectors(figures, advice->kernel);
	advice->launches = figures->kernel[advice->kernel].launches;
	if (advice->part > 0)
		advice->sectors = advice->part * all;
	else if (all > 0)
		advice->part = advice->sectors / all;
	if (figures->seconds)
		advice->seconds = advice->part * figures->seconds[advice->kernel];
}

static void set_line(struct ct_values_advice *advice, const struct ct_unit *unit, uint32_t site)
{
	struct ct_place place = ct_place_of(unit, &unit->sites[site]);

	advice->unit = unit;
	advice->site = site;
	advice->line = place.line;
	snprintf(advice->file, sizeof(advice->file), "%s", place.file);
}

static const char *last_part(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

/* Where the redundancy of a line comes from, mostly. */
static void explain_line(struct ct_values_advice *advice, const struct ct_values_line *line)
{
	const struct ct_values_counts *c = &line->counts;

	if (line->class == CT_CLASS_LOAD) {
		advice->pattern = "redundant loads";
		advice->fix = "Keep the value in a register: load it once before the loop, or "
			      "declare the pointer const __restrict__, so that the compiler may";
	} else if (line->class == CT_CLASS_ATOMIC) {
		advice->pattern = "redundant atomics";
		advice->fix = "Skip the atomic where it changes nothing: test its operand, or what "
			      "a plain load finds";
	} else if (c->found) {
		advice->pattern = "unchanged stores";
		advice->fix = "Store only if the value has changed, launch only for what has "
			      "changed, or drop the initialisation: memory held these values "
			      "right before";
	} else if (c->known >= c->silent && c->known >= c->agreed) {
		advice->pattern = "unchanged stores";
		advice->fix =
		    "Launch only for what has changed, or drop the initialisation: memory "
		    "held these values before the launch";
	} else if (c->silent >= c->agreed) {
		advice->pattern = "silent stores";
		advice->fix = "Store once behind the loop, or only if the value has changed: the "
			      "thread has just loaded or stored the same there";
	} else {
		advice->pattern = "agreeing stores";
		advice->fix = "Let one thread store: all that store there store the same value";
	}
}

static int add_line(struct ct_values_advices *advices, const struct ct_values_figures *figures,
		    const struct ct_values_line *line)
{
	static const char *const what[] = {
	    [CT_CLASS_LOAD] = "load what the thread had loaded",
	    [CT_CLASS_STORE] = "store what was there",
	    [CT_CLASS_ATOMIC] = "leave memory as it was",
	};
	const struct ct_values_counts *c = &line->counts;
	uint64_t redundant = ct_values_line_redundant(line);
	struct ct_values_advice *advice = ct_values_advice_add(advices);
	char number[5][CT_NUMBER_BYTES];

	if (!advice)
		return -ENOMEM;
	explain_line(advice, line);
	advice->kernel = line->kernel;
	advice->group = line->group;
	set_line(advice, line->unit, line->site);
	advice->share = (double)redundant / (double)c->elements;
	advice->saved_bytes = (double)ct_values_line_redundant_bytes(line);
	advice->sectors = (double)c->avoided;
	snprintf(advice->text, CT_ADVICE_BYTES, "%.1f %% of %s:%u's accesses to %s %s: %s of %s.",
		 100 * advice->share, last_part(line->place.file), line->place.line,
		 ct_values_group_text(figures, line->group), what[line->class],
		 ct_number(redundant, number[0]), ct_number(c->elements, number[1]));
	if (line->class == CT_CLASS_STORE && c->found)
		snprintf(advice->evidence, CT_ADVICE_BYTES,
			 "Counted on the device (tier values); a full trace tells whether the "
			 "thread itself had loaded or stored them");
	else if (line->class == CT_CLASS_STORE)
		snprintf(advice->evidence, CT_ADVICE_BYTES,
			 "%s as the thread had loaded or stored it, %s as memory held it before "
			 "the launch, %s as all other threads stored it",
			 ct_number(c->silent, number[2]), ct_number(c->known, number[3]),
			 ct_number(c->agreed, number[4]));
	return 0;
}

/* The site of the set's kernel, group and class with the most elements. */
static const struct ct_values_row *row_of(const struct ct_values_figures *figures,
					  const struct ct_values_set *set)
{
	const struct ct_values_row *most = NULL;
	enum ct_class class = set->is_store ? CT_CLASS_STORE : CT_CLASS_LOAD;

	for (size_t i = 0; i < figures->rows; i++) {
		const struct ct_values_row *row = &figures->row[i];

		if (row->kernel == set->kernel && row->group == set->group && row->class == class &&
		    (!most || row->counts.elements > most->counts.elements))
			most = row;
	}
	return most;
}

static void describe_pattern(struct ct_values_advice *advice, const char *object,
			     const struct ct_values_set *set,
			     const struct ct_values_pattern *pattern)
{
	const char *verb = set->is_store ? "stored to" : "loaded from", *number;
	char value[CT_ELEMENT_TEXT_BYTES], type[CT_ELEMENT_TEXT_BYTES], buffer[CT_NUMBER_BYTES];

	ct_element_text(set->type, set->top[0].value, value);
	ct_element_type_text(set->type, type);
	number = ct_number(set->elements, buffer);
	switch (pattern->id) {
	case CT_VALUES_SINGLE_ZERO:
	case CT_VALUES_SINGLE_VALUE:
		snprintf(advice->text, CT_ADVICE_BYTES, "All %s elements %s %s are %s.", number,
			 verb, object, value);
		break;
	case CT_VALUES_FREQUENT:
		snprintf(advice->text, CT_ADVICE_BYTES, "%.1f %% of %s elements %s %s are %s.",
			 100 * pattern->share, number, verb, object, value);
		break;
	case CT_VALUES_STRUCTURED:
		snprintf(advice->text, CT_ADVICE_BYTES,
			 "What is %s %s grows by %lld from element to element.", verb, object,
			 (long long)set->slope);
		break;
	case CT_VALUES_HEAVY_TYPE:
		snprintf(advice->text, CT_ADVICE_BYTES,
			 "All %s elements %s %s fit %s exactly; their type is %s.", number, verb,
			 object, ct_width_text(pattern->width), type);
		break;
	default:
		snprintf(advice->text, CT_ADVICE_BYTES,
			 "%s elements of type %s %s %s have only %llu values.", number, type, verb,
			 object, (unsigned long long)set->distinct);
	}
}

/* Launches of whose accesses the trace does not have all. */
static uint64_t partial_launches(const struct ct_values_figures *figures)
{
	uint64_t opaque = figures->is_summarised ? 0 : figures->opaque_launches;

	return opaque > figures->sampled_launches ? opaque : figures->sampled_launches;
}

static int add_pattern(struct ct_values_advices *advices, const struct ct_values_figures *figures,
		       const struct ct_values_set *set, const struct ct_values_pattern *pattern)
{
	const struct ct_values_row *row = row_of(figures, set);
	struct ct_values_advice *advice = ct_values_advice_add(advices);
	uint64_t partial = partial_launches(figures);
	char number[CT_NUMBER_BYTES];

	if (!advice)
		return -ENOMEM;
	advice->pattern = ct_values_pattern_text(pattern->id);
	advice->fix = ct_values_pattern_fix(pattern->id);
	advice->kernel = set->kernel;
	advice->group = set->group;
	if (row)
		set_line(advice, row->unit, row->site);
	advice->share = pattern->share;
	advice->saved_bytes = pattern->saved_bytes;
	advice->sectors = sectors_of_set(figures, set, pattern->saved_bytes);
	describe_pattern(advice, ct_values_group_text(figures, set->group), set, pattern);
	if (figures->is_summarised && pattern->id == CT_VALUES_FEW_VALUES)
		snprintf(
		    advice->evidence, CT_ADVICE_BYTES,
		    "How many values there are is estimated (tier values, standard error 8 %%); "
		    "a full trace counts them");
	if (partial)
		snprintf(
		    advice->evidence, CT_ADVICE_BYTES,
		    "Of the accesses that are recorded: of %s launches the trace does not have "
		    "all, and others may have other values",
		    ct_number(partial, number));
	return 0;
}

static int compare_advice(const void *a, const void *b)
{
	const struct ct_values_advice *x = a, *y = b;

	if (x->is_memory != y->is_memory)
		return x->is_memory ? 1 : -1;
	if (x->saved_bytes != y->saved_bytes)
		return x->saved_bytes > y->saved_bytes ? -1 : 1;
	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return strcmp(x->text, y->text);
}

int ct_values_advices_init(struct ct_values_advices *advices,
			   const struct ct_values_figures *figures,
			   const struct ct_values_lines *lines)
{
	const double least = SHARE_MIN * (double)lines->bytes;
	int err = 0;

	*advices = (struct ct_values_advices){.list = NULL};
	for (size_t i = 0; i < lines->count && err == 0; i++) {
		const struct ct_values_line *line = &lines->list[i];

		if ((double)ct_values_line_redundant(line) >=
			REDUNDANT_MIN * (double)line->counts.elements &&
		    (double)ct_values_line_redundant_bytes(line) >= least &&
		    ct_values_line_redundant(line))
			err = add_line(advices, figures, line);
	}
	for (size_t i = 0; i < figures->sets && err == 0; i++) {
		struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT];
		size_t count = ct_values_patterns(&figures->set[i], pattern);

		for (size_t p = 0; p < count && err == 0; p++)
			if (pattern[p].saved_bytes >= least)
				err = add_pattern(advices, figures, &figures->set[i], &pattern[p]);
	}
	if (err == 0)
		err = ct_values_advise_runs(advices, figures, least);
	if (err == 0)
		err = ct_values_advise_lives(advices, figures);
	for (size_t i = 0; i < advices->count; i++)
		find_worth(&advices->list[i], figures);
	if (advices->count)
		qsort(advices->list, advices->count, sizeof(*advices->list), compare_advice);
	return err;
}

void ct_values_advices_fini(struct ct_values_advices *advices)
{
	free(advices->list);
	*advices = (struct ct_values_advices){.list = NULL};
}
