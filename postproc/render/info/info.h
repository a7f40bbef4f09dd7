/* SPDX-License-Identifier: Apache-2.0 */
/* The text of ctpost info. */
#ifndef CT_POSTPROC_RENDER_INFO_INFO_H
#define CT_POSTPROC_RENDER_INFO_INFO_H

#include "postproc/analysis/totals/estimate.h"
#include "postproc/analysis/totals/totals.h"
#include "postproc/facts/coverage.h"
#include "postproc/facts/filter.h"
#include "postproc/facts/finding.h"
#include "postproc/facts/summary.h"
#include "postproc/render/base/host_path.h"
#include "postproc/render/info/tables.h"
#include "postproc/tables/layout.h"
#include <stdio.h>

struct ct_info {
	struct ct_trace_facts facts; /* what tables are made from: the same */
	const struct ct_trace *trace;
	const struct ct_summary *summary;
	const struct ct_totals *totals;
	const struct ct_coverage *coverage;
	const struct ct_findings *findings;
	const struct ct_estimates *estimates; /* NULL: nothing is sampled, or not all shown */
	const struct ct_filter *filter;       /* what of the trace is shown */
	const struct ct_host_paths *paths;    /* NULL: it is not asked for */
	int is_selected;                      /* not all of it */
	int with_launches;                    /* one by one, however many */
	int with_sites;
};

/* Options of units that are not the defaults, the coverage table, what is not recorded. */
void ct_info_write_options(FILE *out, const struct ct_info *info);
int ct_info_write_coverage(FILE *out, const struct ct_info *info);
void ct_info_write_not_recorded(FILE *out, const struct ct_info *info);

/* By kernel, or one by one if they are few or asked for. */
int ct_info_write_launches(FILE *out, const struct ct_info *info, const struct ct_style *style);

/* In text nothing if there is none. */
int ct_info_write_regions(FILE *out, const struct ct_info *info, const struct ct_style *style);
int ct_info_write_estimates(FILE *out, const struct ct_info *info, const struct ct_style *style);

/* Writes tier counts: by kernel, what each site did and what of each object was touched. Nothing
 * is written if the trace has none. */
int ct_info_write_counts(FILE *out, const struct ct_info *info, const struct ct_style *style);

/* From where they were launched: nothing if it is not asked for, or nothing is known. */
int ct_info_write_paths(FILE *out, const struct ct_info *info, const struct ct_style *style);

/* Adds who launched what is shown; rows->paths is info->paths. 0 or -ENOMEM */
int ct_info_path_rows(struct ct_host_path_rows *rows, const struct ct_info *info);

int ct_info_write_text(FILE *out, const struct ct_info *info, const struct ct_style *style);

#endif
