/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the variables that warps of samples wait for. */
#ifndef CT_POSTPROC_ANALYSIS_BLAME_WAITS_H
#define CT_POSTPROC_ANALYSIS_BLAME_WAITS_H

#include "postproc/analysis/blame/blame.h"

/* A variable that is waited for. */
struct ct_blame_waited {
	const struct ct_blame_variable *variable;
	const struct ct_blame_wait *most; /* the line and the reason of most of it */
};

/* The heaviest of a variable's, which the others follow; NULL: nothing waits for it. */
const struct ct_blame_wait *ct_blame_first_wait(const struct ct_blame *blame, uint32_t variable);

/* Those that at least a hundredth of all samples waits for, the most first; what is part of another
 * one is left out. Freed by the caller; NULL: no memory. */
struct ct_blame_waited *ct_blame_sort_waited(const struct ct_blame *blame, size_t *count);

#endif
