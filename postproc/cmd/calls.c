/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost calls: what the host called, what the devices did for it, who waited, from where. */
#include "postproc/render/calls/calls.h"
#include "base/error.h"
#include "base/quantity.h"
#include "postproc/analysis/calls/tables.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/base/study_paths.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/options/host_paths.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 20u
#define LEAST 1.0 /* percent */

static const struct ctpost_option options_own[] = {
    {.name = "stacks", .help = "instead the tree of call paths, from main to the calls"},
    {.name = "bottom-up", .help = "with --stacks: from the calls to main"},
    {.name = "least",
     .argument = "PERCENT",
     .help = "with --stacks: leave out branches of less of the time (default: 1)"},
    {.name = "folded",
     .help = "instead the call paths as flame graphs want them, with microseconds"},
    {.name = "timeline",
     .help = "instead a row for each thread and stream, the time from left to right"},
    CTPOST_FORMAT_OPTIONS,
    {.name = "inner", .help = "also calls of the driver that calls of the runtime are made of"},
    {.name = "rows",
     .argument = "N|all",
     .help = "most rows of each table and of the time line (default: 20)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {options_own, ctpost_debug_options, NULL};

/* Says what is looked at, as far as it is needed. */
struct job {
	struct ct_calls_view view;
	const char *form; /* the option that chooses the output, or "" */
	const struct ct_table_format *format;
	struct ct_trace *trace;
	struct ct_stack_tree stacks;
	struct ct_symbols *symbols;
	struct ct_calls calls;
	struct ct_call_tree tree;
};

static int read_least(struct ctpost_call *call, double *share)
{
	const char *text = ctpost_value(call, "least");
	char *end;

	*share = LEAST;
	if (!text)
		return CTPOST_OK;
	*share = strtod(text, &end);
	if (end == text || *end || !(*share >= 0 && *share <= 100))
		return ctpost_wrong(call, "least", "a percentage from 0 to 100");
	return CTPOST_OK;
}

/* One output at a time; tables for programs have the stacks in any case. */
static int read_form(struct ctpost_call *call, struct job *job)
{
	static const char *const forms[] = {"stacks", "folded", "timeline"};

	job->form = "";
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (!ctpost_value(call, forms[i]))
			continue;
		if (*job->form)
			return ctpost_fail(call, CTPOST_USAGE,
					   "calls: --%s and --%s are different outputs", job->form,
					   forms[i]);
		job->form = forms[i];
	}
	if (job->format && *job->form && strcmp(job->form, "stacks") != 0)
		return ctpost_fail(call, CTPOST_USAGE, "calls: --%s is a format of its own",
				   job->form);
	if (strcmp(job->form, "stacks") != 0 &&
	    (ctpost_value(call, "bottom-up") || ctpost_value(call, "least")))
		return ctpost_fail(call, CTPOST_USAGE,
				   "calls: --bottom-up and --least go with --stacks");
	return CTPOST_OK;
}

static int read_options(struct ctpost_call *call, struct job *job)
{
	int status = ctpost_read_format(call, &job->format);

	if (status == CTPOST_OK)
		status = read_form(call, job);
	job->view.style = ct_style_of_stdout();
	job->view.with_inner = ctpost_value(call, "inner") != NULL;
	if (status == CTPOST_OK)
		status = ctpost_read_rows(call, ROWS, &job->view.rows);
	if (status == CTPOST_OK)
		status = read_least(call, &job->view.share);
	return status;
}

static bool needs_stacks(const struct job *job)
{
	return job->format || (*job->form && strcmp(job->form, "timeline") != 0);
}

/* Names first: the process that looks them up is better begun while there is little in memory. */
static int study(struct ctpost_call *call, struct job *job)
{
	const struct ct_symbols_options names = ctpost_symbols_options(call);
	bool with_stacks = needs_stacks(job);
	int err = with_stacks ? ct_stacks_init(&job->stacks, job->trace) : 0;

	if (err == 0 && with_stacks)
		err = ct_symbols_open(&job->symbols, &job->stacks, &names);
	if (err == 0)
		err = ct_calls_init(&job->calls, job->trace, with_stacks ? &job->stacks : NULL);
	if (err == 0 && with_stacks)
		err = ct_call_tree_init(&job->tree, &job->calls, job->symbols,
					ctpost_value(call, "bottom-up") && !job->format
					    ? CT_TREE_BOTTOM_UP
					    : CT_TREE_TOP_DOWN);
	return err;
}

static void warn(const struct job *job)
{
	const char *const *lines;
	size_t count = job->symbols ? ct_symbols_warnings(job->symbols, &lines) : 0;

	ctpost_warn_unread(job->trace);
	for (size_t i = 0; i < count; i++)
		fprintf(stderr, "ctpost: warning: %s\n", lines[i]);
}

/* An exit status. */
static int write_tables(struct ctpost_call *call, const struct job *job)
{
	const struct ct_calls *calls = &job->calls;
	const bool with_inner = job->format || job->view.with_inner;
	const struct ctpost_shown shown[] = {
	    {&ct_call_totals_table, calls},
	    {&ct_call_parts_table, calls},
	    {&ct_call_functions_table, calls},
	    {&ct_inner_functions_table, with_inner ? calls : NULL},
	    {&ct_range_times_table, calls},
	    {&ct_kernel_times_table, calls},
	    {&ct_copy_times_table, calls},
	    {&ct_call_waits_table, calls},
	    {&ct_call_threads_table, calls},
	    {&ct_call_streams_table, calls},
	    {&ct_call_paths_table, &job->tree},
	    {&ct_call_warnings_table, &job->tree},
	    {NULL, NULL},
	};

	if (job->format)
		return ctpost_write_shown(call, job->format, job->trace, shown);
	ct_calls_write(stdout, calls, &job->view);
	return ctpost_show_tables(call, shown, job->view.rows, &job->view.style);
}

static int print(struct ctpost_call *call, const struct job *job)
{
	int err;

	if (job->format || !*job->form)
		return write_tables(call, job);
	if (!strcmp(job->form, "stacks"))
		err = ct_call_tree_write(stdout, &job->tree, &job->view);
	else if (!strcmp(job->form, "folded"))
		err = ct_call_tree_write_folded(stdout, &job->tree);
	else
		err = ct_calls_write_timeline(stdout, &job->calls, &job->view);
	return err < 0
		   ? ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0], ct_strerror(err))
		   : CTPOST_OK;
}

static int run(struct ctpost_call *call)
{
	struct job job = {.form = ""};
	int status = read_options(call, &job), err = 0;
	char *path;

	if (status != CTPOST_OK)
		return status;
	path = ctpost_calls_path(call->operand[0]);
	job.trace = ctpost_open_trace(call, path ? path : call->operand[0]);
	free(path);
	if (!job.trace)
		return CTPOST_FAILED;
	if (!ct_calls_are_there(job.trace)) {
		ctpost_warn_unread(job.trace);
		status = ctpost_fail(call, CTPOST_FAILED,
				     "%s: no calls are recorded; trace again with ctrun --calls=on",
				     call->operand[0]);
	} else {
		err = study(call, &job);
		if (err == 0) {
			warn(&job);
			status = print(call, &job);
		}
	}
	if (err < 0)
		status =
		    ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0], ct_strerror(err));
	ct_call_tree_fini(&job.tree);
	ct_calls_fini(&job.calls);
	ct_symbols_close(job.symbols);
	ct_stacks_fini(&job.stacks);
	ct_trace_close(job.trace);
	return status;
}

const struct ctpost_command ctpost_calls_command = {
    .name = "calls",
    .summary = "show what the host called, and what the devices did for it",
    .description =
	"Shows the calls of CUDA's runtime and driver that ctrun --calls has recorded: for each\n"
	"function how often, how long, how long it waited for the device, and its share of the\n"
	"run; for each kernel its launches, those that were traced apart; copies by direction "
	"with\n"
	"their rates; who waited for what; threads and streams.\n\n"
	"--stacks shows from where the calls were made, as a tree with functions, files and "
	"lines.\n"
	"Names come from the files that the program ran, if they are here and still the same (by\n"
	"build id), from separate debug files, and from debuginfod if DEBUGINFOD_URLS is set.\n\n"
	"docs/calls.md says what each figure means.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read or has no calls, 2 for a wrong "
		   "option.",
    .example = "ctpost calls --stacks run.ctrace",
    .is_of_rank_0 = true,
    .run = run,
};
