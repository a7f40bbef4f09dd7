/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what became of each branch of a kernel, line by line (machine.h). */
#ifndef CT_POSTPROC_ANALYSIS_BRANCHES_FATES_H
#define CT_POSTPROC_ANALYSIS_BRANCHES_FATES_H

#include "postproc/analysis/branches/analysis.h"
#include "postproc/analysis/branches/code.h"
#include "postproc/analysis/model/loop_pairs.h"

enum ct_branches_fate {
	CT_BRANCHES_GONE, /* none is left */
	CT_BRANCHES_KEPT,
	CT_BRANCHES_UNKNOWN,
};

/* A branch of the kernel's blocks, or of a function's that it calls. */
struct ct_branches_own {
	struct ct_branches_site *site; /* borrowed; NULL: it was not executed */
	const struct ct_unit *unit;
	uint32_t unit_site;
	uint32_t block;   /* of the kernel's; CT_LOOPS_NONE: of another function */
	uint32_t loop;    /* whose turns it ends; CT_LOOPS_NONE: none's */
	double copies;    /* that unrolling makes of it; 0: not known */
	const char *file; /* of the branch, without its folders; "" not known */
	uint32_t line;    /* 0 not known */
	enum ct_branches_fate fate;
	bool is_paired; /* with the instruction that ends its loop's turns */
};

struct ct_branches_fates {
	struct ct_branches_own *own; /* by file and line */
	size_t count;
	const struct ct_branches_instruction *stray; /* one that none became; NULL: there is none */
};

/* Marks what it finds in the code. Site of all units: sites of the kernel's results, of which
 * first_site has each unit's first. 0 or -ENOMEM; ct_branches_fates_fini in any case. */
struct ct_branches_kernel_sites {
	struct ct_branches_site *site; /* ascending */
	size_t count;
	const struct ct_unit *units;
	const uint32_t *first_site; /* by unit, and behind the last */
};
int ct_branches_fates_find(struct ct_branches_fates *fates,
			   const struct ct_branches_kernel_sites *sites,
			   const struct ct_loop_pairs *pairs, struct ct_branches_code *code);
void ct_branches_fates_fini(struct ct_branches_fates *fates);

/* NULL: it was not executed. */
struct ct_branches_site *ct_branches_find_site(const struct ct_branches_kernel_sites *sites,
					       uint32_t site);

/* How often warps went back to the header of a loop of ours; false: not known. */
bool ct_branches_ways_back(const struct ct_branches_kernel_sites *sites,
			   const struct ct_loop_pairs *pairs, uint32_t loop, uint64_t *ways);

/* Whether the machine's loop is one of ours, turn by turn, and none beside it could be, too. */
bool ct_branches_is_same_loop(const struct ct_loop_pairs *pairs, uint32_t loop);

#endif
