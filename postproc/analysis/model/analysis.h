/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels execute: how often warps went through each basic block (events of
 * --ct-events=block), and, of one launch of each kernel, what its warps access in their order, for
 * caches (caches.h). With the blocks' static facts (unit.h) that is what performance models need of
 * a trace.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_ANALYSIS_H
#define CT_POSTPROC_ANALYSIS_MODEL_ANALYSIS_H

#include "postproc/analysis/model/streams.h"
#include "postproc/facts/filter.h"
#include "postproc/facts/kernel_table.h"
#include "postproc/scan/analysis.h"

/* Counts a block, in all launches of a kernel. */
struct ct_model_count {
	uint64_t warps, lanes; /* executions by a warp; lanes that were active in them */
};

struct ct_model_results {
	struct ct_kernel_table kernels;
	const struct ct_unit *units;
	uint32_t *first_block; /* by unit, and one more: of its blocks in what follows */
	/* [kernel * blocks + block]: blocks of all units, first_block[units] of them */
	struct ct_model_count *count;
	uint32_t blocks;
	struct ct_streams **streams; /* by kernel; NULL: it has none */
	uint64_t *bank_excess;       /* by kernel: wavefronts of shared memory beyond the ideal */
};

/* The job of ct_model_analysis. Zero-initialise; ct_model_job_fini frees what comes of it. */
struct ct_model_job {
	const struct ct_trace *trace;
	const struct ct_filter *filter; /* NULL: everything passes */
	uint64_t sectors; /* of a launch that are kept (streams.h); 0: CT_STREAMS_SECTORS */
	/* Where the trace has no blocks nothing is looked at, instead of an error. */
	bool is_optional;
	bool is_silent; /* so it is */
	struct ct_model_results results;
	uint32_t *streamed;       /* by kernel: its launch that streams are of; UINT32_MAX: none */
	uint32_t **block_of_site; /* by unit, by site: block of all units; CT_NONE: no block */
};

extern const struct ct_analysis ct_model_analysis;

/* Whether executions of the launch's blocks may be known. */
bool ct_model_is_counted(const struct ct_launch_info *launch);

void ct_model_job_fini(struct ct_model_job *job);

#endif
