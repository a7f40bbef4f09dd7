/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branches of the machine code beside those of the source. Counters count branches with a condition
 * and ways back of loops; the assembler makes predicates, selects and early ends of others, which
 * are no branches then. No cubin says which became what, so lines are compared:
 *
 *  - of a line without a branch in the machine code no branch is left;
 *  - of one with as many as there are in the blocks, or so many for each as its loop was unrolled,
 *    all are, and part as often;
 *  - branches that end a turn are as many only where their loop was not unrolled (loop_pairs.h);
 *    ways back without a condition are its turns but for the last ones;
 *  - divisions and roots ask whether they go their slow way as often as they are executed.
 *
 * What does not fit is not known, and said.
 */
#ifndef CT_POSTPROC_ANALYSIS_BRANCHES_MACHINE_H
#define CT_POSTPROC_ANALYSIS_BRANCHES_MACHINE_H

#include "postproc/analysis/branches/analysis.h"
#include "postproc/analysis/model/binary.h"

/* Fills in the machine's figures of kernels, and what is left of lines, from the cubins given, or
 * those that the trace has. 0 or -ENOMEM. */
int ct_branches_set_code(struct ct_branches_results *results, const struct ct_trace *trace,
			 const struct ct_model_cubin *cubins, size_t count);

#endif
