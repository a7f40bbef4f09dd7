/* SPDX-License-Identifier: Apache-2.0 */
/* The report's page: style, data, D3, and what draws them. */
#include "postproc/render/report/report.h"
#include "postproc/analysis/calls/tables.h"
#include "postproc/analysis/comm/figures/exchanged.h"
#include "postproc/analysis/comm/findings/lines.h"
#include "postproc/analysis/ffm/findings/tables.h"
#include "postproc/problems/tables.h"
#include "postproc/render/report/blame.h"
#include "postproc/render/report/calls.h"
#include "postproc/render/report/parts.h"
#include "postproc/render/report/shell.h"
#include "postproc/render/report/web.h"
#include "postproc/tables/findings.h"
#include "postproc/tables/page.h"
#include <errno.h>
#include <stdlib.h>

static const char *title_of(const struct ct_report *report)
{
	if (report->title)
		return report->title;
	return *report->summary->program ? report->summary->program : report->trace;
}

/* A table, of rows that people see the first or heaviest; children only where they are wanted. */
static int put_table(struct ct_table_sink *sink, const struct ct_report_table *of)
{
	struct ct_page *page = sink->user;
	struct ct_table_def table = *of->table;

	if (!of->has_children)
		table.child = NULL;
	page->heaviest = of->heaviest;
	page->rows_max = of->rows_max ? of->rows_max : table.title ? CT_REPORT_ROWS : 0;
	return ct_table_write_rows(sink, &table, of->from);
}

static int put_tables(struct ct_table_sink *sink, const struct ct_report_table *list)
{
	int err = 0;

	for (; list->table && err == 0; list++)
		err = put_table(sink, list);
	return err;
}

static int put_sections(struct ct_table_sink *sink, const struct ct_sections *sections)
{
	struct ct_page *page = sink->user;
	const struct ct_section *section = NULL;
	int err = 0;

	while (err == 0 && (section = ct_sections_next(sections, section))) {
		page->analysis = section->analysis;
		page->about = section->about;
		err = put_table(
		    sink, &(struct ct_report_table){.table = &section->kept, .from = section});
	}
	page->analysis = page->about = NULL;
	return err;
}

/* Communication, as of its analysis and shortened for charts. */
static int put_comm(struct ct_table_sink *sink, const struct ct_report_writer *w,
		    const struct ct_comm_shown *shown, const struct ct_comm_shown *exchanged)
{
	struct ct_table_def totals = ct_comm_totals_table, kernels = ct_kernel_volumes_table;
	const struct ct_report_table list[] = {
	    {.table = &ct_comm_totals_table, .from = shown},
	    {.table = &totals, .from = exchanged},
	    {.table = &ct_kernel_volumes_table, .from = shown, .rows_max = SIZE_MAX},
	    {.table = &kernels, .from = exchanged, .rows_max = SIZE_MAX},
	    {.table = &ct_kernel_pairs_table, .from = shown, .heaviest = "bytes"},
	    {.table = &ct_line_pairs_table, .from = shown, .heaviest = "bytes"},
	    {.table = &ct_object_flows_table, .from = shown, .heaviest = "transferred_bytes"},
	    {.table = &ct_supersteps_table, .from = shown, .heaviest = "load_bytes store_bytes"},
	    {.table = &ct_cta_figures_table,
	     .from = shown,
	     .heaviest = "received_bytes sent_bytes"},
	    {.table = &ct_bisection_table, .from = shown},
	    {.table = &ct_stride_spreads_table, .from = shown},
	    {.table = &ct_page_histograms_table, .from = w},
	    {.table = &ct_page_bins_table, .from = w},
	    {.table = &ct_page_views_table, .from = w, .has_children = true},
	    {.table = &ct_page_launch_points_table, .from = w},
	    {.table = &ct_page_cta_points_table, .from = w},
	    {.table = &ct_page_slots_table, .from = w},
	    {.table = &ct_page_streams_table, .from = w},
	    {.table = NULL},
	};
	const struct ct_report_table scaling[] = {
	    {.table = &ct_scaling_totals_table, .from = shown},
	    {.table = &ct_scaling_table, .from = shown},
	    {.table = NULL}};
	int err;

	totals.name = "exchanged_totals";
	kernels.name = "exchanged_kernel_volumes";
	err = put_tables(sink, list);
	return err == 0 && shown->links ? put_tables(sink, scaling) : err;
}

static int put_calls(struct ct_table_sink *sink, const struct ct_report *report)
{
	struct ct_table_def problems = ct_needless_calls_table;
	struct ct_ffm_study study = {.entries = 0};
	struct ct_report_calls *calls;
	int err = report->calls ? ct_report_calls_open(&calls, report) : 0;

	if (!report->calls)
		return 0;
	if (err == 0) {
		const struct ct_report_table list[] = {
		    {.table = &ct_page_calls_table, .from = calls},
		    {.table = &ct_page_tracks_table, .from = calls},
		    {.table = &ct_page_lanes_table, .from = calls},
		    {.table = &ct_page_spans_table, .from = calls},
		    {.table = &ct_page_waits_table, .from = calls},
		    {.table = &ct_page_call_bins_table, .from = calls},
		    {.table = &problems, .from = report->ffm ? &study : NULL},
		    {.table = &ct_page_stacks_table, .from = ct_report_calls_stacks(calls)},
		    {.table = &ct_page_frames_table, .from = ct_report_calls_stacks(calls)},
		    {.table = &ct_call_parts_table, .from = report->calls},
		    {.table = &ct_page_run_time_table, .from = report->calls},
		    {.table = &ct_page_call_lines_table,
		     .from = report->call_paths ? report : NULL},
		    {.table = NULL},
		};

		if (report->ffm)
			study = *report->ffm;
		study.lists_all = true;
		problems.name = "page_problems";
		problems.title = NULL;
		err = put_tables(sink, list);
	}
	ct_report_calls_close(calls);
	return err;
}

static int put_blame(struct ct_table_sink *sink, const struct ct_report *report)
{
	struct ct_report_blame *blame;
	int err = ct_report_blame_open(&blame, report->sections);

	if (err == 0 && blame) {
		const struct ct_report_table list[] = {
		    {.table = &ct_page_blame_table, .from = blame},
		    {.table = &ct_page_variables_table, .from = blame},
		    {.table = &ct_page_flame_table, .from = blame, .has_children = true},
		    {.table = NULL},
		};

		err = put_tables(sink, list);
	}
	ct_report_blame_close(blame);
	return err;
}

static int put_all(struct ct_table_sink *sink, const struct ct_report_writer *w,
		   const struct ct_comm_shown *shown, const struct ct_comm_shown *exchanged)
{
	const struct ct_report_table first[] = {
	    {.table = &ct_findings_table, .from = w->report->findings, .has_children = true},
	    {.table = &ct_problems_table, .from = w->report->problems, .has_children = true},
	    {.table = &ct_suppressed_problems_table, .from = w->report->verdict},
	    {.table = &ct_page_trace_table, .from = w},
	    {.table = &ct_page_selection_table, .from = w},
	    {.table = &ct_not_recorded_table, .from = w},
	    {.table = &ct_recorded_sites_table, .from = w},
	    {.table = NULL},
	};
	const struct ct_report_table last[] = {
	    {.table = &ct_page_sources_table, .from = w, .has_children = true}, {.table = NULL}};
	int err = ct_table_sink_begin(sink);

	if (err == 0)
		err = put_tables(sink, first);
	if (err == 0 && w->report->others)
		err = put_tables(sink, w->report->others);
	if (err == 0)
		err = put_comm(sink, w, shown, exchanged);
	if (err == 0)
		err = put_calls(sink, w->report);
	if (err == 0)
		err = put_blame(sink, w->report);
	if (err == 0)
		err = put_sections(sink, w->report->sections);
	if (err == 0)
		err = put_tables(sink, last);
	return err == 0 ? ct_table_sink_end(sink) : err;
}

static long want_line(void *user, const char *column, const char *file, uint32_t line)
{
	(void)column;
	return ct_sources_want(user, 0, file, line);
}

/* Figures as the page shows them: of line pairs those of the same places together, of supersteps
 * launches. */
static int put_data(FILE *file, const struct ct_report *report)
{
	struct ct_comm_figures figures = *report->shown->figures, without;
	struct ct_comm_shown shown = *report->shown, exchanged = *report->shown;
	struct ct_report_writer w = {report, &figures, &without, NULL};
	const char *const head[] = {"schema", "cudatrace-page-1", "title", title_of(report), NULL};
	struct ct_page page = {.file = want_line};
	struct ct_table_sink sink = {
	    .format = &ct_format_page, .out = file, .head = head, .user = &page};
	int err = ct_comm_exchanged_init(&without, report->shown->figures);

	if (err < 0)
		return err;
	shown.figures = &figures;
	shown.has_all_launches = true;
	exchanged.figures = &without;
	figures.line_pair = NULL;
	err = ct_sources_open(&w.sources, &report->sources, 1);
	page.user = w.sources;
	if (err == 0)
		err = ct_comm_merge_lines(report->shown->figures, &figures.line_pair,
					  &figures.line_pairs);
	if (err == 0)
		err = ct_table_sink_close(&sink, put_all(&sink, &w, &shown, &exchanged));
	free(figures.line_pair);
	ct_sources_close(w.sources);
	ct_comm_exchanged_fini(&without);
	return err;
}

const struct ct_table_def *const ct_report_tables[] = {
    &ct_not_recorded_table,    &ct_recorded_sites_table,
    &ct_page_trace_table,      &ct_page_selection_table,
    &ct_page_histograms_table, &ct_page_bins_table,
    &ct_page_views_table,      &ct_page_launch_points_table,
    &ct_page_cta_points_table, &ct_page_slots_table,
    &ct_page_streams_table,    &ct_page_calls_table,
    &ct_page_tracks_table,     &ct_page_lanes_table,
    &ct_page_spans_table,      &ct_page_waits_table,
    &ct_page_call_bins_table,  &ct_page_stacks_table,
    &ct_page_frames_table,     &ct_page_blame_table,
    &ct_page_variables_table,  &ct_page_flame_table,
    &ct_page_sources_table,    &ct_page_run_time_table,
    &ct_page_call_lines_table, NULL,
};

int ct_report_write(FILE *out, const struct ct_report *report)
{
	int err;

	ct_shell_begin(out, title_of(report), "cuda-trace report");
	err = put_data(out, report);
	ct_shell_end_data(out);
	ct_shell_end(out, &ct_web_report);
	if (err == 0 && ferror(out))
		err = -EIO;
	return err;
}
