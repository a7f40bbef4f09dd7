/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost access: how warps access memory, and what of it they would not need. */
#include "postproc/render/access/access.h"
#include "base/error.h"
#include "postproc/analysis/access/findings.h"
#include "postproc/analysis/access/tables.h"
#include "postproc/analysis/branches/findings.h"
#include "postproc/analysis/branches/machine.h"
#include "postproc/analysis/branches/tables.h"
#include "postproc/analysis/races/tables.h"
#include "postproc/analysis/reuse/tables.h"
#include "postproc/cmd/base/cubins.h"
#include "postproc/cmd/base/kernel_times.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/comm_options.h"
#include "postproc/cmd/one_analysis.h"
#include "postproc/cmd/options/selection.h"
#include "postproc/tables/findings.h"

#define ROWS 20u

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
    {.name = "reuse",
     .help = "reuse distances and Q(Z, L) by kernel and object (one thread decodes)"},
    {.name = "races", .help = "accesses of a launch to the same bytes that nothing orders"},
    {.name = "times",
     .argument = "RUN",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "a run with times of the untraced kernels (ctrun --calls=only): gains in seconds"},
    {.name = "cubin",
     .argument = "FILE[,...]",
     .complete = CTPOST_COMPLETE_FILE,
     .help =
	 "the kernels' machine code (cuda-trace-clang++ -g1 --cuda-device-only -c -o FILE), for "
	 "what is left there of branches (default: a cubin in the trace)"},
    {.name = "rows", .argument = "N|all", .help = "most rows of each table (default: 20)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, ctpost_selection_options,
						      ctpost_resource_options, NULL};

struct job {
	struct ct_trace *trace;
	struct ct_access_job access;
	struct ct_branches_job branches;
	struct ct_reuse_job reuse;
	struct ct_races_job races;
	struct ct_findings findings;
	const struct ct_table_format *format;
	struct ctpost_cubins cubins;
	size_t rows;
	bool has_reuse, has_races;
};

static size_t begin(void *user, struct ct_trace *trace, const struct ct_filter *filter,
		    struct ct_task tasks[CTPOST_TASKS_MAX])
{
	struct job *job = user;
	size_t count = 2;

	job->trace = trace;
	job->access = (struct ct_access_job){.trace = trace, .filter = filter};
	job->branches = (struct ct_branches_job){.trace = trace, .filter = filter};
	job->reuse = (struct ct_reuse_job){.trace = trace, .filter = filter};
	tasks[0] = (struct ct_task){&ct_access_analysis, &job->access};
	tasks[1] = (struct ct_task){&ct_branches_analysis, &job->branches};
	job->races = (struct ct_races_job){.trace = trace, .filter = filter};
	if (job->has_reuse)
		tasks[count++] = (struct ct_task){&ct_reuse_analysis, &job->reuse};
	if (job->has_races)
		tasks[count++] = (struct ct_task){&ct_races_analysis, &job->races};
	return count;
}

static void end(void *user)
{
	struct job *job = user;

	ct_access_job_fini(&job->access);
	ct_branches_job_fini(&job->branches);
	ct_reuse_job_fini(&job->reuse);
	ct_races_job_fini(&job->races);
	ct_findings_fini(&job->findings);
}

static int set_times(void *user, const struct ct_calls *calls)
{
	return ct_access_set_times(&((struct job *)user)->access.results, calls);
}

/* What stands out, as ctpost findings says it. 0 or a negative error */
static int find(struct job *job)
{
	int err = ct_access_find(&job->findings, &job->access.results, true);

	if (err == 0)
		err = ct_branches_find(&job->findings, &job->branches.results);
	if (err == 0 && job->has_races)
		ct_races_find(&job->findings, &job->races.results);
	return err == 0 ? job->findings.err : err;
}

/* For programs, or those that people see. */
static int write_tables(struct ctpost_call *call, const struct job *job,
			const struct ct_style *style)
{
	const struct ct_access_results *results = &job->access.results;
	const struct ct_branches_results *branches = &job->branches.results;
	const struct ct_reuse_results *reuse = &job->reuse.results;
	const struct ct_races_results *races = &job->races.results;
	struct ctpost_shown shown[20] = {
	    {&ct_findings_table, &job->findings}, {&ct_access_totals_table, results},
	    {&ct_accesses_table, results},        {&ct_access_kernels_table, results},
	    {&ct_access_objects_table, results},  {&ct_access_heat_table, results},
	    {&ct_access_widths_table, results},   {&ct_other_accesses_table, results},
	    {&ct_access_launches_table, results}, {&ct_hot_addresses_table, results},
	};
	size_t count = 10;

	if (job->has_races) {
		shown[count++] = (struct ctpost_shown){&ct_races_table, races};
		shown[count++] = (struct ctpost_shown){&ct_race_totals_table, races};
	}
	if (branches->is_recorded) {
		shown[count++] = (struct ctpost_shown){&ct_branches_table, branches};
		shown[count++] = (struct ctpost_shown){&ct_branch_kernels_table, branches};
	}
	if (job->has_reuse) {
		shown[count++] = (struct ctpost_shown){&ct_reuse_table, reuse};
		shown[count++] = (struct ctpost_shown){&ct_reuse_curves_table, reuse};
	}
	return job->format ? ctpost_write_shown(call, job->format, job->trace, shown)
			   : ctpost_show_tables(call, shown, job->rows, style);
}

static int show(struct ctpost_call *call, void *user)
{
	struct job *job = user;
	const struct ct_access_results *results = &job->access.results;
	struct ct_style style = ct_style_of_stdout();
	const struct ct_access_output output = {
	    .results = results,
	    .branches = &job->branches.results,
	    .reuse = job->has_reuse ? &job->reuse.results : NULL,
	    .races = job->has_races ? &job->races.results : NULL,
	    .findings = &job->findings,
	};
	int status, err;

	if (!results->rows)
		return ctpost_fail(call, CTPOST_FAILED,
				   "%s: no accesses; trace with ctrun --tier=full, and select "
				   "what the trace has",
				   call->operand[0]);
	status = ctpost_read_kernel_times(call, job->trace, set_times, job);
	if (status != CTPOST_OK)
		return status;
	err = ct_branches_set_code(&job->branches.results, job->trace, job->cubins.of,
				   job->cubins.count);
	if (err == 0)
		err = find(job);
	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0],
				   ct_strerror(err));
	if (!job->format)
		ct_access_write(stdout, &output, &style);
	return write_tables(call, job, &style);
}

static int run(struct ctpost_call *call)
{
	static const struct ctpost_one_analysis one = {.begin = begin, .show = show, .end = end};
	struct job job = {.has_reuse = ctpost_value(call, "reuse") != NULL,
			  .has_races = ctpost_value(call, "races") != NULL};
	int status = ctpost_read_rows(call, ROWS, &job.rows);

	if (status == CTPOST_OK)
		status = ctpost_read_format(call, &job.format);
	if (status == CTPOST_OK)
		status = ctpost_read_cubins(call, &job.cubins);
	if (status == CTPOST_OK)
		status = ctpost_run_one_analysis(call, &one, &job);
	ctpost_cubins_fini(&job.cubins);
	return status;
}

const struct ctpost_command ctpost_access_command = {
    .name = "access",
    .summary = "show how warps access memory: sectors, patterns, lanes, atomics that meet",
    .description =
	"Shows for each access of the source, kernel and object how many sectors of 32 bytes\n"
	"its requests (executions by a warp) touch and how few would do; how the addresses of\n"
	"the lanes are to one another (broadcast, unit stride, stride, misaligned, structures,\n"
	"rows, gather); how many lanes are active; where atomics meet; bank conflicts of shared\n"
	"memory; distinct bytes of each launch; and what to do about it. Where basic blocks are\n"
	"recorded (--ct-events=block), also where the lanes of warps part at branches, and, with "
	"the\n"
	"kernels' machine code, which of these are left there.\n\n"
	"Under mpirun all ranks share the work. docs/access.md says what each figure means.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read or has no accesses, 2 for a wrong "
		   "option.",
    .example = "ctpost access --kernels=step run.ctrace",
    .run = run,
};
