/* SPDX-License-Identifier: Apache-2.0 */
/* Two studies of a program side by side, in sentences: problems that are gone, new and remain, what
 * was predicted of them, and what was saved. */
#ifndef CT_POSTPROC_RENDER_COMPARE_COMPARISON_H
#define CT_POSTPROC_RENDER_COMPARE_COMPARISON_H

#include "postproc/comparison/comparison.h"
#include "postproc/tables/layout.h"
#include <stdio.h>

/* For a terminal, without tables. is_all: problems that are worth little in both, too. */
void ct_comparison_write(FILE *out, const struct ct_comparison *comparison, bool is_all,
			 const struct ct_style *style);

/* The same texts for others. To be freed; NULL: memory is short, or there is none. */
/* "Saved 33 ms of 184 ms (18 %): …", line number from 0; NULL: no more. */
char *ct_comparison_line(const struct ct_comparison *comparison, unsigned number);
/* "heat.cu:45, row_means: Strided accesses" */
char *ct_compared_place(const struct ct_compared_problem *problem,
			const struct ct_comparison *comparison);
/* "was worth about 5.83 ms, 3.2 %; row_means took 7.1 ms, now 1.9 ms" */
char *ct_compared_reported(const struct ct_compared_problem *problem,
			   const struct ct_comparison *comparison);
/* Says what was wrong, and what is to be done where it is still to be done. */
char *ct_compared_text(const struct ct_compared_problem *problem);

/* "Gone", "New", …: above those of a state. */
const char *ct_compared_title(enum ct_compared_state state);

#endif
