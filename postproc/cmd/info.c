/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost info: what ran, what was seen, what was not and why. */
#include "postproc/render/info/info.h"
#include "base/error.h"
#include "postproc/analysis/totals/analysis.h"
#include "postproc/analysis/totals/findings.h"
#include "postproc/cmd/base/meta.h"
#include "postproc/cmd/base/pass.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/cmd/options/selection.h"
#include "postproc/facts/limits.h"
#include "postproc/render/base/host_path.h"
#include "postproc/render/base/start.h"
#include "postproc/render/info/tables.h"
#include "postproc/tables/findings.h"
#include <errno.h>

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
    {.name = "each-launch",
     .help = "list every launch, even if they are many; --launches lists those it selects"},
    {.name = "each-site", .help = "also list every site, and the coverage of kernels not launched"},
    {.name = "sites", .stands_for = "each-site"},
    {.name = "paths",
     .help = "also from where the host launched: functions and lines from main on, if calls are "
	     "recorded"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {
    own, ctpost_debug_options, ctpost_selection_options, ctpost_threads_options, NULL,
};

/* For programs. 0 or a negative error */
static int write_tables(struct ctpost_call *call, const struct ct_table_format *format,
			const struct ct_info *info)
{
	const struct ct_trace_facts *facts = &info->facts;
	struct ct_host_path_rows rows = {.paths = info->paths};
	struct ctpost_meta meta;
	const struct ctpost_shown shown[] = {
	    {&ct_meta_table, meta.pair},
	    {&ct_trace_totals_table, facts},
	    {&ct_total_counts_table, facts},
	    {&ct_findings_table, info->findings},
	    {&ct_processes_table, facts},
	    {&ct_devices_table, facts},
	    {&ct_units_table, facts},
	    {&ct_kernels_table, facts},
	    {&ct_kernel_counts_table, facts},
	    {&ct_launches_table, facts},
	    {&ct_launch_totals_table, facts},
	    {&ct_launch_counts_table, facts},
	    {&ct_transfers_host_table, facts},
	    {&ct_objects_table, facts},
	    {&ct_sites_table, facts},
	    {&ct_site_counts_table, facts},
	    {&ct_coverage_table, facts},
	    {&ct_regions_table, facts},
	    {&ct_estimates_table, facts},
	    {&ct_counted_sites_table, facts},
	    {&ct_counted_objects_table, facts},
	    {&ct_losses_table, facts},
	    {&ct_warnings_table, facts},
	    {info->paths ? &ct_launch_paths_table : NULL, &rows},
	    {&ct_host_paths_table, &rows},
	    {NULL, NULL},
	};
	int err = 0;

	ctpost_meta_init(&meta, call, facts, NULL);
	if (info->paths)
		err = ct_info_path_rows(&rows, info);
	if (err == 0 && ctpost_write_shown(call, format, info->trace, shown) != CTPOST_OK)
		err = -EIO;
	ct_host_path_rows_fini(&rows);
	return err;
}

/* Everything that info shows, of the trace as the filter leaves it. */
static int write_info(struct ctpost_call *call, const struct ct_table_format *format,
		      struct ct_trace *trace, const struct ct_filter *filter, int is_selected,
		      uint32_t threads)
{
	const struct ct_pass_options pass = {.threads = threads};
	struct ct_style style = ct_style_of_stdout();
	struct ct_totals_job totals = {.trace = trace, .filter = is_selected ? filter : NULL};
	const struct ct_task task = {&ct_totals_analysis, &totals};
	struct ct_summary summary;
	struct ct_coverage coverage = {.count = 0};
	struct ct_findings findings = {.count = 0};
	struct ct_numbered_kernels kernels = {.count = 0};
	struct ct_host_paths *paths = NULL;
	struct ct_info info = {
	    .trace = trace,
	    .summary = &summary,
	    .coverage = &coverage,
	    .findings = &findings,
	    .filter = filter,
	    .is_selected = is_selected,
	    .with_launches = ctpost_value(call, "each-launch") || ctpost_value(call, "launches"),
	    .with_sites = ctpost_value(call, "each-site") != NULL,
	};
	int err = ct_summary_init(&summary, trace);

	if (err < 0)
		return err;
	err = ct_coverage_init(&coverage, trace);
	if (err == 0 && ctpost_value(call, "paths"))
		err = ctpost_open_host_paths(call, trace, &paths);
	info.paths = paths;
	if (!is_selected && ct_sampling_is_sampled(&summary.sampling))
		totals.sampling = &summary.sampling;
	if (err == 0)
		err = ctpost_pass_aloud(call, trace, &task, 1, &pass);
	ct_limits_find(&findings, trace, &summary, call->damaged_chunks);
	if (err == 0)
		ct_totals_find(&findings, trace, totals.totals, totals.filter);
	err = err < 0 ? err : findings.err;
	info.totals = totals.totals;
	info.estimates = totals.estimates;
	if (err == 0)
		err = ct_numbered_kernels_init(&kernels, trace);
	info.facts = (struct ct_trace_facts){
	    .trace = trace,
	    .filter = filter,
	    .summary = &summary,
	    .kernels = &kernels,
	    .paths = paths,
	    .start_ns = ct_start_ns(trace),
	    .totals = totals.totals,
	    .estimates = totals.estimates,
	};
	if (err == 0 && format)
		err = write_tables(call, format, &info);
	else if (err == 0)
		err = ct_info_write_text(stdout, &info, &style);
	ct_numbered_kernels_fini(&kernels);
	ct_host_paths_close(paths);
	ct_findings_fini(&findings);
	ct_totals_job_fini(&totals);
	ct_coverage_fini(&coverage);
	ct_summary_fini(&summary);
	return err;
}

static int show(struct ctpost_call *call, const struct ct_table_format *format,
		struct ct_trace *trace, const struct ct_selection *selection, uint32_t threads)
{
	struct ct_filter *filter;
	int status = ctpost_open_filter(call, call->operand[0], trace, selection, &filter), err;

	if (status != CTPOST_OK)
		return status;
	err = write_info(call, format, trace, filter, !ct_selection_is_all(selection), threads);
	if (err < 0 && !call->why[0])
		ctpost_fail(call, 0, "%s: %s", call->operand[0], ct_strerror(err));
	ct_filter_close(filter);
	return err < 0 ? CTPOST_FAILED : CTPOST_OK;
}

static int run(struct ctpost_call *call)
{
	struct ct_selection selection;
	struct ct_trace *trace;
	const struct ct_table_format *format = NULL;
	uint32_t threads;
	int status = ctpost_read_threads(call, &threads);

	if (status == CTPOST_OK)
		status = ctpost_read_format(call, &format);
	if (status == CTPOST_OK)
		status = ctpost_read_selection(call, &selection);
	if (status != CTPOST_OK)
		return status;
	trace = ctpost_open_trace(call, call->operand[0]);
	status = trace ? show(call, format, trace, &selection, threads) : CTPOST_FAILED;
	ct_trace_close(trace);
	ct_selection_fini(&selection);
	return status;
}

const struct ctpost_command ctpost_info_command = {
    .name = "info",
    .summary = "show what ran, what was traced and what was not",
    .description =
	"Shows the program, the devices, the kernels with their launches, accesses and bytes,\n"
	"what of each kernel's code is recorded, and what was not traced and why.\n\n"
	"Accesses are counted once per thread; bytes are those the program asked for.\n"
	"A site is one load, store or atomic instruction of the source program; --each-site\n"
	"shows how often warps and threads executed each. --paths shows from which functions and\n"
	"lines of the host the launches were made (docs/calls.md).",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read, 2 for a wrong option.",
    .example = "ctpost info --kernels='^bfs' run.ctrace",
    .run = run,
};
