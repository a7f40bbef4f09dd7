/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of shared memory by line of the source. */
#ifndef CT_POSTPROC_ANALYSIS_BANKS_LINES_H
#define CT_POSTPROC_ANALYSIS_BANKS_LINES_H

#include "postproc/analysis/banks/analysis.h"
#include "postproc/facts/place.h"

/* Loads or stores of a line in a function: copies of its code, as of an unrolled loop, are sites of
 * their own. */
struct ct_banks_line {
	const struct ct_unit *unit;
	uint32_t site; /* the first of them */
	struct ct_place place;
	uint32_t operation;
	struct ct_banks_figures figures;
};

struct ct_banks_lines {
	struct ct_banks_line *list; /* those with requests; most excess first */
	size_t count;
	uint64_t wavefronts; /* of all */
};

/* Zero-initialised; of a job that is done, on rank 0. 0 or -ENOMEM; ct_banks_lines_fini frees in
 * either case. Lines borrow from the trace. */
int ct_banks_lines_init(struct ct_banks_lines *lines, const struct ct_banks_job *job);
void ct_banks_lines_fini(struct ct_banks_lines *lines);

/* Wavefronts beyond the ideal */
uint64_t ct_banks_line_excess(const struct ct_banks_line *line);
/* Returns what most of the excess comes from. */
enum ct_banks_stride ct_banks_line_stride(const struct ct_banks_line *line);
/* As in the source where that is known. */
const char *ct_banks_line_function(const struct ct_banks_line *line);

#endif
