/* SPDX-License-Identifier: Apache-2.0 */
/* A trace as all analyses see it, in one pass, for commands that show all findings. */
#include "postproc/cmd/study.h"
#include "postproc/analysis/access/analysis.h"
#include "postproc/analysis/blame/weights.h"
#include "postproc/analysis/branches/analysis.h"
#include "postproc/analysis/model/all.h"
#include "postproc/analysis/values/analysis.h"
#include "postproc/cmd/base/kernel_times.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/cmdline/progress.h"
#include "postproc/facts/unseen.h"
#include <errno.h>
#include <stdlib.h>

#define DEVICES_MIN 2u

static const struct ct_finder *const finder[] = {
#define CT_ANALYSIS(name) &ct_##name##_finder,
#include "postproc/analyses.def"
};

const struct ctpost_option ctpost_study_options[] = {
    {.name = "samples",
     .argument = "RUN",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "a run of the program with ctrun --samples: what its warps wait for is joined with "
	     "what TRACE tells of the accesses there"},
    {.name = "times",
     .argument = "RUN",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "a run with times of the untraced kernels (ctrun --calls=only): gains in seconds"},
    {.name = "races",
     .help = "also look for accesses of a launch to the same bytes that nothing orders; takes time "
	     "(of one process)"},
    {.name = NULL},
};

/* Races are looked for where they are asked for. */
static bool takes_part(const struct ctpost_study *study, size_t analysis)
{
	return finder[analysis]->analysis &&
	       (analysis != CTPOST_STUDY_races || ctpost_value(study->call, "races"));
}

int ctpost_study_read(struct ctpost_study *study, struct ctpost_call *call)
{
	const char *samples = ctpost_value(call, "samples");
	int status;

	study->call = call;
	study->sampled = samples ? ctpost_open_trace(call, samples) : NULL;
	if (samples && !study->sampled)
		return CTPOST_FAILED;
	status = ctpost_open_kernel_times(call, &study->timed, &study->times);
	if (status != CTPOST_OK)
		return status;
	study->options.deliveries = true;
	study->model = (struct ct_scaling_options){.devices_min = DEVICES_MIN,
						   .devices_max = CT_SCALING_DEVICES_MAX};
	status = ctpost_read_link_options(call, &study->model);
	if (status != CTPOST_OK)
		return status;
	return ctpost_read_comm_options(call, &study->options, &study->selection);
}

int ctpost_study_meet(struct ctpost_study *study)
{
	char why[CTPOST_WHY_BYTES] = "";

	if (ct_ranks_open(&study->ranks, why, sizeof(why)) < 0)
		return ctpost_fail(study->call, CTPOST_FAILED, "%s", why);
	study->options.ranks = study->model.ranks = study->ranks;
	return CTPOST_OK;
}

static int prepare(struct ctpost_study *study, char *why)
{
	int err;

	study->path = ctpost_calls_path(study->call->operand[0]);
	err = study->path ? ct_comm_prepare(&study->comm, study->path, &study->options, why,
					    CTPOST_WHY_BYTES)
			  : -ENOMEM;

	if (err != 0)
		return err;
	study->inquiry.trace = ct_comm_trace(study->comm);
	study->inquiry.unseen_parts = ct_unseen_parts(ct_comm_trace(study->comm));
	if (!ct_selection_is_all(&study->selection))
		study->inquiry.filter = ct_comm_filter(study->comm);
	study->served = (struct ct_served_job){
	    .trace = study->inquiry.trace,
	    .filter = study->inquiry.filter,
	    .is_off = !study->timed && (ct_machine_is_cpu(study->inquiry.trace) ||
					!ct_calls_are_there(ct_comm_trace(study->comm))),
	};
	for (size_t i = 0; i < CTPOST_STUDY_ANALYSES && err == 0; i++)
		if (takes_part(study, i))
			err = finder[i]->open(&study->job[i], &study->inquiry);
	return ct_ranks_agree(study->ranks, err);
}

/* All analyses read the records together. */
static int analyse(struct ctpost_study *study, char *why)
{
	struct ct_task beside[CTPOST_STUDY_ANALYSES + 1];
	size_t count = 0;
	int err = prepare(study, why);

	for (size_t i = 0; i < CTPOST_STUDY_ANALYSES; i++)
		if (takes_part(study, i))
			beside[count++] = (struct ct_task){finder[i]->analysis, study->job[i]};
	/* Caches are of use where seconds of a GPU are known. */
	if (!study->served.is_off)
		beside[count++] = (struct ct_task){&ct_served_analysis, &study->served};
	if (err == 0)
		err = ct_comm_run(study->comm, beside, count, why, CTPOST_WHY_BYTES);
	return err == 0 ? ct_scaling_open(&study->scaling, study->comm, &study->model) : err;
}

/* What the host called, of all parts. */
static int read_calls(struct ctpost_study *study)
{
	struct ct_trace *trace = ct_comm_trace(study->comm);
	int err;

	study->inquiry.times = study->timed ? &study->times : NULL;
	if (!ct_calls_are_there(trace))
		return 0;
	err = ct_calls_init(&study->calls, trace, NULL);
	study->has_calls = err == 0;
	study->inquiry.calls = err == 0 ? &study->calls : NULL;
	if (!study->timed)
		study->inquiry.times = study->inquiry.calls;
	if (err == 0 && study->with_paths)
		err = ctpost_open_host_paths(study->call, trace, &study->paths);
	study->inquiry.paths = study->paths;
	return err;
}

/* What of them is not needed, by this run or others of the same program. */
static int read_ffm(struct ctpost_study *study)
{
	int err = study->inquiry.calls
		      ? ctpost_ffm_beside_init(&study->ffm, study->call, study->call->operand[0],
					       ct_comm_trace(study->comm))
		      : 0;

	study->inquiry.ffm = study->ffm.is_there ? &study->ffm.study : NULL;
	return err;
}

/* Of the trace, or of another run of the program, of which nothing is selected: its launches are
 * not those of this one. */
static int read_samples(struct ctpost_study *study)
{
	struct ct_inquiry *inquiry = &study->inquiry;
	struct ct_trace *from = study->sampled ? study->sampled : ct_comm_trace(study->comm);
	int err =
	    ct_samples_study_init(&study->samples, from, study->sampled ? NULL : inquiry->filter);

	if (err == 0 && study->samples.weights.total) {
		inquiry->samples = &study->samples;
		inquiry->sampled = from;
	}
	return err;
}

/* Jobs of these begin with what their analyses take. */
static void share_results(struct ctpost_study *study)
{
	struct ct_inquiry *inquiry = &study->inquiry;

	inquiry->served = &study->served;
	inquiry->access = &((struct ct_access_job *)study->job[CTPOST_STUDY_access])->results;
	inquiry->values = &((struct ct_values_job *)study->job[CTPOST_STUDY_values])->figures;
	inquiry->branches = &((struct ct_branches_job *)study->job[CTPOST_STUDY_branches])->results;
	inquiry->blocks = &((struct ct_blame_job *)study->job[CTPOST_STUDY_blame])->weights;
	inquiry->model = study->job[CTPOST_STUDY_model]
			     ? &((struct ct_model_study *)study->job[CTPOST_STUDY_model])->all
			     : NULL;
}

/* Rank 0 only. */
static int find(struct ctpost_study *study)
{
	struct ct_inquiry *inquiry = &study->inquiry;
	int err = ct_summary_init(&study->summary, inquiry->trace);

	if (err < 0)
		return err;
	study->has_summary = true;
	inquiry->summary = &study->summary;
	inquiry->comm = study->comm;
	inquiry->scaling = study->scaling;
	if (err == 0)
		err = read_calls(study);
	if (err == 0)
		err = read_ffm(study);
	if (err == 0)
		err = read_samples(study);
	share_results(study);
	inquiry->damaged_chunks = ct_comm_figures(study->comm)->damaged_chunks;
	for (size_t i = 0; i < CTPOST_STUDY_ANALYSES && err == 0; i++) {
		err = finder[i]->find(&study->findings, study->job[i], inquiry);
		if (err == 0 && finder[i]->show)
			err = finder[i]->show(&study->sections, study->job[i], inquiry);
	}
	if (err == 0)
		ct_findings_leave_foreign(&study->findings, inquiry->trace);
	if (err == 0)
		err = study->findings.err;
	return err == 0 ? study->sections.err : err;
}

int ctpost_study_run(struct ctpost_study *study)
{
	const char *trace = study->call->operand[0];
	char why[CTPOST_WHY_BYTES] = "";
	struct ctpost_progress progress;
	int err;

	study->options.user = &progress;
	if (study->ranks->rank == 0)
		study->options.progress = ctpost_progress_draw;
	ctpost_progress_start(&progress, trace);
	err = analyse(study, why);
	ctpost_progress_stop(&progress);
	if (err == 0 && study->ranks->rank == 0)
		err = find(study);
	return ct_ranks_agree(study->ranks, ctpost_explain(study->call, err, trace, why));
}

int ctpost_study_end(struct ctpost_study *study, int err)
{
	struct ctpost_call *call = study->call;

	err = ctpost_explain(call, ct_ranks_agree(study->ranks, err), call->operand[0], "");
	if (study->ranks->rank != 0)
		ctpost_leave_to_rank_0(call);
	return err == 0 ? CTPOST_OK : CTPOST_FAILED;
}

void ctpost_study_close(struct ctpost_study *study)
{
	for (size_t i = 0; i < CTPOST_STUDY_ANALYSES; i++)
		if (finder[i]->analysis)
			finder[i]->close(study->job[i]);
	ct_findings_fini(&study->findings);
	ct_sections_fini(&study->sections);
	ct_samples_study_fini(&study->samples);
	ct_trace_close(study->sampled);
	ct_served_job_fini(&study->served);
	if (study->timed)
		ct_calls_fini(&study->times);
	ct_trace_close(study->timed);
	ct_host_paths_close(study->paths);
	ctpost_ffm_beside_fini(&study->ffm);
	free(study->path);
	if (study->has_calls)
		ct_calls_fini(&study->calls);
	if (study->has_summary)
		ct_summary_fini(&study->summary);
	ct_scaling_close(study->scaling);
	ct_comm_close(study->comm);
	ct_ranks_close(study->ranks);
	ct_selection_fini(&study->selection);
}
