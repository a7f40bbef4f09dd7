/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost access: how warps access memory, and what of it they would not need. */
#include "postproc/render/access/access.h"
#include "postproc/analysis/access/tables.h"
#include "postproc/analysis/branches/tables.h"
#include "postproc/analysis/races/tables.h"
#include "postproc/analysis/reuse/tables.h"
#include "postproc/cmd/base/cubins.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/view.h"
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
	struct ct_reuse_job reuse;
	struct ct_task beside;
	const struct ct_table_format *format;
	struct ctpost_cubins cubins;
	size_t rows;
	bool has_reuse, has_races;
};

/* Reuse distances are of this command alone. */
static void begin(struct ctpost_study *study, void *user)
{
	struct job *job = user;

	job->reuse = (struct ct_reuse_job){.trace = study->trace, .filter = study->inquiry.filter};
	job->beside = (struct ct_task){&ct_reuse_analysis, &job->reuse};
	study->beside = &job->beside;
	study->besides = job->has_reuse;
}

/* For programs, or those that people see. */
static int write_tables(const struct ctpost_study *study, const struct job *job,
			const struct ct_access_output *of, const struct ct_style *style)
{
	const struct ct_access_results *results = of->results;
	const struct ct_branches_results *branches = of->branches;
	const struct ct_reuse_results *reuse = of->reuse;
	const struct ct_races_results *races = of->races;
	struct ctpost_shown shown[20] = {
	    {&ct_findings_table, of->findings},   {&ct_access_totals_table, results},
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
	return job->format ? ctpost_write_shown(study->call, job->format, study->trace, shown)
			   : ctpost_show_tables(study->call, shown, job->rows, style);
}

static int show(struct ctpost_study *study, void *user)
{
	struct job *job = user;
	struct ct_style style = ct_style_of_stdout();
	const struct ct_access_output output = {
	    .results = study->inquiry.access,
	    .branches = study->inquiry.branches,
	    .reuse = job->has_reuse ? &job->reuse.results : NULL,
	    .races = study->inquiry.races,
	    .findings = &study->findings,
	};

	if (!output.results->rows)
		return ctpost_fail(study->call, CTPOST_FAILED,
				   "%s: no accesses; trace with ctrun --tier=full, and select "
				   "what the trace has",
				   study->operand);
	if (!job->format)
		ct_access_write(stdout, &output, &style);
	return write_tables(study, job, &output, &style);
}

static int run(struct ctpost_call *call)
{
	static const struct ctpost_view view = {.begin = begin, .show = show};
	struct job job = {.has_reuse = ctpost_value(call, "reuse") != NULL,
			  .has_races = ctpost_value(call, "races") != NULL};
	struct ctpost_study study = {
	    .wanted = CT_STUDY(access) | CT_STUDY(branches), .lists_all = true, .finds_all = true};
	int status = ctpost_read_rows(call, ROWS, &job.rows);

	if (job.has_races)
		study.wanted |= CT_STUDY(races);
	if (status == CTPOST_OK)
		status = ctpost_read_format(call, &job.format);
	if (status == CTPOST_OK)
		status = ctpost_read_cubins(call, &job.cubins);
	study.cubin = job.cubins.of;
	study.cubins = job.cubins.count;
	if (status == CTPOST_OK)
		status = ctpost_view_times(call, &study);
	if (status == CTPOST_OK)
		status = ctpost_run_view(call, &view, &study, &job);
	ct_reuse_job_fini(&job.reuse);
	ctpost_study_close(&study);
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
