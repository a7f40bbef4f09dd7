/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output of ctpost report: one HTML file that needs no network. It holds
 * the figures as one JSON object (docs/report.md), D3, and what draws them.
 *
 * Everything is borrowed. What is long is aggregated before it is written, and
 * the object says by how much, so the page can say it too.
 */
#ifndef CT_RENDER_REPORT_H
#define CT_RENDER_REPORT_H

#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/comm/comm.h"
#include "postproc/analysis/comm/scaling/scaling.h"
#include "postproc/analysis/ffm/study.h"
#include "postproc/facts/coverage.h"
#include "postproc/facts/summary.h"
#include "postproc/render/base/source_file.h"
#include "postproc/symbols/paths.h"
#include "postproc/tables/sections.h"
#include <stdio.h>

struct ct_report {
	const char *title; /* NULL: the program's name */
	const char *trace; /* its directory */
	uint64_t trace_bytes;
	const struct ct_findings *findings;
	const struct ct_sections *sections;
	const struct ct_comm_figures *figures;
	const uint32_t
	    *kernel_of; /* by superstep: index in figures->kernel, CT_NONE of transfers */
	const struct ct_summary *summary;
	const struct ct_coverage *coverage;
	const struct ct_device_info *devices;
	size_t device_count;
	const struct ct_loss_info *losses;
	size_t loss_count;
	const char *const *warnings;
	size_t warning_count;
	const struct ct_scaling_row *scaling;
	size_t scaling_rows;
	const struct ct_scaling_options *model; /* NULL: no scaling */
	const struct ct_selection *selection;
	bool self;
	const struct ct_calls *calls;      /* NULL: the trace has none */
	const struct ct_host_paths *paths; /* of the calls; NULL: not known */
	const struct ct_ffm_study *ffm;    /* of the calls; NULL: not known */
	const char *source_root;           /* where else to look for sources, NULL: nowhere */
	enum ct_quoting quoting;           /* which of them are quoted */
};

/* 0, -ENOMEM or -EIO */
int ct_report_write(FILE *out, const struct ct_report *report);

#endif
