/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a piece of advice is about: how large it is and how much it moves. Advice is made of nothing
 * else (ct_values_advice_add), so that none is worth more than what was moved.
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_SUBJECT_H
#define CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_SUBJECT_H

#include "postproc/analysis/values/base/figures.h"

struct ct_values_subject {
	uint32_t group;
	uint64_t object_bytes; /* allocated, all objects of the group; 0: of none that is known */
	uint64_t used_bytes;   /* of these, by launches; 0: not known */
	double moved_bytes;    /* traffic of requests, or memory: no advice is worth more */
};

/* Bytes that requests of a row ask for; of global memory at most those of their sectors: what all
 * lanes load is moved once. */
double ct_values_row_traffic(const struct ct_values_row *row);

/* By group, what launches move of its objects; the caller frees it. NULL: memory is short. */
struct ct_values_subject *ct_values_subjects(const struct ct_values_figures *figures);
/* Whether the objects are known, and moved: else nothing can be advised of them. */
bool ct_values_subject_is_known(const struct ct_values_subject *subject);
/* Too small to be stored another way: it is a sector or few, or stays in the nearest cache, since
 * each byte is requested many times. */
bool ct_values_subject_is_table(const struct ct_values_subject *subject);
/* So small that the L1 of an SM has all of it, however little of it CTAs leave: how wide its
 * elements are makes no difference. */
bool ct_values_subject_is_small(const struct ct_values_subject *subject);

/* "a", "memory of no known object"; of a group. */
const char *ct_values_group_text(const struct ct_values_figures *figures, uint32_t group);

#endif
