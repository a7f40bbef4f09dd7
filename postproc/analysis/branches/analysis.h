/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branches by line: how often warps take them, and how often their lanes part there (seed 004,
 * 4.2.5: divergent and total branches, activity factor). From basic blocks (--ct-events=block) of
 * units whose pass has noted which blocks end in a branch (CT_SITE_BRANCH): where lanes go from
 * one is the block that they enter next. What became of them in machine code is said beside them
 * (machine.h). docs/access.md says what each figure means.
 */
#ifndef CT_POSTPROC_ANALYSIS_BRANCHES_ANALYSIS_H
#define CT_POSTPROC_ANALYSIS_BRANCHES_ANALYSIS_H

#include "postproc/facts/filter.h"
#include "postproc/facts/kernel_table.h"
#include "postproc/facts/place.h"
#include "postproc/scan/analysis.h"

#define CT_BRANCHES_FILE_BYTES 128u

struct ct_branches_figures {
	uint64_t branches;  /* executions by a warp, or by those lanes of it that are together */
	uint64_t divergent; /* of these, such as have lanes that go to different blocks */
	uint64_t lanes;     /* active ones of all executions together */
	/* Instructions of blocks, by lanes: of those that lanes were idle for since they had
	 * parted there from such as executed them, and which of these one lane executed. */
	uint64_t idle, idle_beside_one;
	uint64_t behind, lanes_behind; /* executed by a part of the lanes, by warps and by lanes */
	uint64_t parted_warps;         /* that have parted there at least once */
};

/* Counts what became of the branches of a line, as far as that is known. */
struct ct_branches_left {
	bool is_known;
	uint64_t branches, divergent; /* that are branches still */
};

/* A block of a kernel that was executed. */
struct ct_branches_site {
	uint32_t kernel, site;              /* the site of all units' */
	uint64_t executed;                  /* by warps */
	struct ct_branches_figures figures; /* of the branch that it ends in */
	uint64_t back;                      /* of the branches, those of which some lanes go back */
	uint32_t line;                      /* number of its line; of those that branch */
};

/* The branches of one line in launches of a kernel. */
struct ct_branches_line {
	uint32_t number; /* in the order in which they were found */
	uint32_t kernel;
	const struct ct_unit *unit;
	uint32_t site; /* the first block of the unit that ends in a branch of the line */
	struct ct_place place;
	struct ct_branches_figures figures; /* nothing idle of the compiler's and toolkit's code */
	struct ct_branches_left left;       /* after ct_branches_set_code */
};

/* Counts, as counters of the device do, the machine code's branches: those with a condition, and
 * the ways back of loops, which have none. */
struct ct_branches_machine {
	bool has_code;            /* a cubin has the kernel; else nothing is known */
	bool is_counted;          /* branches is known */
	bool is_divergence_known; /* but for what divisions' slow ways do */
	uint64_t branches, divergent;
	uint64_t ways_back; /* of branches; of those that are known */
	uint64_t tests;  /* of branches, those that ask whether a division goes its slow way, which
			    has branches of its own, and which lanes may take apart */
	bool has_tests;  /* there are such, executed, if how often is known or not */
	const char *why; /* what is not known, in words; NULL: nothing */
	char file[CT_BRANCHES_FILE_BYTES]; /* where, without its folders; "" nowhere */
	uint32_t line;
};

struct ct_branches_kernel {
	struct ct_branches_figures figures;
	uint64_t blocks, lanes; /* executions of blocks, and their active lanes */
	uint64_t instructions;  /* of these blocks, by warps: issue slots */
	uint64_t warps;
	struct ct_branches_machine machine; /* after ct_branches_set_code */
};

struct ct_branches_results {
	bool is_recorded; /* a unit of the trace has blocks, and says which of them branch */
	struct ct_kernel_table kernels;
	struct ct_branches_kernel *kernel; /* by kernels.list */
	struct ct_branches_site *site;     /* by kernel and site */
	size_t sites;
	bool has_code;                 /* of some kernel */
	struct ct_branches_line *line; /* the most divergent ones first */
	size_t lines;
};

/* The job of ct_branches_analysis. Zero-initialise; ct_branches_job_fini frees what comes of it. */
struct ct_branches_job {
	const struct ct_trace *trace;
	const struct ct_filter *filter;     /* NULL: everything passes */
	struct ct_ranks *ranks;             /* of the pass */
	struct ct_branches_results results; /* after the pass, of rank 0 */
};

extern const struct ct_analysis ct_branches_analysis;

void ct_branches_job_fini(struct ct_branches_job *job);

/* Likewise of the machine; false: it is not known. With *efficiency of what it would be if no
 * division goes its slow way, or else 0. */
bool ct_branches_machine_efficiency(const struct ct_branches_machine *machine, double *efficiency);

void ct_branches_figures_add(struct ct_branches_figures *sum,
			     const struct ct_branches_figures *more);

/* Branches without parting lanes, of all, 0 to 1; 1 if there are none. */
double ct_branches_efficiency(const struct ct_branches_figures *figures);

#endif
