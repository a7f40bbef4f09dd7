/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output of ctpost report: one HTML file that needs no network. It holds described tables as
 * one JSON object (tables/page.h, docs/report.md), D3, and what draws them: a table of each that
 * people see, charts and sentences of the others (*.def here).
 *
 * Everything is borrowed. What is long is aggregated before it is written, and
 * the object says by how much, so the page can say it too.
 */
#ifndef CT_POSTPROC_RENDER_REPORT_REPORT_H
#define CT_POSTPROC_RENDER_REPORT_REPORT_H

#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/comm/tables/tables.h"
#include "postproc/analysis/ffm/study.h"
#include "postproc/facts/coverage.h"
#include "postproc/facts/selection.h"
#include "postproc/facts/summary.h"
#include "postproc/problems/verdict.h"
#include "postproc/sources/store.h"
#include "postproc/symbols/paths.h"
#include "postproc/tables/sections.h"
#include <stdio.h>

/* A table for the page. */
struct ct_report_table {
	const struct ct_table_def *table;
	const void *from;     /* NULL: it has no rows */
	const char *heaviest; /* tables/page.h */
	size_t rows_max;      /* 0: of what people see 5000, of others all */
	bool has_children;    /* those of its rows are wanted, too */
};

struct ct_report {
	const char *title; /* NULL: the program's name */
	const char *trace; /* its directory */
	uint64_t trace_bytes;
	const struct ct_findings *findings;
	const struct ct_sections *sections;
	const struct ct_comm_shown *shown; /* links NULL: no scaling; paths NULL: not known */
	const struct ct_summary *summary;
	const struct ct_coverage *coverage;
	const struct ct_report_table *others; /* what else the trace says; ends with table NULL */
	const struct ct_selection *selection;
	const struct ct_calls *calls; /* NULL: the trace has none */
	/* The paths of the trace of calls, by whose stacks calls have their paths; NULL: not
	 * known */
	const struct ct_host_paths *call_paths;
	const struct ct_problems *problems; /* of the findings; NULL: they were not looked for */
	const struct ct_verdict *verdict;   /* that these are left by; NULL likewise */
	const struct ct_ffm_study *ffm;     /* of the calls; NULL: not known */
	struct ct_source_store *sources;    /* of the traces; NULL: none are quoted */
};

/* 0, or a negative error */
int ct_report_write(FILE *out, const struct ct_report *report);

#endif
