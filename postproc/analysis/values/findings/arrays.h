/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what kernels access in the objects of a group as elements of one type, all of them
 * together. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_ARRAYS_H
#define CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_ARRAYS_H

#include "postproc/analysis/values/base/figures.h"
#include "postproc/analysis/values/findings/patterns.h"
#include "postproc/analysis/values/findings/subject.h"

struct ct_values_array {
	const struct ct_values_subject *subject;
	const struct ct_values_set **set; /* loads first, those of the most elements first */
	size_t sets;                      /* at least one */
	const struct ct_values_row **row; /* of the group, whatever the type */
	size_t rows;
	bool is_loaded, is_stored;
	bool is_updated;   /* a kernel loads and stores it */
	bool has_atomics;  /* of whatever type */
	bool is_by_chance; /* something is loaded never written since the allocation */
	bool is_input;     /* some of what is loaded the host has copied in */
};

/* Figures and subjects outlive them. */
struct ct_values_arrays {
	struct ct_values_array *list; /* by group, those of the most elements first */
	size_t count;
	const struct ct_values_set **set;
	const struct ct_values_row **row;
};

/* 0 or -ENOMEM; ct_values_arrays_fini frees in either case. */
int ct_values_arrays_init(struct ct_values_arrays *arrays, const struct ct_values_figures *figures,
			  const struct ct_values_subject *subject);
void ct_values_arrays_fini(struct ct_values_arrays *arrays);

/* The site of the set's kernel and class with the most elements; NULL: none. */
const struct ct_values_row *ct_values_array_row(const struct ct_values_array *array,
						const struct ct_values_set *set);
/* A set's pattern of that kind; false: it has none. */
bool ct_values_set_pattern(const struct ct_values_set *set, enum ct_values_pattern_id id,
			   struct ct_values_pattern *found);

#endif
