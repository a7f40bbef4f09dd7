/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of how CTAs and kernels communicate (tables.def, spread.def, asked.def); what they are
 * made from is struct ct_comm_shown. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_TABLES_TABLES_H
#define CT_POSTPROC_ANALYSIS_COMM_TABLES_TABLES_H

#include "postproc/analysis/comm/comm.h"
#include "postproc/analysis/comm/history/history.h"
#include "postproc/analysis/comm/scaling/scaling.h"
#include "postproc/analysis/comm/scaling/speedup.h"
#include "postproc/facts/numbered.h"
#include "postproc/facts/sampling.h"
#include "postproc/symbols/paths.h"
#include "postproc/tables/table.h"

/* The long lists, from wherever they are kept. fn's nonzero value stops and is returned. */
struct ct_comm_lists {
	/* By source superstep and CTA, then target superstep and CTA. */
	int (*transfers)(void *user, int (*fn)(void *user, const struct ct_comm_transfer *transfer),
			 void *fn_user);
	/* By superstep and CTA. */
	int (*ctas)(void *user, int (*fn)(void *user, const struct ct_comm_cta *cta),
		    void *fn_user);
	void *user;
};

struct ct_comm_shown {
	const struct ct_comm_figures *figures;
	const struct ct_numbered_kernels *kernels;
	const struct ct_host_paths *paths; /* of launches; NULL: it is not asked for */
	const struct ct_sampling
	    *sampling; /* of the trace; NULL: it is not asked for what is recorded */
	const char *program;
	bool has_self;          /* self messages count in degrees and bisection */
	bool has_launches_only; /* supersteps are launches that pass the filter alone, */
	bool has_all_launches;  /* or all launches */
	/* The lists of tables that need them. */
	struct ct_comm_lists lists;
	struct ct_history *history;
	const struct ct_scaling_options *links; /* NULL: not asked for */
	const struct ct_scaling_row *scaling;
	size_t scaling_rows;
	const struct ct_speedup *speedup; /* of each row; NULL: times are not known */
	const struct ct_speedup *alone;   /* with them: on one device */
	uint64_t untimed;                 /* launches that are not in them */
};

extern const struct ct_table_def ct_comm_totals_table, ct_supersteps_table, ct_kernel_volumes_table,
    ct_cta_volumes_table, ct_sm_volumes_table, ct_transfers_table, ct_transfer_sizes_table,
    ct_distances_table, ct_strides_table, ct_stride_spreads_table, ct_cta_figures_table,
    ct_degrees_table, ct_bisection_table, ct_density_table, ct_kernel_pairs_table,
    ct_line_pairs_table, ct_object_flows_table, ct_address_history_table, ct_scaling_totals_table,
    ct_scaling_table;

/* "cudaMemcpy" of a transfer, or "copy" or "memset" if the call is not known; NULL of a launch. */
const char *ct_comm_call_of(const struct ct_superstep *step);

/* Rows of these at most. */
uint64_t ct_comm_count_cta_volumes(const struct ct_comm_figures *figures);

#endif
