/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost comm: how CTAs and kernels communicate through global memory. */
#include "postproc/render/comm/comm.h"
#include "base/error.h"
#include "postproc/analysis/comm/figures/exchanged.h"
#include "postproc/cmd/base/comm_gather.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/comm_request.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/cmd/options/speedup.h"
#include "postproc/render/info/tables.h"
#include "postproc/tables/findings.h"
#include "postproc/tables/sink.h"
#include <errno.h>

#define TABLES_MAX 32

struct job {
	struct ctpost_call *call;
	struct ctpost_study study;
	struct ctpost_comm_request request;
	struct ctpost_gathered *gathered;
	struct ctpost_speedups speedups;
	struct ct_history *history;
};

/* The outcome of all ranks. */
static int explain(struct job *job, int err, const char *why)
{
	return ct_ranks_agree(job->study.ranks,
			      ctpost_explain(job->call, err, job->study.path, why));
}

/* The analysis, and beside it what else is asked for of the records. */
static int run_pass(struct job *job)
{
	const struct ctpost_comm_request *request = &job->request;
	struct ctpost_study *study = &job->study;
	char why[CTPOST_WHY_BYTES] = "";
	struct ct_task history;
	int err = ctpost_study_open(study);

	if (err == 0 && request->history) {
		err = explain(job,
			      ct_history_open(&job->history, study->comm, request->first_address,
					      request->last_address, why, sizeof(why)),
			      why);
		history = (struct ct_task){&ct_history_analysis, job->history};
		study->beside = &history;
		study->besides = 1;
	}
	return err == 0 ? ctpost_study_run(study) : err;
}

static int analyse(struct job *job)
{
	const struct ctpost_comm_request *request = &job->request;
	const struct ctpost_study *study = &job->study;
	const bool has_ctas =
	    request->by == CT_BY_SM || (request->by == CT_BY_CTA && request->format);
	unsigned what = (request->transfers ? CTPOST_GATHER_TRANSFERS : 0) |
			(has_ctas ? CTPOST_GATHER_CTAS : 0);
	int err = run_pass(job);

	if (err == 0 && what)
		err = explain(
		    job, ctpost_gather(&job->gathered, study->comm, &study->options, what), "");
	return err;
}

/* An exit status, with call->why set of a failure. */
static int write_tables(struct job *job, const struct ct_comm_shown *of)
{
	const struct ctpost_comm_request *request = &job->request;
	const struct ct_trace_facts facts = {.trace = job->study.trace};
	struct ct_host_path_rows rows = {.count = 0};
	struct ctpost_shown shown[TABLES_MAX] = {
	    {&ct_findings_table, &job->study.findings},
	    {&ct_comm_totals_table, of},
	    {&ct_supersteps_table, of},
	    {&ct_kernel_volumes_table, of},
	    {&ct_kernel_pairs_table, of},
	    {&ct_line_pairs_table, of},
	    {&ct_object_flows_table, of},
	    {&ct_transfer_sizes_table, of},
	    {&ct_distances_table, of},
	    {&ct_strides_table, of},
	    {&ct_stride_spreads_table, of},
	    {&ct_cta_figures_table, of},
	    {&ct_degrees_table, of},
	    {&ct_bisection_table, of},
	    {&ct_density_table, of},
	    {&ct_losses_table, &facts},
	    {&ct_warnings_table, &facts},
	};
	const struct {
		bool is_asked;
		struct ctpost_shown shown;
	} others[] = {
	    {request->by == CT_BY_CTA, {&ct_cta_volumes_table, of}},
	    {request->by == CT_BY_SM, {&ct_sm_volumes_table, of}},
	    {request->transfers, {&ct_transfers_table, of}},
	    {request->history, {&ct_address_history_table, of}},
	    {request->scaling, {&ct_scaling_totals_table, of}},
	    {request->scaling, {&ct_scaling_table, of}},
	    {request->paths, {&ct_launch_paths_table, &rows}},
	    {request->paths, {&ct_host_paths_table, &rows}},
	};
	size_t count = 0;
	int status = CTPOST_OK;

	while (shown[count].table)
		count++;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i].is_asked)
			shown[count++] = others[i].shown;
	if (request->paths && ct_comm_path_rows(&rows, of) < 0)
		status = ctpost_fail(job->call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	if (status == CTPOST_OK)
		status = ctpost_write_shown(job->call, request->format, job->study.trace, shown);
	ct_host_path_rows_fini(&rows);
	return status;
}

static int write_text(struct job *job, struct ct_comm_shown *of)
{
	const struct ctpost_comm_request *request = &job->request;
	const struct ctpost_study *study = &job->study;
	struct ct_style style = ct_style_of_stdout();
	const struct ct_comm_output output = {
	    .shown = of,
	    .findings = &study->findings,
	    .sampling = &study->summary.sampling,
	    .directory = ct_trace_directory(study->trace),
	    .rows = request->rows,
	    .by = request->by,
	    .shows_density = request->density,
	    .lists_transfers = request->transfers,
	};
	int err;

	of->has_launches_only = true;
	err = ct_comm_write_text(stdout, &output, &style);
	return ctpost_explain(job->call, err, study->path, "") < 0 ? CTPOST_FAILED : CTPOST_OK;
}

static int write_figures(struct job *job, struct ct_comm_figures *exchanged,
			 const struct ct_numbered_kernels *kernels,
			 const struct ct_host_paths *paths)
{
	const struct ctpost_comm_request *request = &job->request;
	const struct ctpost_study *study = &job->study;
	struct ct_comm_shown of = {
	    .figures = ct_comm_figures(study->comm),
	    .kernels = kernels,
	    .paths = paths,
	    .program = study->summary.program,
	    .has_self = study->options.self,
	    .lists = ctpost_gathered_lists(job->gathered),
	    .history = job->history,
	    .links = request->scaling ? &study->model : NULL,
	    .speedup = job->speedups.speedup,
	    .alone = job->speedups.speedup ? &job->speedups.alone : NULL,
	    .untimed = job->speedups.untimed,
	};

	if (study->scaling)
		of.scaling = ct_scaling_rows(study->scaling, &of.scaling_rows);
	if (request->exchanged) {
		if (ct_comm_exchanged_init(exchanged, of.figures) < 0)
			return ctpost_fail(job->call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
		of.figures = exchanged;
	}
	return request->format ? write_tables(job, &of) : write_text(job, &of);
}

static int print(struct job *job)
{
	struct ct_comm_figures exchanged = {.is_exchanged = false};
	struct ct_numbered_kernels kernels = {.count = 0};
	struct ct_host_paths *paths = NULL;
	int err = ct_numbered_kernels_init(&kernels, job->study.trace), status;

	if (err == 0 && job->request.paths)
		err = ctpost_open_host_paths(job->call, job->study.trace, &paths);
	status = ctpost_explain(job->call, err, job->study.path, "") < 0
		     ? CTPOST_FAILED
		     : write_figures(job, &exchanged, &kernels, paths);
	ct_host_paths_close(paths);
	ct_comm_exchanged_fini(&exchanged);
	ct_numbered_kernels_fini(&kernels);
	return status;
}

/* Rank 0 only. 0 or a negative error, with call->why set. */
static int show(struct job *job)
{
	struct ctpost_study *study = &job->study;
	int status = CTPOST_OK;

	ctpost_comm_warn(study->comm);
	job->speedups.program = job->request.machine;
	if (study->scaling && ctpost_value(job->call, "times"))
		status = ctpost_comm_speedups(&job->speedups, job->call, study->comm,
					      study->scaling, &study->model);
	if (status == CTPOST_OK)
		status = print(job);
	return status == CTPOST_OK ? 0 : -EINVAL;
}

static int run(struct ctpost_call *call)
{
	struct job job = {.call = call, .study.wanted = CT_STUDY(comm)};
	struct ctpost_study *study = &job.study;
	int status = ctpost_study_read(study, call), err;

	if (status == CTPOST_OK)
		status = ctpost_comm_read_request(study, &job.request);
	if (status == CTPOST_OK)
		status = ctpost_study_meet(study);
	if (status == CTPOST_OK) {
		err = analyse(&job);
		if (err == 0 && study->ranks->rank == 0)
			err = show(&job);
		status = ctpost_study_end(study, err);
	}
	ctpost_gathered_close(job.gathered);
	ctpost_speedups_fini(&job.speedups);
	ct_history_close(job.history);
	ctpost_study_close(study);
	return status;
}

const struct ctpost_command ctpost_comm_command = {
    .name = "comm",
    .summary = "show how thread blocks and kernels communicate through global memory",
    .description =
	"Shows what blocks write that blocks of later launches read: how much, between whom, how\n"
	"far apart, in which pattern, through which memory, from which line to which line.\n\n"
	"A byte is communicated from the block that last wrote it in an earlier launch to the\n"
	"block that reads it. Copies and memsets are shown beside. docs/communication.md says\n"
	"what each figure counts.\n\n"
	"Without --by, --density, --scale, --transfers and --address, all tables are shown,\n"
	"long ones cut (--rows). --paths adds from which functions and lines of the host the "
	"kernels were\n"
	"launched that write and read. Under mpirun the work is shared by all ranks, and rank 0\n"
	"prints.\n\n"
	"--format=json, csv, sqlite and hdf5 write all tables (docs/tables.md); transfers, "
	"volumes\n"
	"of blocks and multiprocessors, what was done to addresses, devices and paths if they are\n"
	"asked for.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = ctpost_comm_groups,
    .exit_status = "0 on success, 1 if the trace cannot be analysed, 2 for a wrong option.",
    .example = "ctpost comm --kernels='^bfs' --by=line run.ctrace",
    .run = run,
};
