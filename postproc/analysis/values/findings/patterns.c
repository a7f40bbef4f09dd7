/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what the values of a set have in common. */
#include "postproc/analysis/values/findings/patterns.h"
#include "postproc/analysis/values/base/numbers.h"

#define FREQUENT_SHARE 0.5      /* of the elements have the value, */
#define FREQUENT_DISTINCT 0.1   /* and no more distinct ones than that there are, if frequent */
#define FEW_VALUES 256u         /* that a byte tells apart, */
#define FEW_VALUES_ELEMENTS 16u /* with as many elements for each */
#define STRUCTURED_SHARE 0.99   /* of neighbours are on one line of their index, */
#define STRUCTURED_PAIRS 3u     /* and there are as many */

const char *ct_values_pattern_text(enum ct_values_pattern_id id)
{
	static const char *const text[] = {
#define X(id, name, fix) [CT_VALUES_##id] = name,
	    CT_VALUES_PATTERNS(X)
#undef X
	};

	return text[id];
}

enum ct_finding_id ct_values_pattern_finding(enum ct_values_pattern_id id)
{
	static const enum ct_finding_id of[] = {
#define X(id, name, fix) [CT_VALUES_##id] = CT_ID_##id,
	    CT_VALUES_PATTERNS(X)
#undef X
	};

	return of[id];
}

const char *ct_values_pattern_fix(enum ct_values_pattern_id id)
{
	static const char *const text[] = {
#define X(id, name, fix) [CT_VALUES_##id] = fix,
	    CT_VALUES_PATTERNS(X)
#undef X
	};

	return text[id];
}

/* The narrowest type that holds all elements; CT_VALUES_WIDTHS: none. */
static enum ct_values_width narrowest(const struct ct_values_set *set)
{
	for (unsigned w = 0; w < CT_VALUES_WIDTHS; w++)
		if (set->held[w] == set->elements)
			return (enum ct_values_width)w;
	return CT_VALUES_WIDTHS;
}

static bool is_structured(const struct ct_values_set *set)
{
	return set->slope && set->neighbours >= STRUCTURED_PAIRS &&
	       (double)set->line_pairs >= STRUCTURED_SHARE * (double)set->neighbours;
}

size_t ct_values_patterns(const struct ct_values_set *set,
			  struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT])
{
	const double elements = (double)set->elements, size = CT_VALUES_TYPE_BYTES(set->type);
	const double bytes = elements * size;
	enum ct_values_width width = narrowest(set);
	size_t count = 0;

	if (set->elements < 2)
		return 0;
	if (ct_element_is_nan(set->type, set->top[0].value) &&
	    (double)set->top[0].elements >= FREQUENT_SHARE * elements) {
		pattern[0] = (struct ct_values_pattern){
		    CT_VALUES_NOT_A_NUMBER, (double)set->top[0].elements / elements, 0, width};
		return 1;
	}
	if (set->near_zeros == set->elements) {
		pattern[0] = (struct ct_values_pattern){CT_VALUES_SINGLE_ZERO, 1, bytes, width};
		return 1;
	}
	if (set->distinct == 1) {
		pattern[0] = (struct ct_values_pattern){CT_VALUES_SINGLE_VALUE, 1, bytes, width};
		return 1;
	}
	if ((double)set->top[0].elements >= FREQUENT_SHARE * elements && set->top[0].elements > 1) {
		bool is_frequent = (double)set->distinct <= FREQUENT_DISTINCT * elements;
		double share = (double)set->top[0].elements / elements;

		pattern[count++] =
		    (struct ct_values_pattern){is_frequent ? CT_VALUES_FREQUENT : CT_VALUES_COMMON,
					       share, share * bytes, width};
	}
	if (is_structured(set))
		pattern[count++] = (struct ct_values_pattern){
		    CT_VALUES_STRUCTURED, (double)set->line_pairs / (double)set->neighbours, bytes,
		    width};
	if (width != CT_VALUES_WIDTHS)
		pattern[count++] = (struct ct_values_pattern){
		    CT_VALUES_HEAVY_TYPE, 1, elements * (size - ct_width_bytes(width)), width};
	if (size > 1 && set->distinct <= FEW_VALUES &&
	    set->elements >= FEW_VALUES_ELEMENTS * set->distinct &&
	    (width == CT_VALUES_WIDTHS || ct_width_bytes(width) > 1))
		pattern[count++] = (struct ct_values_pattern){CT_VALUES_FEW_VALUES, 1,
							      elements * (size - 1), width};
	if (set->alike)
		pattern[count++] =
		    (struct ct_values_pattern){CT_VALUES_APPROXIMATE, 1, bytes, width};
	return count;
}
