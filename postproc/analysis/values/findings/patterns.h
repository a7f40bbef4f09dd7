/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the values of a set have in common (ValueExpert's patterns, with the thresholds of its code
 * and of docs/values.md; shares are of elements that were accessed).
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_PATTERNS_H
#define CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_PATTERNS_H

#include "postproc/analysis/values/base/figures.h"
#include "postproc/facts/finding.h"

/* X(ID, name, what to do) */
#define CT_VALUES_PATTERNS(X)                                                                      \
	X(NOT_A_NUMBER, "not a number",                                                            \
	  "Find out what makes them, such as a division by zero: nothing that is computed from "   \
	  "them is a number")                                                                      \
	X(SINGLE_ZERO, "single zero",                                                              \
	  "Drop the array and what fills it, if it holds nothing but zeros with any input")        \
	X(SINGLE_VALUE, "single value",                                                            \
	  "If it is the value with any input: pass it as an argument of the kernel in place of "   \
	  "the array, and drop what fills it")                                                     \
	X(FREQUENT, "frequent value",                                                              \
	  "Where it is a factor of what the thread loads else, test it first, and skip these "     \
	  "loads for zeros")                                                                       \
	X(COMMON, "common value",                                                                  \
	  "Where it is a factor of what the thread loads else, test it first, and skip these "     \
	  "loads for zeros")                                                                       \
	X(STRUCTURED, "structured",                                                                \
	  "If it is so with any input: compute the values from the index in place of loading "     \
	  "them")                                                                                  \
	X(HEAVY_TYPE, "heavy type",                                                                \
	  "If it is so with any input: store the array with the narrower type")                    \
	X(FEW_VALUES, "few values",                                                                \
	  "If it is so with any input: store one byte per element, an index in a table of the "    \
	  "values")                                                                                \
	X(APPROXIMATE, "approximate",                                                              \
	  "If results may differ, use one element for its neighbours, and skip theirs")

enum ct_values_pattern_id {
#define X(id, name, fix) CT_VALUES_##id,
	CT_VALUES_PATTERNS(X)
#undef X
	    CT_VALUES_PATTERN_COUNT,
};

struct ct_values_pattern {
	enum ct_values_pattern_id id;
	double share;               /* of the elements, that it is about */
	double saved_bytes;         /* of the set's traffic, at most */
	enum ct_values_width width; /* of HEAVY_TYPE */
};

const char *ct_values_pattern_text(enum ct_values_pattern_id id);
enum ct_finding_id ct_values_pattern_finding(enum ct_values_pattern_id id);
const char *ct_values_pattern_fix(enum ct_values_pattern_id id);

/* Those of a set, the most important first; their number. */
size_t ct_values_patterns(const struct ct_values_set *set,
			  struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT]);

#endif
