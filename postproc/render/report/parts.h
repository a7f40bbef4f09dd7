/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the report's JSON object, one function each; and how much of each is embedded. */
#ifndef CT_RENDER_REPORT_PARTS_H
#define CT_RENDER_REPORT_PARTS_H

#include "postproc/render/report/out.h"
#include "postproc/render/report/report.h"
#include "postproc/render/report/sources.h"

#define CT_REPORT_POINTS 2000u     /* of a line over supersteps or CTAs */
#define CT_REPORT_ROWS 5000u       /* of a table */
#define CT_REPORT_CELLS 262144u    /* of the density map */
#define CT_REPORT_PAIR_VIEWS 32u   /* pairs of kernels with a map of their own */
#define CT_REPORT_BINS 256u        /* of a histogram */
#define CT_REPORT_STREAMS 32u      /* rows of the time line */
#define CT_REPORT_SPANS 65536u     /* of calls and activities, shown one by one */
#define CT_REPORT_TRACKS 128u      /* threads and streams with a row of their own */
#define CT_REPORT_TIME_BINS 65536u /* of what is not shown one by one */

struct ct_report_writer {
	const struct ct_report *report;
	struct ct_out *out;
	struct ct_sources *sources;
	struct ct_comm_line_pair *line_pair; /* by place; owned */
	size_t line_pairs;
};

/* How many things make one point, so that there are at most CT_REPORT_POINTS. */
uint64_t ct_report_per_point(uint64_t count);

/* Mean, least and greatest of the values that make a point. */
struct ct_report_point {
	double sum, min, max;
	uint64_t count;
};
void ct_report_point_add(struct ct_report_point *point, double value);

/* The rows of a table to show, ascending: those of most weight. NULL: no memory. */
size_t *ct_report_heaviest(size_t count, uint64_t (*weight)(const void *user, size_t i),
			   const void *user, size_t *chosen);

void ct_report_put_findings(const struct ct_report_writer *w);
void ct_report_put_sections(const struct ct_report_writer *w);
void ct_report_put_trace(const struct ct_report_writer *w);
void ct_report_put_volume(const struct ct_report_writer *w);
void ct_report_put_histograms(const struct ct_report_writer *w);
/* Volume, sizes and distances without what CTAs send themselves. 0 or -ENOMEM */
int ct_report_put_exchanged(const struct ct_report_writer *w);
void ct_report_put_bisection(const struct ct_report_writer *w);
int ct_report_put_density(const struct ct_report_writer *w);
/* Four arrays, one per field. */
void ct_report_put_cells(struct ct_out *out, const struct ct_comm_cell *cell, size_t count);
int ct_report_put_views(const struct ct_report_writer *w);
int ct_report_put_ctas(const struct ct_report_writer *w);
int ct_report_put_supersteps(const struct ct_report_writer *w);
int ct_report_put_timeline(const struct ct_report_writer *w);
/* From where the host launched; nothing if it is not known. */
int ct_report_put_paths(const struct ct_report_writer *w);
/* The number of the path that a launch has there; 0: not known. */
uint32_t ct_report_path_of(const struct ct_report_writer *w, const struct ct_launch_info *launch);

/* Paths and variables of blame; nothing without a section that has it. 0 or -ENOMEM */
int ct_report_put_blame(const struct ct_report_writer *w);
/* Nothing if there are none. */
int ct_report_put_calls(const struct ct_report_writer *w);
/* What of them is not needed: "problems", and the number of a call's from 1; 0: it has none. */
void ct_report_put_problems(const struct ct_report_writer *w);
uint32_t ct_report_problem_of(const struct ct_report_writer *w, uint32_t part,
			      const struct ct_row_call *call);
int ct_report_put_launches(const struct ct_report_writer *w);
void ct_report_put_kernels(const struct ct_report_writer *w);
void ct_report_put_kernel_pairs(const struct ct_report_writer *w);
void ct_report_put_objects(const struct ct_report_writer *w);
void ct_report_put_line_pairs(const struct ct_report_writer *w);
void ct_report_put_scaling(const struct ct_report_writer *w);

#endif
