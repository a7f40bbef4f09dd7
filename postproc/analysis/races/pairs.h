/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Races by kernel and pair of lines: copies of a line that inlining and unrolling make are one. Of
 * stores that update what they store to all with such and with their loads, which have one cause.
 */
#ifndef CT_POSTPROC_ANALYSIS_RACES_PAIRS_H
#define CT_POSTPROC_ANALYSIS_RACES_PAIRS_H

#include "postproc/analysis/races/analysis.h"

struct ct_races_pair {
	const struct ct_race *race; /* of the first launch, between CTAs if there is one */
	uint64_t bytes, launches;
	uint64_t last_bytes; /* of the last launch: the most of its races */
	const struct ct_launch_info *last;
	enum ct_races_values values;
	bool are_ctas, are_warps;
};

/* The most bytes first; those of the same value last. 0 or -ENOMEM; the caller frees it. */
int ct_races_pairs(struct ct_races_pair **out, size_t *count,
		   const struct ct_races_results *results);

/* The access that the other one is reported as. */
const struct ct_races_access *ct_races_other_of(const struct ct_race *race);
/* Whether one line does it with itself. */
bool ct_races_is_one_line(const struct ct_race *race);
bool ct_races_is_store(const struct ct_races_access *access);

/* "different blocks": who is not ordered; and what to do about it. */
const char *ct_races_who(const struct ct_races_pair *pair);
const char *ct_races_fix(const struct ct_races_pair *pair);

#endif
