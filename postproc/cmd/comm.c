/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost comm: how CTAs and kernels communicate through global memory. */
#include "postproc/render/comm/comm.h"
#include "postproc/analysis/comm/figures/exchanged.h"
#include "postproc/analysis/finder.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/comm_gather.h"
#include "postproc/cmd/comm_options.h"
#include "postproc/cmd/comm_request.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/cmd/options/speedup.h"
#include "postproc/cmdline/progress.h"
#include "postproc/facts/summary.h"
#include <errno.h>

struct job {
	struct ctpost_call *call;
	struct ctpost_comm_request request;
	struct ct_ranks *ranks;
	struct ctpost_progress progress;
	struct ct_comm *comm;
	struct ctpost_gathered *gathered;
	struct ct_scaling *scaling;
	struct ctpost_speedups speedups;
	struct ct_history *history;
};

static int explain(struct job *job, int err, const char *why)
{
	return ctpost_explain(job->call, err, job->call->operand[0], why);
}

/* The analysis, and beside it what else is asked for of the records. */
static int run_pass(struct job *job)
{
	const struct ctpost_comm_request *request = &job->request;
	char why[CTPOST_WHY_BYTES] = "";
	struct ct_task beside;
	int err =
	    ct_comm_prepare(&job->comm, job->call->operand[0], &request->options, why, sizeof(why));

	if (err == 0 && request->history)
		err = ct_ranks_agree(
		    job->ranks, ct_history_open(&job->history, job->comm, request->first_address,
						request->last_address, why, sizeof(why)));
	beside = (struct ct_task){&ct_history_analysis, job->history};
	if (err == 0)
		err = ct_comm_run(job->comm, &beside, request->history, why, sizeof(why));
	return explain(job, err, why);
}

static int analyse(struct job *job)
{
	const struct ctpost_comm_request *request = &job->request;
	unsigned what = 0;
	int err = run_pass(job);

	if (err == 0 && request->scaling)
		err = explain(
		    job, ct_scaling_open(&job->scaling, job->comm, &request->scaling_options), "");
	if (request->transfers)
		what |= CTPOST_GATHER_TRANSFERS;
	if (request->by == CT_BY_CTA && request->json)
		what |= CTPOST_GATHER_CTAS;
	if (request->by == CT_BY_SM)
		what |= CTPOST_GATHER_SMS;
	if (err == 0 && what)
		err = explain(
		    job, ctpost_gather(&job->gathered, job->comm, &request->options, what), "");
	return err;
}

struct exchanged {
	int (*fn)(void *user, const struct ct_comm_transfer *transfer);
	void *user;
};

static int pass_exchanged(void *user, const struct ct_comm_transfer *transfer)
{
	const struct exchanged *to = user;

	return transfer->source_cta == transfer->target_cta ? 0 : to->fn(to->user, transfer);
}

static int each_transfer(void *user, int (*fn)(void *, const struct ct_comm_transfer *),
			 void *fn_user)
{
	const struct job *job = user;
	struct exchanged to = {fn, fn_user};

	if (job->request.exchanged)
		return ctpost_gathered_transfers(job->gathered, pass_exchanged, &to);
	return ctpost_gathered_transfers(job->gathered, fn, fn_user);
}

static int each_cta(void *user, int (*fn)(void *, const struct ct_comm_cta *), void *fn_user)
{
	return ctpost_gathered_ctas(((struct job *)user)->gathered, fn, fn_user);
}

static int each_operation(void *user, int (*fn)(void *, const struct ct_history_entry *),
			  void *fn_user)
{
	return ct_history_each(((struct job *)user)->history, fn, fn_user);
}

static int print(struct job *job)
{
	const struct ctpost_comm_request *request = &job->request;
	struct ct_trace *trace = ct_comm_trace(job->comm);
	struct ct_style style = ct_style_of_stdout();
	struct ct_findings findings = {.count = 0};
	struct ct_comm_figures exchanged = {.is_exchanged = false};
	struct ct_host_paths *paths = NULL;
	struct ct_summary summary;
	struct ct_comm_output output = {
	    .figures = ct_comm_figures(job->comm),
	    .findings = &findings,
	    .options = &request->options,
	    .trace = trace,
	    .directory = ct_trace_directory(trace),
	    .by = request->by,
	    .shows_density = request->density,
	    .scaling_options = request->scaling ? &request->scaling_options : NULL,
	    .each_transfer = request->transfers ? each_transfer : NULL,
	    .each_cta = request->by == CT_BY_CTA && request->json ? each_cta : NULL,
	    .each_operation = request->history ? each_operation : NULL,
	    .user = job,
	};
	int err = ct_summary_init(&summary, trace);

	if (err < 0)
		return err;
	if (job->ranks->size > 1) /* mpirun passes a terminal on as one to each rank */
		style.colour = 0;
	output.program = summary.program;
	output.sampling = &summary.sampling;
	if (job->scaling)
		output.scaling = ct_scaling_rows(job->scaling, &output.scaling_rows);
	output.speedup = job->speedups.speedup;
	output.alone = &job->speedups.alone;
	output.untimed = job->speedups.untimed;
	if (request->by == CT_BY_SM)
		output.sm = ctpost_gathered_sms(job->gathered, &output.sms);
	err = ct_comm_finder.find(
	    &findings, NULL,
	    &(struct ct_inquiry){
		.trace = trace, .summary = &summary, .comm = job->comm, .scaling = job->scaling});
	if (err == 0 && request->paths)
		err = ctpost_open_host_paths(job->call, trace, &paths);
	output.paths = paths;
	if (err == 0 && request->exchanged) {
		err = ct_comm_exchanged_init(&exchanged, output.figures);
		output.figures = &exchanged;
	}
	if (err == 0 && request->json)
		err = ct_comm_write_json(stdout, &output);
	else if (err == 0)
		err = ct_comm_write_text(stdout, &output, &style);
	ct_host_paths_close(paths);
	ct_comm_exchanged_fini(&exchanged);
	ct_findings_fini(&findings);
	ct_summary_fini(&summary);
	return err;
}

static int run(struct ctpost_call *call)
{
	struct job job = {.call = call};
	char why[CTPOST_WHY_BYTES] = "";
	int status = ctpost_comm_read_request(call, &job.request), err;

	if (status != CTPOST_OK)
		return status;
	err = ct_ranks_open(&job.ranks, why, sizeof(why));
	if (err < 0) {
		ct_selection_fini(&job.request.selection);
		return ctpost_fail(call, CTPOST_FAILED, "%s", why);
	}
	job.request.options.ranks = job.ranks;
	job.request.scaling_options.ranks = job.ranks;
	job.request.options.user = &job.progress;
	if (job.ranks->rank == 0)
		job.request.options.progress = ctpost_progress_draw;
	ctpost_progress_start(&job.progress, call->operand[0]);
	err = analyse(&job);
	ctpost_progress_stop(&job.progress);
	if (job.ranks->rank == 0 && err == 0) {
		ctpost_comm_warn(job.comm);
		job.speedups.program = job.request.machine;
		if (job.scaling && ctpost_value(call, "times"))
			status = ctpost_comm_speedups(&job.speedups, call, job.comm, job.scaling,
						      &job.request.scaling_options);
		if (status == CTPOST_OK)
			err = explain(&job, print(&job), "");
	}
	err = explain(&job, ct_ranks_agree(job.ranks, err), "");
	if (job.ranks->rank != 0)
		ctpost_leave_to_rank_0(call);
	ctpost_gathered_close(job.gathered);
	ctpost_speedups_fini(&job.speedups);
	ct_scaling_close(job.scaling);
	ct_history_close(job.history);
	ct_comm_close(job.comm);
	ct_ranks_close(job.ranks);
	ct_selection_fini(&job.request.selection);
	if (status != CTPOST_OK)
		return status;
	return err == 0 ? CTPOST_OK : CTPOST_FAILED;
}

const struct ctpost_command ctpost_comm = {
    .name = "comm",
    .summary = "show how CTAs and kernels communicate through global memory",
    .description =
	"Shows what CTAs write that CTAs of later launches read: how much, between whom, how\n"
	"far apart, in which pattern, through which memory, from which line to which line.\n\n"
	"A byte is communicated from the CTA that last wrote it in an earlier launch to the\n"
	"CTA that reads it. Copies and memsets are shown beside. docs/communication.md says\n"
	"what each figure counts.\n\n"
	"Without --by, --density, --scale, --transfers and --address, all tables are shown,\n"
	"long ones cut. --paths adds from which functions and lines of the host the kernels were\n"
	"launched that write and read. Under mpirun the work is shared by all ranks, and rank 0 "
	"prints.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = ctpost_comm_groups,
    .exit_status = "0 on success, 1 if the trace cannot be analysed, 2 for a wrong option.",
    .example = "ctpost comm --kernels='^bfs' --by=line run.ctrace",
    .run = run,
};
