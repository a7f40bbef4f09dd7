/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost samples: at which lines warps were found, and what they waited for. */
#include "postproc/render/samples/samples.h"
#include "base/error.h"
#include "postproc/analysis/samples/tables.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/base/study_paths.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/options/selection.h"
#include "postproc/tables/layout.h"
#include <stdlib.h>

#define ROWS 20u

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
    {.name = "rows", .argument = "N|all", .help = "most rows of each table (default: 20)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, ctpost_selection_options, NULL};

static int write_study(struct ctpost_call *call, const struct ct_trace *trace,
		       const struct ct_samples_study *study, const struct ct_table_format *format,
		       size_t rows)
{
	const struct ctpost_shown shown[] = {{&ct_sample_totals_table, study},
					     {&ct_sample_kernels_table, study},
					     {&ct_sample_lines_table, study},
					     {NULL, NULL}};
	struct ct_style style = ct_style_of_stdout();

	if (!study->weights.total && *study->facts.missing)
		return ctpost_fail(call, CTPOST_FAILED, "%s: nothing was sampled: %s",
				   call->operand[0], study->facts.missing);
	if (!study->weights.total)
		return ctpost_fail(call, CTPOST_FAILED, "%s: no samples%s", call->operand[0],
				   study->facts.was_asked
				       ? ": kernels ended before the first one (--samples=CYCLES), "
					 "or none is selected"
				       : "; trace with ctrun --samples, on a GPU");
	if (format)
		return ctpost_write_shown(call, format, trace, shown);
	ct_samples_write(stdout, study);
	return ctpost_show_tables(call, shown, rows, &style);
}

static int run_study(struct ctpost_call *call, struct ct_trace *trace,
		     const struct ct_filter *filter, const struct ct_table_format *format,
		     size_t rows)
{
	struct ct_samples_study study;
	int err = ct_samples_study_init(&study, trace, filter), status;

	study.lists_all = true;
	ctpost_warn_unread(trace);
	status =
	    err < 0 ? ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0], ct_strerror(err))
		    : write_study(call, trace, &study, format, rows);
	ct_samples_study_fini(&study);
	return status;
}

static int run(struct ctpost_call *call)
{
	struct ct_selection selection;
	struct ct_filter *filter = NULL;
	struct ct_trace *trace;
	char *sampled;
	size_t rows;
	const struct ct_table_format *format = NULL;
	int status = ctpost_read_rows(call, ROWS, &rows);

	if (status == CTPOST_OK)
		status = ctpost_read_format(call, &format);
	if (status == CTPOST_OK)
		status = ctpost_read_selection(call, &selection);
	if (status != CTPOST_OK)
		return status;
	if (selection.objects || selection.ctas || selection.sites) {
		ct_selection_fini(&selection);
		return ctpost_fail(call, CTPOST_USAGE,
				   "samples: --objects, --ctas and --sites choose accesses; here "
				   "--kernels, --launches and --streams do");
	}
	sampled = ctpost_sampled_path(call->operand[0]);
	trace = ctpost_open_trace(call, sampled ? sampled : call->operand[0]);
	free(sampled);
	status = trace ? ctpost_open_filter(call, call->operand[0], trace, &selection, &filter)
		       : CTPOST_FAILED;
	if (status == CTPOST_OK)
		status = run_study(call, trace, ct_selection_is_all(&selection) ? NULL : filter,
				   format, rows);
	ct_filter_close(filter);
	ct_trace_close(trace);
	ct_selection_fini(&selection);
	return status;
}

const struct ctpost_command ctpost_samples_command = {
    .name = "samples",
    .summary = "show at which lines warps were found, and what they waited for",
    .description =
	"Shows what ctrun --samples has recorded: for each kernel the lines of the source at\n"
	"which warps were found, what they waited for, in how many samples the scheduler had\n"
	"nothing to issue, and which lines make others wait: a wait for memory is traced back\n"
	"to the load.\n\n"
	"docs/samples.md says what each figure means.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read or has no samples, 2 for a wrong "
		   "option.",
    .example = "ctpost samples run.ctrace",
    .is_of_rank_0 = true,
    .run = run,
};
