/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advice about what the values of objects have in common. What one kernel loads or stores has a
 * pattern by itself; what is said of an array must hold of all that is loaded from it and stored to
 * it, by whichever kernel, and it is said once. An array is what is accessed in the objects of a
 * group as elements of one type.
 */
#include "base/quantity.h"
#include "postproc/analysis/values/base/numbers.h"
#include "postproc/analysis/values/findings/advice_numbers.h"
#include "postproc/analysis/values/findings/arrays.h"
#include "postproc/analysis/values/findings/findings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENT_LOADS 32u      /* of a warp */
#define FEW_VALUES_ELEMENTS 16u /* that the array has for each value */
#define FEW_OF_INPUT 32u        /* values: more are few by chance, since the input is small */

/* The sites of a set request this. */
struct requested {
	double bytes, sectors, moved;
	struct ct_values_traffic traffic;
};

static struct requested requested_by(const struct ct_values_figures *figures,
				     const struct ct_values_array *array,
				     const struct ct_values_set *set)
{
	enum ct_class class = set->is_store ? CT_CLASS_STORE : CT_CLASS_LOAD;
	struct requested all = {.bytes = 0};

	for (size_t i = 0; i < array->rows; i++) {
		const struct ct_values_row *row = array->row[i];

		if (row->kernel != set->kernel || row->class != class)
			continue;
		all.sectors += (double)row->counts.sectors;
		all.bytes += (double)row->counts.bytes;
		all.moved += ct_values_row_traffic(row);
		ct_values_traffic_add(&all.traffic, figures, (size_t)(row - figures->row), 1);
	}
	return all;
}

/* Returns the part of what a set requests that so many bytes of its elements are. */
static double part_of(const struct requested *all, double bytes)
{
	return all->bytes > 0 && bytes < all->bytes ? bytes / all->bytes : all->bytes > 0;
}

static bool is_about_width(enum ct_values_pattern_id id)
{
	return id == CT_VALUES_HEAVY_TYPE || id == CT_VALUES_FEW_VALUES;
}

/* By level. Narrower elements are waited for as wider ones are. */
static struct ct_values_traffic saved_traffic(const struct requested *all, double part,
					      enum ct_values_pattern_id id)
{
	bool is_narrower = is_about_width(id);
	struct ct_values_traffic saved = all->traffic;

	for (unsigned l = 0; l < CT_SERVED_LEVELS; l++) {
		saved.sectors[l] *= part;
		saved.waits[l] *= is_narrower ? 0 : part;
	}
	return saved;
}

/* Elements that are accessed apart from one another remain in sectors of their own, however narrow
 * they are. */
static bool is_scattered(const struct ct_values_figures *figures,
			 const struct ct_values_array *array)
{
	double bytes = 0, sectors = 0;

	for (size_t i = 0; i < array->sets; i++) {
		struct requested all = requested_by(figures, array, array->set[i]);

		bytes += all.bytes;
		sectors += all.sectors;
	}
	return bytes < 2.0 * CT_VALUES_TYPE_BYTES(array->set[0]->type) * sectors;
}

static bool has_everywhere(const struct ct_values_array *array, enum ct_values_pattern_id id)
{
	struct ct_values_pattern found;

	for (size_t i = 0; i < array->sets; i++)
		if (!ct_values_set_pattern(array->set[i], id, &found))
			return false;
	return true;
}

/* All that is accessed has one value, bit by bit, or is zero. */
static bool is_single_everywhere(const struct ct_values_array *array, bool is_zero)
{
	for (size_t i = 0; i < array->sets; i++) {
		const struct ct_values_set *set = array->set[i];

		if (is_zero
			? set->zeros != set->elements
			: set->distinct != 1 || set->top[0].value != array->set[0]->top[0].value)
			return false;
	}
	return true;
}

/* The narrowest type that holds all that is accessed there; CT_VALUES_WIDTHS: none. */
static enum ct_values_width narrowest_everywhere(const struct ct_values_array *array)
{
	for (unsigned w = 0; w < CT_VALUES_WIDTHS; w++) {
		bool holds = true;

		for (size_t i = 0; i < array->sets && holds; i++)
			holds = array->set[i]->held[w] == array->set[i]->elements;
		if (holds)
			return (enum ct_values_width)w;
	}
	return CT_VALUES_WIDTHS;
}

/* Few values are few in each set alone; those of all sets are no more than their sum. */
static bool has_few_values(const struct ct_values_array *array)
{
	uint64_t distinct = 0, bytes = array->subject->used_bytes;

	bytes = bytes ? bytes : array->subject->object_bytes;
	for (size_t i = 0; i < array->sets; i++)
		distinct += array->set[i]->distinct;
	return has_everywhere(array, CT_VALUES_FEW_VALUES) && distinct <= 256 &&
	       bytes / CT_VALUES_TYPE_BYTES(array->set[0]->type) >= FEW_VALUES_ELEMENTS * distinct;
}

/* Values that kernels compute there, element by element, as in an accumulator, may differ with
 * other inputs, and one that a kernel has stored to a single element is a result. */
static bool is_result(const struct ct_values_array *array)
{
	return array->has_atomics || array->is_updated ||
	       (array->is_stored && ct_values_subject_is_table(array->subject));
}

/* Whether it could be an argument: threads load it, and it is no variable of the program, which
 * may be another one's business, nor where something lies. */
static bool is_argument(const struct ct_values_figures *figures,
			const struct ct_values_array *array)
{
	const struct ct_object_info *object = figures->object[array->subject->group];
	const struct ct_values_set *set = array->set[0];

	return set->elements >= ARGUMENT_LOADS &&
	       CT_VALUES_TYPE_SCALAR(set->type) != CT_SCALAR_POINTER && object &&
	       !(object->event->kind == CT_OBJECT_VARIABLE &&
		 ct_values_subject_is_table(array->subject));
}

/* Whether there is something to do about what an array has in common, and what. */
static const char *fix_of(const struct ct_values_figures *figures,
			  const struct ct_values_array *array, enum ct_values_pattern_id id)
{
	const bool is_table = ct_values_subject_is_table(array->subject);
	enum ct_values_width width = narrowest_everywhere(array);
	bool has = false;

	switch (id) {
	case CT_VALUES_SINGLE_ZERO:
	case CT_VALUES_SINGLE_VALUE:
		has = is_single_everywhere(array, id == CT_VALUES_SINGLE_ZERO) &&
		      !is_result(array) && is_argument(figures, array);
		break;
	case CT_VALUES_STRUCTURED:
		has = !is_table && !is_result(array) && has_everywhere(array, id);
		break;
	case CT_VALUES_HEAVY_TYPE:
		has = !is_table && !is_result(array) && !array->is_stored &&
		      width != CT_VALUES_WIDTHS &&
		      ct_width_bytes(width) < CT_VALUES_TYPE_BYTES(array->set[0]->type) &&
		      !is_single_everywhere(array, false) && !is_scattered(figures, array);
		break;
	case CT_VALUES_FEW_VALUES:
		has = !is_table && !is_result(array) && !array->is_stored &&
		      has_few_values(array) && !is_scattered(figures, array);
		break;
	case CT_VALUES_APPROXIMATE:
		has = !is_table && !is_result(array) && has_everywhere(array, id);
		break;
	default:
		break;
	}
	return has && array->is_loaded && !array->is_by_chance ? ct_values_pattern_fix(id) : NULL;
}

/* Values that are computed, or taken from a neighbour, in place of being loaded are stored all
 * the same; those of an array that is not needed are not. */
static bool is_concerned(const struct ct_values_set *set, enum ct_values_pattern_id id)
{
	return !set->is_store || (id != CT_VALUES_STRUCTURED && id != CT_VALUES_APPROXIMATE);
}

static uint64_t count_elements(const struct ct_values_array *array, enum ct_values_pattern_id id,
			       const char **verb)
{
	uint64_t elements = 0;

	*verb = "loaded from";
	for (size_t i = 0; i < array->sets; i++) {
		if (!is_concerned(array->set[i], id))
			continue;
		elements += array->set[i]->elements;
		*verb = array->set[i]->is_store ? "loaded from and stored to" : *verb;
	}
	return elements;
}

static void describe(struct ct_values_advice *advice, const char *object,
		     const struct ct_values_array *array, enum ct_values_pattern_id id)
{
	const struct ct_values_set *set = array->set[0];
	char value[CT_ELEMENT_TEXT_BYTES], type[CT_ELEMENT_TEXT_BYTES], buffer[CT_NUMBER_BYTES];
	const char *verb, *number = ct_number(count_elements(array, id, &verb), buffer);

	ct_element_text(set->type,
			id == CT_VALUES_APPROXIMATE ? set->alike_value : set->top[0].value, value);
	ct_element_type_text(set->type, type);
	switch (id) {
	case CT_VALUES_SINGLE_ZERO:
	case CT_VALUES_SINGLE_VALUE:
		snprintf(advice->text, CT_ADVICE_BYTES, "All %s elements %s %s are %s.", number,
			 verb, object, id == CT_VALUES_SINGLE_ZERO ? "0" : value);
		break;
	case CT_VALUES_STRUCTURED:
		snprintf(advice->text, CT_ADVICE_BYTES,
			 "What is %s %s grows by %lld from element to element.", verb, object,
			 (long long)set->slope);
		break;
	case CT_VALUES_HEAVY_TYPE:
		snprintf(advice->text, CT_ADVICE_BYTES,
			 "All %s elements %s %s fit %s exactly; their type is %s.", number, verb,
			 object, ct_width_text(narrowest_everywhere(array)), type);
		break;
	case CT_VALUES_APPROXIMATE:
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
	used = snprintf(
	    advice->evidence, CT_ADVICE_BYTES,
	    "In all of the %s thread blocks that are recorded: of all %s of these launches at most "
	    "%.2g %% have other values (95 %% confidence)",
	    ct_number(ctas->recorded, number[0]), ct_number(ctas->all, number[1]),
	    300.0 / (double)ctas->recorded);
	if (others)
		snprintf(advice->evidence + used, CT_ADVICE_BYTES - (size_t)used,
			 "; of %s other launches the trace does not have all",
			 ct_number(others, number[0]));
	return true;
}

/* Says what is conditional about it. */
static void put_evidence(struct ct_values_advice *advice, const struct ct_values_figures *figures,
			 const struct ct_values_array *array, enum ct_values_pattern_id id)
{
	const struct ct_values_subject *subject = array->subject;
	char number[CT_NUMBER_BYTES], size[CT_NUMBER_BYTES], moved[CT_NUMBER_BYTES];
	uint64_t partial = partial_launches(figures);
	size_t used;

	if (partial && !put_bound(advice, figures, array->set[0], id))
		snprintf(
		    advice->evidence, CT_ADVICE_BYTES,
		    "Of the accesses that are recorded: of %s launches the trace does not have "
		    "all, and others may have other values",
		    ct_number(partial, number));
	else if (!partial && figures->is_summarised && id == CT_VALUES_FEW_VALUES)
		snprintf(advice->evidence, CT_ADVICE_BYTES,
			 "How many values there are is estimated (tier values, standard error 8 "
			 "%%); a full trace counts them");
	used = strlen(advice->evidence);
	snprintf(advice->evidence + used, CT_ADVICE_BYTES - used, "%s%s %s %s, %s of it are moved",
		 used ? "; " : "", ct_values_group_text(figures, subject->group),
		 figures->objects[subject->group] > 1 ? "have" : "has",
		 ct_size(subject->object_bytes, size),
		 ct_size((uint64_t)subject->moved_bytes, moved));
}

/* Bytes of a set's elements that its fix does without. */
static double bytes_without(const struct ct_values_array *array, const struct ct_values_set *set,
			    enum ct_values_pattern_id id)
{
	unsigned bytes = CT_VALUES_TYPE_BYTES(set->type);
	unsigned left = id == CT_VALUES_HEAVY_TYPE   ? ct_width_bytes(narrowest_everywhere(array))
			: id == CT_VALUES_FEW_VALUES ? 1
						     : 0;

	return is_concerned(set, id) ? (double)set->elements * (bytes - left) : 0;
}

static double saved_bytes(const struct ct_values_figures *figures,
			  const struct ct_values_array *array, enum ct_values_pattern_id id)
{
	double saved = 0;

	for (size_t i = 0; i < array->sets; i++) {
		struct requested all = requested_by(figures, array, array->set[i]);

		saved += all.moved * part_of(&all, bytes_without(array, array->set[i], id));
	}
	return saved;
}

/* Other runs are given other values. What the host has copied in has one value, or grows, or takes
 * few values, as often as a test has filled it so; a type that is four times too wide, or twice
 * where it holds pointers' width, is the program's, and so is what it sets and computes itself. */
static bool is_of_input(const struct ct_values_array *array, enum ct_values_pattern_id id)
{
	unsigned type = array->set[0]->type, bytes = CT_VALUES_TYPE_BYTES(type);
	enum ct_values_width width = narrowest_everywhere(array);

	if (!array->is_input)
		return false;
	switch (id) {
	case CT_VALUES_HEAVY_TYPE:
		return ct_element_is_float(type) ? width != CT_VALUES_F32
						 : bytes < 8 && ct_width_bytes(width) * 4 > bytes;
	case CT_VALUES_FEW_VALUES:
		return array->set[0]->distinct > FEW_OF_INPUT;
	default:
		return true;
	}
}

static int add_array(struct ct_values_advices *advices, const struct ct_values_figures *figures,
		     const struct ct_values_array *array, enum ct_values_pattern_id id,
		     const char *fix)
{
	const struct ct_values_row *row = ct_values_array_row(array, array->set[0]);
	struct ct_values_advice *advice =
	    ct_values_advice_add(advices, ct_values_pattern_finding(id), array->subject,
				 saved_bytes(figures, array, id));

	if (!advice)
		return -ENOMEM;
	advice->fix = fix;
	advice->share = 1;
	advice->is_fact = is_of_input(array, id) ||
			  (is_about_width(id) && ct_values_subject_is_small(array->subject));
	for (size_t i = 0; i < array->sets; i++) {
		struct requested all = requested_by(figures, array, array->set[i]);
		double part = part_of(&all, bytes_without(array, array->set[i], id));
		struct ct_values_traffic avoided = saved_traffic(&all, part, id);

		ct_values_advice_avoid(advice, figures, array->set[i]->kernel, part * all.sectors,
				       &avoided);
	}
	if (row)
		ct_values_advice_set_line(advice, row->unit, row->site);
	describe(advice, ct_values_group_text(figures, array->subject->group), array, id);
	put_evidence(advice, figures, array, id);
	return 0;
}

/* reported: bits 1 << enum ct_values_pattern_id of what has been said of the group. */
static int advise_array(struct ct_values_advices *advices, const struct ct_values_figures *figures,
			const struct ct_values_array *array, double least, uint32_t *reported)
{
	static const enum ct_values_pattern_id ids[] = {
	    CT_VALUES_SINGLE_ZERO, CT_VALUES_SINGLE_VALUE, CT_VALUES_STRUCTURED,
	    CT_VALUES_FEW_VALUES,  CT_VALUES_HEAVY_TYPE,   CT_VALUES_APPROXIMATE};
	const uint32_t nans = 1u << CT_VALUES_NOT_A_NUMBER;
	const uint32_t singles = nans | 1u << CT_VALUES_SINGLE_ZERO | 1u << CT_VALUES_SINGLE_VALUE;
	const uint32_t others = 1u << CT_VALUES_STRUCTURED | 1u << CT_VALUES_FEW_VALUES;
	const uint32_t zeros = 1u << CT_VALUES_FREQUENT;
	size_t before = advices->count;
	int err = 0;

	if (!(*reported & nans))
		err = ct_values_advise_nans(advices, figures, array);
	*reported |= advices->count > before ? nans : 0;
	for (size_t i = 0; i < array->sets && err == 0 && !(*reported & zeros); i++) {
		before = advices->count;
		err = ct_values_advise_zeros(advices, figures, array, array->set[i], least);
		*reported |= advices->count > before ? zeros : 0;
	}
	for (size_t p = 0; p < sizeof(ids) / sizeof(*ids) && err == 0; p++) {
		/* Elements that are one value, can be computed, or are a byte need not be
		 * narrower. */
		const char *fix = *reported & (1u << ids[p] | singles | others)
				      ? NULL
				      : fix_of(figures, array, ids[p]);

		if (!fix || saved_bytes(figures, array, ids[p]) < least)
			continue;
		*reported |= 1u << ids[p];
		err = add_array(advices, figures, array, ids[p], fix);
	}
	return err;
}

int ct_values_advise_patterns(struct ct_values_advices *advices,
			      const struct ct_values_figures *figures,
			      const struct ct_values_subject *subject, double least)
{
	struct ct_values_arrays arrays;
	int err = ct_values_arrays_init(&arrays, figures, subject);
	uint32_t reported = 0;

	for (size_t i = 0; i < arrays.count && err == 0; i++) {
		const struct ct_values_array *array = &arrays.list[i];

		reported = i && array->subject == array[-1].subject ? reported : 0;
		if (ct_values_subject_is_known(array->subject))
			err = advise_array(advices, figures, array, least, &reported);
	}
	ct_values_arrays_fini(&arrays);
	return err;
}
