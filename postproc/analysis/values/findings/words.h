/* SPDX-License-Identifier: Apache-2.0 */
/* Words of the tables of values: lists of patterns, places, names of objects. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_WORDS_H
#define CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_WORDS_H

#include "postproc/analysis/values/findings/findings.h"

#define CT_VALUE_WORDS 512u

/* "a, b"; zero-initialise. */
struct ct_value_words {
	char text[CT_VALUE_WORDS];
	size_t used;
};

void ct_value_words_add(struct ct_value_words *words, const char *word);
/* patterns: bits 1 << enum ct_values_life_id */
void ct_value_words_add_lives(struct ct_value_words *words, uint32_t patterns);

/* "main.cu:12" of the site of a launch or allocation; NULL: not known. */
const char *ct_value_place_text(const char *site, char text[CT_VALUE_WORDS]);
/* NULL: no known object. */
const char *ct_value_object_name(const struct ct_values_figures *values, uint32_t group);

#endif
