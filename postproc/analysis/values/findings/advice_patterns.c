/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advice about what the values of objects have in common. What one kernel loads or stores has a
 * pattern by itself; what is said of the array must hold of all that is loaded from it and stored
 * to it, by whichever kernel.
 */
#include "base/quantity.h"
#include "postproc/analysis/values/findings/findings.h"
#include "postproc/analysis/values/numbers.h"

#include <errno.h>
#include <stdio.h>

/* What a set's sites request. */
struct requested {
	double bytes, sectors;
	struct ct_values_traffic traffic;
};

static struct requested requested_by(const struct ct_values_figures *figures,
				     const struct ct_values_set *set)
{
	enum ct_class class = set->is_store ? CT_CLASS_STORE : CT_CLASS_LOAD;
	struct requested all = {.bytes = 0};

	for (size_t i = 0; i < figures->rows; i++) {
		const struct ct_values_row *row = &figures->row[i];

		if (row->kernel != set->kernel || row->group != set->group || row->class != class)
			continue;
		all.sectors += (double)row->counts.sectors;
		all.bytes += (double)row->counts.bytes;
		ct_values_traffic_add(&all.traffic, figures, i, 1);
	}
	return all;
}

/* Those of the sectors that the traffic has less of. */
static double saved_sectors(const struct requested *all, double saved_bytes)
{
	double part = saved_bytes < all->bytes ? saved_bytes / all->bytes : 1;

	return all->bytes > 0 ? all->sectors * part : 0;
}

/* Likewise, by level. Narrower elements are waited for as wider ones are. */
static struct ct_values_traffic saved_traffic(const struct requested *all, double saved_bytes,
					      enum ct_values_pattern_id id)
{
	bool is_narrower = id == CT_VALUES_HEAVY_TYPE || id == CT_VALUES_FEW_VALUES;
	double part = saved_bytes < all->bytes ? saved_bytes / all->bytes : 1;
	struct ct_values_traffic saved = all->traffic;

	for (unsigned l = 0; l < CT_SERVED_LEVELS; l++) {
		saved.sectors[l] *= part;
		saved.waits[l] *= is_narrower ? 0 : part;
	}
	return saved;
}

/* Narrower elements are in fewer sectors where neighbours are accessed together. */
static bool is_scattered(const struct requested *all, const struct ct_values_set *set)
{
	return all->bytes < 2.0 * CT_VALUES_TYPE_BYTES(set->type) * all->sectors;
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

static bool is_of_one_array(const struct ct_values_set *a, const struct ct_values_set *b)
{
	return a->group == b->group && a->type == b->type;
}

/* Whether all that is accessed in the object has the one value, as the set has. */
static bool is_single_everywhere(const struct ct_values_figures *figures,
				 const struct ct_values_set *set)
{
	for (size_t i = 0; i < figures->sets; i++) {
		const struct ct_values_set *other = &figures->set[i];
		bool are_zeros =
		    set->near_zeros == set->elements && other->near_zeros == other->elements;

		if (is_of_one_array(set, other) && !are_zeros &&
		    (other->distinct != 1 || other->top[0].value != set->top[0].value))
			return false;
	}
	return true;
}

/* The narrowest type that holds all that is accessed there; CT_VALUES_WIDTHS: none. */
static enum ct_values_width narrowest_everywhere(const struct ct_values_figures *figures,
						 const struct ct_values_set *set)
{
	for (unsigned w = 0; w < CT_VALUES_WIDTHS; w++) {
		bool holds = true;

		for (size_t i = 0; i < figures->sets && holds; i++) {
			const struct ct_values_set *other = &figures->set[i];

			holds = !is_of_one_array(set, other) || other->held[w] == other->elements;
		}
		if (holds)
			return (enum ct_values_width)w;
	}
	return CT_VALUES_WIDTHS;
}

/* Whether all sets of the array have the pattern, too. */
static bool has_everywhere(const struct ct_values_figures *figures, const struct ct_values_set *set,
			   enum ct_values_pattern_id id)
{
	for (size_t i = 0; i < figures->sets; i++) {
		struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT];
		bool has = !is_of_one_array(set, &figures->set[i]);
		size_t count = has ? 0 : ct_values_patterns(&figures->set[i], pattern);

		for (size_t p = 0; p < count && !has; p++)
			has = pattern[p].id == id;
		if (!has)
			return false;
	}
	return true;
}

static bool is_loaded(const struct ct_values_figures *figures, const struct ct_values_set *set)
{
	for (size_t i = 0; i < figures->sets; i++)
		if (is_of_one_array(set, &figures->set[i]) && !figures->set[i].is_store)
			return true;
	return false;
}

/* Whether there is something to do about a set's pattern, and what; the pattern becomes that of
 * the whole array. Few values are few in each set alone: those of all sets are not counted. */
static const char *fix_of(const struct ct_values_figures *figures, const struct ct_values_set *set,
			  struct ct_values_pattern *pattern)
{
	const unsigned bytes = CT_VALUES_TYPE_BYTES(set->type);

	switch (pattern->id) {
	case CT_VALUES_SINGLE_ZERO:
	case CT_VALUES_SINGLE_VALUE:
		/* What no kernel loads is for the host, as a flag is. */
		if (is_single_everywhere(figures, set) && is_loaded(figures, set))
			break;
		return set->is_store ? NULL
				     : "Use the constant in this kernel, if it does not depend on "
				       "the input: elsewhere the array has other values";
	case CT_VALUES_FREQUENT:
	case CT_VALUES_COMMON:
		if (set->is_store)
			return "Fill the array with the frequent value beforehand, and store only "
			       "what differs";
		break;
	case CT_VALUES_STRUCTURED:
		if (set->is_store &&
		    (!is_loaded(figures, set) || !has_everywhere(figures, set, pattern->id)))
			return NULL;
		break;
	case CT_VALUES_HEAVY_TYPE:
		pattern->width = narrowest_everywhere(figures, set);
		if (pattern->width == CT_VALUES_WIDTHS || ct_width_bytes(pattern->width) >= bytes)
			return NULL;
		pattern->saved_bytes =
		    (double)set->elements * (bytes - ct_width_bytes(pattern->width));
		break;
	case CT_VALUES_FEW_VALUES:
		if (!has_everywhere(figures, set, pattern->id))
			return NULL;
		break;
	case CT_VALUES_APPROXIMATE:
		if (set->is_store)
			return NULL;
		break;
	default:
		break;
	}
	return ct_values_pattern_fix(pattern->id);
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
	case CT_VALUES_NOT_A_NUMBER:
	case CT_VALUES_FREQUENT:
	case CT_VALUES_COMMON:
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
	case CT_VALUES_APPROXIMATE:
		ct_element_text(set->type, set->alike_value, value);
		snprintf(advice->text, CT_ADVICE_BYTES,
			 "All %s elements %s %s are %s at --precision=%u.", number, verb, object,
			 value, set->alike);
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

/* All that is recorded has one value: of m CTAs none has another, so with 95 % confidence at most
 * 3 / m of all have; launches without such a sample may be partial for another reason, or have no
 * CTA in it. False: that says nothing. */
static bool put_bound(struct ct_values_advice *advice, const struct ct_values_figures *figures,
		      const struct ct_values_set *set, enum ct_values_pattern_id id)
{
	const struct ct_values_ctas *ctas = figures->ctas ? &figures->ctas[set->kernel] : NULL;
	uint64_t others = partial_launches(figures) - figures->sampled_launches;
	char number[2][CT_NUMBER_BYTES];
	int used;

	if ((id != CT_VALUES_SINGLE_VALUE && id != CT_VALUES_SINGLE_ZERO) || !ctas ||
	    ctas->recorded <= 3)
		return false;
	used =
	    snprintf(advice->evidence, CT_ADVICE_BYTES,
		     "In all of the %s CTAs that are recorded: of all %s of these launches at most "
		     "%.2g %% have other values (95 %% confidence)",
		     ct_number(ctas->recorded, number[0]), ct_number(ctas->all, number[1]),
		     300.0 / (double)ctas->recorded);
	if (others)
		snprintf(advice->evidence + used, CT_ADVICE_BYTES - (size_t)used,
			 "; of %s other launches the trace does not have all",
			 ct_number(others, number[0]));
	return true;
}

static int add_pattern(struct ct_values_advices *advices, const struct ct_values_figures *figures,
		       const struct ct_values_set *set, const struct ct_values_pattern *pattern,
		       const char *fix)
{
	const struct ct_values_row *row = row_of(figures, set);
	const struct requested all = requested_by(figures, set);
	struct ct_values_advice *advice = ct_values_advice_add(advices);
	uint64_t partial = partial_launches(figures);
	char number[CT_NUMBER_BYTES];

	if (!advice)
		return -ENOMEM;
	advice->pattern = ct_values_pattern_text(pattern->id);
	advice->fix = fix;
	advice->is_fault = pattern->id == CT_VALUES_NOT_A_NUMBER;
	advice->kernel = set->kernel;
	advice->group = set->group;
	if (row)
		ct_values_advice_set_line(advice, row->unit, row->site);
	advice->share = pattern->share;
	advice->saved_bytes = pattern->saved_bytes;
	advice->sectors = saved_sectors(&all, pattern->saved_bytes);
	advice->avoided = saved_traffic(&all, pattern->saved_bytes, pattern->id);
	describe_pattern(advice, ct_values_group_text(figures, set->group), set, pattern);
	if ((pattern->id == CT_VALUES_HEAVY_TYPE || pattern->id == CT_VALUES_FEW_VALUES) &&
	    is_scattered(&all, set))
		snprintf(advice->evidence, CT_ADVICE_BYTES,
			 "Of each sector that is requested %.1f bytes are used: elements that are "
			 "accessed apart from one another remain in sectors of their own, however "
			 "narrow they are",
			 all.bytes / all.sectors);
	if (pattern->id == CT_VALUES_FREQUENT || pattern->id == CT_VALUES_COMMON)
		snprintf(advice->evidence, CT_ADVICE_BYTES,
			 "At most: a sector is only spared where all lanes that share it have the "
			 "value");
	if (figures->is_summarised && pattern->id == CT_VALUES_FEW_VALUES)
		snprintf(
		    advice->evidence, CT_ADVICE_BYTES,
		    "How many values there are is estimated (tier values, standard error 8 %%); "
		    "a full trace counts them");
	if (partial && !put_bound(advice, figures, set, pattern->id))
		snprintf(
		    advice->evidence, CT_ADVICE_BYTES,
		    "Of the accesses that are recorded: of %s launches the trace does not have "
		    "all, and others may have other values",
		    ct_number(partial, number));
	return 0;
}

int ct_values_advise_patterns(struct ct_values_advices *advices,
			      const struct ct_values_figures *figures, double least)
{
	int err = 0;

	for (size_t i = 0; i < figures->sets && err == 0; i++) {
		const struct ct_values_set *set = &figures->set[i];
		struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT];
		size_t count = ct_values_patterns(set, pattern);

		for (size_t p = 0; p < count && err == 0; p++) {
			const char *fix = fix_of(figures, set, &pattern[p]);

			if (fix && (pattern[p].saved_bytes >= least ||
				    pattern[p].id == CT_VALUES_NOT_A_NUMBER))
				err = add_pattern(advices, figures, set, &pattern[p], fix);
		}
	}
	return err;
}
