/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the page that are not those of an analysis, and how much of each is embedded. */
#ifndef CT_POSTPROC_RENDER_REPORT_PARTS_H
#define CT_POSTPROC_RENDER_REPORT_PARTS_H

#include "postproc/render/report/report.h"
#include "postproc/render/report/sources.h"
#include "postproc/tables/sink.h"

#define CT_REPORT_POINTS 2000u     /* of a line over supersteps or CTAs */
#define CT_REPORT_ROWS 5000u       /* of a table */
#define CT_REPORT_CELLS 262144u    /* of the density map */
#define CT_REPORT_PAIR_VIEWS 32u   /* pairs of kernels with a map of their own */
#define CT_REPORT_BINS 256u        /* of a histogram */
#define CT_REPORT_STREAMS 32u      /* rows of the time line */
#define CT_REPORT_SPANS 65536u     /* of calls and activities, shown one by one */
#define CT_REPORT_TRACKS 128u      /* threads and streams with a row of their own */
#define CT_REPORT_TIME_BINS 65536u /* of what is not shown one by one */

/* These tables are made from this, unless it is said beside them. */
struct ct_report_writer {
	const struct ct_report *report;
	const struct ct_comm_figures *figures;
	const struct ct_comm_figures *exchanged; /* without what CTAs send themselves */
	struct ct_sources *sources;
};

/* How many things make one point, so that there are at most CT_REPORT_POINTS. */
uint64_t ct_report_per_point(uint64_t count);

/* Mean, least and greatest of the values that make a point. */
struct ct_report_point {
	double mean, least, greatest; /* NAN: no value; the last two: the mean says it */
	uint64_t count;
};
void ct_report_point_add(struct ct_report_point *point, double value);
void ct_report_point_end(struct ct_report_point *point, uint64_t per);

/* Launches that pass, in their order: how many, and the superstep of each. */
uint64_t ct_report_passing(const struct ct_comm_figures *figures);

extern const struct ct_table_def ct_page_trace_table, ct_page_selection_table,
    ct_not_recorded_table, ct_recorded_sites_table;
extern const struct ct_table_def ct_page_histograms_table, ct_page_bins_table;
extern const struct ct_table_def ct_page_views_table; /* with maps and distances */
extern const struct ct_table_def ct_page_launch_points_table, ct_page_cta_points_table;
extern const struct ct_table_def ct_page_slots_table, ct_page_streams_table;
/* From struct ct_calls; from struct ct_report, with calls and their paths. */
extern const struct ct_table_def ct_page_run_time_table, ct_page_call_lines_table;
extern const struct ct_table_def ct_page_sources_table; /* after all others */

/* For docs/tables.md; ends with NULL. */
extern const struct ct_table_def *const ct_report_tables[];

#endif
