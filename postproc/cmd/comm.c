/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost comm: how CTAs and kernels communicate through global memory. */
#include "postproc/render/comm/comm.h"
#include "postproc/analysis/comm/figures/exchanged.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/comm_gather.h"
#include "postproc/cmd/comm_request.h"
#include "postproc/cmd/export.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/cmd/options/speedup.h"
#include "postproc/tables/sink.h"
#include <errno.h>

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
	unsigned what = 0;
	int err = run_pass(job);

	if (request->transfers)
		what |= CTPOST_GATHER_TRANSFERS;
	if (request->by == CT_BY_CTA && request->json)
		what |= CTPOST_GATHER_CTAS;
	if (request->by == CT_BY_SM)
		what |= CTPOST_GATHER_SMS;
	if (err == 0 && what)
		err = explain(
		    job, ctpost_gather(&job->gathered, study->comm, &study->options, what), "");
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
	const struct ctpost_study *study = &job->study;
	struct ct_style style = ct_style_of_stdout();
	struct ct_comm_figures exchanged = {.is_exchanged = false};
	struct ct_comm_output output = {
	    .figures = ct_comm_figures(study->comm),
	    .findings = &study->findings,
	    .options = &study->options,
	    .trace = study->trace,
	    .directory = ct_trace_directory(study->trace),
	    .program = study->summary.program,
	    .sampling = &study->summary.sampling,
	    .by = request->by,
	    .shows_density = request->density,
	    .scaling_options = request->scaling ? &study->model : NULL,
	    .each_transfer = request->transfers ? each_transfer : NULL,
	    .each_cta = request->by == CT_BY_CTA && request->json ? each_cta : NULL,
	    .each_operation = request->history ? each_operation : NULL,
	    .speedup = job->speedups.speedup,
	    .alone = &job->speedups.alone,
	    .untimed = job->speedups.untimed,
	    .user = job,
	};
	struct ct_host_paths *paths = NULL;
	int err = 0;

	if (study->scaling)
		output.scaling = ct_scaling_rows(study->scaling, &output.scaling_rows);
	if (request->by == CT_BY_SM)
		output.sm = ctpost_gathered_sms(job->gathered, &output.sms);
	if (request->paths)
		err = ctpost_open_host_paths(job->call, study->trace, &paths);
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
	return err;
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
	return status == CTPOST_OK ? ctpost_explain(job->call, print(job), study->path, "")
				   : -EINVAL;
}

static int show_figures(struct ctpost_call *call)
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

/* For programs all tables of communication are written, whichever people are shown. */
static int write_tables(struct ctpost_call *call)
{
	const struct ctpost_tables tables = {.list = "comm,kernels,launches,sites,objects",
					     .history = ctpost_value(call, "address")};

	if (ctpost_value(call, "scale") || ctpost_value(call, "exchanged"))
		return ctpost_fail(call, CTPOST_USAGE,
				   "comm: --scale and --exchanged are for text and JSON");
	return ctpost_export_tables(call, &tables);
}

static int run(struct ctpost_call *call)
{
	const struct ct_table_format *format;
	int status = ctpost_read_format(call, &format);

	if (status != CTPOST_OK)
		return status;
	return format && format != &ct_format_json ? write_tables(call) : show_figures(call);
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
	"launched that write and read. Under mpirun the work is shared by all ranks, and rank 0\n"
	"prints.\n\n"
	"--format=csv, sqlite and hdf5 write all tables of communication (docs/tables.md), and\n"
	"with --address the table history.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = ctpost_comm_groups,
    .exit_status = "0 on success, 1 if the trace cannot be analysed, 2 for a wrong option.",
    .example = "ctpost comm --kernels='^bfs' --by=line run.ctrace",
    .is_shared = true,
    .run = run,
};
