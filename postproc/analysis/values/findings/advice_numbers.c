/* SPDX-License-Identifier: Apache-2.0 */
/* Advice about what is not a number, and about zeros. */
#include "postproc/analysis/values/findings/advice_numbers.h"
#include "base/quantity.h"
#include "postproc/analysis/values/base/numbers.h"

#include <errno.h>
#include <stdio.h>

#define ZEROS_MIN 0.8 /* of the elements that are loaded */

int ct_values_advise_nans(struct ct_values_advices *advices,
			  const struct ct_values_figures *figures,
			  const struct ct_values_array *array)
{
	struct ct_values_pattern pattern = {.share = 0};
	struct ct_values_advice *advice;
	const struct ct_values_row *row;
	char value[CT_ELEMENT_TEXT_BYTES], number[CT_NUMBER_BYTES];
	size_t i = 0;

	while (i < array->sets &&
	       !ct_values_set_pattern(array->set[i], CT_VALUES_NOT_A_NUMBER, &pattern))
		i++;
	if (i == array->sets)
		return 0;
	advice =
	    ct_values_advice_add(advices, ct_values_pattern_finding(pattern.id), array->subject, 0);
	if (!advice)
		return -ENOMEM;
	advice->fix = ct_values_pattern_fix(pattern.id);
	advice->is_fault = true;
	advice->share = pattern.share;
	advice->kernel = array->set[i]->kernel;
	row = ct_values_array_row(array, array->set[i]);
	if (row)
		ct_values_advice_set_line(advice, row->unit, row->site);
	snprintf(advice->text, CT_ADVICE_BYTES, "%.1f %% of %s elements %s %s are %s.",
		 100 * pattern.share, ct_number(array->set[i]->elements, number),
		 array->set[i]->is_store ? "stored to" : "loaded from",
		 ct_values_group_text(figures, array->subject->group),
		 ct_element_text(array->set[i]->type, array->set[i]->top[0].value, value));
	return 0;
}

int ct_values_advise_zeros(struct ct_values_advices *advices,
			   const struct ct_values_figures *figures,
			   const struct ct_values_array *array, const struct ct_values_set *set,
			   double least)
{
	double share = (double)set->zeros / (double)set->elements, saved = 0;
	struct ct_values_subject subject = {.group = set->group,
					    .object_bytes = array->subject->object_bytes,
					    .used_bytes = array->subject->used_bytes};
	struct ct_values_pattern pattern;
	struct ct_values_advice *advice;
	const struct ct_values_row *own = ct_values_array_row(array, set);
	char number[CT_NUMBER_BYTES];

	if (set->is_store || share < ZEROS_MIN || !ct_element_is_float(set->type) ||
	    array->is_by_chance || !ct_element_is_zero(set->type, set->top[0].value) ||
	    (!ct_values_set_pattern(set, CT_VALUES_FREQUENT, &pattern) &&
	     !ct_values_set_pattern(set, CT_VALUES_COMMON, &pattern)))
		return 0;
	for (size_t i = 0; i < figures->rows; i++) {
		const struct ct_values_row *row = &figures->row[i];
		double times = (double)row->counts.elements / (double)set->elements;

		if (row->kernel != set->kernel || row->group == set->group ||
		    row->class != CT_CLASS_LOAD || !row->counts.sectors)
			continue;
		subject.moved_bytes += ct_values_row_traffic(row);
		saved += ct_values_row_traffic(row) * (times >= 1          ? share
						       : times > 1 - share ? 1 - (1 - share) / times
									   : 0);
	}
	if (saved < least || !(saved > 0))
		return 0;
	advice =
	    ct_values_advice_add(advices, ct_values_pattern_finding(pattern.id), &subject, saved);
	if (!advice)
		return -ENOMEM;
	advice->fix = ct_values_pattern_fix(pattern.id);
	advice->share = share;
	advice->kernel = set->kernel;
	advice->launches = figures->kernel[set->kernel].launches;
	if (own)
		ct_values_advice_set_line(advice, own->unit, own->site);
	snprintf(advice->text, CT_ADVICE_BYTES, "%.1f %% of %s elements loaded from %s are 0.",
		 100 * share, ct_number(set->elements, number),
		 ct_values_group_text(figures, set->group));
	snprintf(advice->evidence, CT_ADVICE_BYTES,
		 "At most: a sector is only spared where all lanes that share it have the value");
	return 0;
}
