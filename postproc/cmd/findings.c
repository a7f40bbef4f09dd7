/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost findings: what all analyses have found in a trace, from one pass over it. */
#include "postproc/render/findings/findings.h"
#include "postproc/analysis/totals/analysis.h"
#include "postproc/analysis/totals/findings.h"
#include "postproc/analysis/verify/analysis.h"
#include "postproc/analysis/verify/findings.h"
#include "postproc/cmd/comm_options.h"
#include "postproc/cmdline/progress.h"
#include "postproc/render/base/json.h"
#include <errno.h>
#include <stdlib.h>

#define DEVICES_MIN 2u

static const struct ctpost_option own[] = {
    {.name = "json", .help = "write JSON (docs/json-schema.md)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {
    own,
    ctpost_selection_options,
    ctpost_comm_options,
    ctpost_resource_options,
    ctpost_link_options,
    NULL,
};

struct job {
	struct ctpost_call *call;
	struct ct_comm_options options;
	struct ct_selection selection;
	struct ct_scaling_options model;
	struct ctpost_progress progress;
	struct ct_comm *comm;
	struct ct_scaling *scaling;
	struct ct_tally_job tally;
	struct ct_totals_job totals;
	struct ct_findings findings;
};

static int show_progress(void *user, uint64_t done, uint64_t total)
{
	return ctpost_progress_update(&((struct job *)user)->progress, done, total);
}

/* All analyses read the records together. */
static int analyse(struct job *job, char *why, size_t why_bytes)
{
	const struct ct_task beside[] = {
	    {&ct_tally_analysis, &job->tally},
	    {&ct_totals_analysis, &job->totals},
	};
	int err = ct_comm_prepare(&job->comm, job->call->operand[0], &job->options, why, why_bytes);

	if (err == 0) {
		job->tally.trace = ct_comm_trace(job->comm);
		job->totals.trace = job->tally.trace;
		err = ct_comm_run(job->comm, beside, 2, why, why_bytes);
	}
	return err == 0 ? ct_scaling_open(&job->scaling, job->comm, &job->model) : err;
}

static int find(struct job *job)
{
	struct ct_trace *trace = ct_comm_trace(job->comm);
	struct ct_summary summary;
	int err = ct_summary_init(&summary, trace);

	if (err < 0)
		return err;
	err = ct_verify_integrity(&job->findings, trace, job->tally.tally,
				  ct_comm_figures(job->comm)->damaged_chunks);
	if (err == 0)
		err = ctpost_comm_find(&job->findings, job->comm, job->scaling, &summary);
	if (err == 0)
		ct_totals_find(&job->findings, trace, job->totals.totals, NULL);
	ct_summary_fini(&summary);
	return err < 0 ? err : job->findings.err;
}

static int print(const struct job *job)
{
	struct ct_style style = ct_style_of_stdout();
	json_t *json;

	if (ctpost_value(job->call, "json")) {
		json = json_pack("{s:s, s:o, s:o}", "schema", "cudatrace-findings-1", "trace",
				 ct_json_text(job->call->operand[0]), "findings",
				 ct_findings_json(&job->findings));
		return json ? ct_json_write(stdout, json, 2) : -ENOMEM;
	}
	if (!job->findings.count)
		printf("Nothing stands out.\n");
	ct_findings_write(stdout, &job->findings, &style);
	return 0;
}

static int explain(const struct job *job, int err, const char *why)
{
	const char *trace = job->call->operand[0];

	if (err != 0 && *why)
		ctpost_fail(job->call, 0, "%s", why);
	else if (err != 0)
		ctpost_fail(job->call, 0, "%s: %s", trace, ct_strerror(err));
	return err == 0 ? CTPOST_OK : CTPOST_FAILED;
}

static int look(struct job *job)
{
	char why[CTPOST_WHY_BYTES] = "";
	int err;

	ctpost_progress_start(&job->progress, job->call->operand[0]);
	err = analyse(job, why, sizeof(why));
	ctpost_progress_stop(&job->progress);
	if (err == 0)
		err = find(job);
	if (err == 0)
		err = print(job);
	return explain(job, err, why);
}

static int run(struct ctpost_call *call)
{
	struct job job = {.call = call};
	int status;

	job.model = (struct ct_scaling_options){.devices_min = DEVICES_MIN,
						.devices_max = CT_SCALING_DEVICES_MAX};
	status = ctpost_read_link_options(call, &job.model);
	if (status == CTPOST_OK)
		status = ctpost_read_comm_options(call, &job.options, &job.selection);
	if (status != CTPOST_OK)
		return status;
	job.options.ranks = job.model.ranks = ct_ranks_alone();
	job.options.progress = show_progress;
	job.options.deliveries = true;
	job.options.user = &job;
	status = look(&job);
	ct_findings_fini(&job.findings);
	ct_tally_close(job.tally.tally);
	ct_totals_job_fini(&job.totals);
	ct_scaling_close(job.scaling);
	ct_comm_close(job.comm);
	ct_selection_fini(&job.selection);
	return status;
}

const struct ctpost_command ctpost_findings = {
    .name = "findings",
    .summary = "list what stands out, and what to do about it",
    .description =
	"Runs all analyses in one pass over the trace, and lists what they have found: what is\n"
	"wrong with the trace, what limits its figures, and what stands out in how the program\n"
	"moves its data, with the lines and objects it is about, what to do, and what that is\n"
	"worth. verify, comm and report show the same ones beside their figures.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, whatever was found, 1 if the trace cannot be read, 2 for a wrong "
		   "option.",
    .example = "ctpost findings run.ctrace",
    .run = run,
};
