/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of rows in words, and what only several rows together tell. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_WORDS_H
#define CT_POSTPROC_ANALYSIS_ACCESS_WORDS_H

#include "postproc/analysis/access/analysis.h"

#define CT_ACCESS_WORDS_BYTES 96u

/* The pattern of most requests; of as many, the one that comes first. */
enum ct_access_pattern ct_access_pattern_of(const struct ct_access_figures *figures);
/* "unit_stride": in JSON */
const char *ct_access_pattern_key(enum ct_access_pattern pattern);

/* The size of the structures whose members the row accesses, or 0: it and another row of its kernel
 * and objects have the same stride, and places in their objects that differ modulo that. */
uint64_t ct_access_structure(const struct ct_access_results *results,
			     const struct ct_access_row *row);

/* "stride 8", "misaligned by 4 B", "structures of 12 B", "gather, 28.3 sectors each (63 %)" */
const char *ct_access_words(const struct ct_access_results *results,
			    const struct ct_access_row *row, char text[CT_ACCESS_WORDS_BYTES]);

/* "a", "memory of no known object", "several objects", "shared memory" */
const char *ct_access_group_text(const struct ct_access_results *results, uint32_t group);

/* Words that meet in the bank of most, in the mean over the requests that count; 0: none do. */
double ct_access_conflict_degree(const struct ct_access_figures *figures);

/* Sectors that would do, of all; 1 without any. */
double ct_access_efficiency(const struct ct_access_figures *figures);

/* Where a row's site is, without directories: "demo.cu:47" */
const char *ct_access_place_text(const struct ct_access_row *row, char *text, size_t bytes);
/* "reads" */
const char *ct_access_verb(const struct ct_access_row *row);

#endif
