/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of blame as rows: what weighs most first, what is part of it below it. */
#ifndef CT_POSTPROC_ANALYSIS_BLAME_ROWS_H
#define CT_POSTPROC_ANALYSIS_BLAME_ROWS_H

#include "postproc/analysis/blame/blame.h"

struct ct_blame_row {
	uint32_t variable; /* or node, or launch */
	unsigned depth;
	size_t parent; /* the row that it is below, which is before it; SIZE_MAX: none */
	size_t end;    /* the row behind its last part */
};

struct ct_blame_rows {
	struct ct_blame_row *row;
	size_t count;
};

/* Without variables that nothing is blamed on and that nothing reads. 0 or -ENOMEM */
int ct_blame_rows_init(struct ct_blame_rows *rows, const struct ct_blame *blame);
/* Opens rows of functions. */
int ct_blame_code_rows_init(struct ct_blame_rows *rows, const struct ct_blame *blame);
/* Opens rows of launches. */
int ct_blame_launch_rows_init(struct ct_blame_rows *rows, const struct ct_blame *blame);
void ct_blame_rows_fini(struct ct_blame_rows *rows);

/* The functions of a node as in the source; freed by the caller. NULL: no memory. */
char *ct_blame_function_name(const struct ct_blame_node *node);

#endif
