/* SPDX-License-Identifier: Apache-2.0 */
/* A trace, and what analyses know of it from one pass. */
#include "postproc/cmd/study.h"
#include "base/error.h"
#include "postproc/analysis/model/machine.h"
#include "postproc/cmd/base/kernel_times.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmdline/progress.h"
#include "postproc/facts/unseen.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES_MIN 2u

static const char *const analysis_name[] = {
#define CT_ANALYSIS(name) #name,
#include "postproc/analyses.def"
};

const struct ctpost_option ctpost_study_options[] = {
    {.name = "samples",
     .argument = "RUN",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "a run of the program with ctrun --samples: what its warps wait for is joined with "
	     "what TRACE records of the accesses there"},
    {.name = "times",
     .argument = "RUN",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "a run with times of the untraced kernels (ctrun --calls=only): gains in seconds"},
    {.name = "races",
     .help =
	 "also look for accesses of a launch to the same bytes that nothing orders; takes time"},
    {.name = "check",
     .help = "also list accesses, copies and frees that are wrong (ctpost check); takes time"},
    {.name = NULL},
};

uint64_t ctpost_study_closure(uint64_t wanted)
{
	for (uint64_t before = 0; before != wanted;) {
		before = wanted;
		for (size_t i = 0; i < CT_ANALYSES; i++)
			if (wanted >> i & 1)
				wanted |= ct_finders[i]->needs;
	}
	return wanted;
}

static bool is_wanted(const struct ctpost_study *study, uint64_t what)
{
	return (study->wanted & what) != 0;
}

static bool takes_part(const struct ctpost_study *study, size_t analysis)
{
	return ct_finders[analysis]->open && is_wanted(study, (uint64_t)1 << analysis);
}

int ctpost_study_read(struct ctpost_study *study, struct ctpost_call *call)
{
	study->call = call;
	if (!study->operand)
		study->operand = call->operand[0];
	return ctpost_read_comm_options(call, &study->options, &study->selection);
}

int ctpost_study_read_runs(struct ctpost_study *study)
{
	struct ctpost_call *call = study->call;
	const char *samples = ctpost_value(call, "samples");
	int status;

	if (ctpost_value(call, "races"))
		study->wanted |= CT_STUDY(races);
	if (ctpost_value(call, "check"))
		study->wanted |= CT_STUDY(check);
	study->sampled = samples ? ctpost_open_trace(call, samples) : NULL;
	if (samples && !study->sampled)
		return CTPOST_FAILED;
	status = ctpost_open_kernel_times(call, &study->timed, &study->times);
	if (status != CTPOST_OK)
		return status;
	study->model = (struct ct_scaling_options){.devices_min = DEVICES_MIN,
						   .devices_max = CT_SCALING_DEVICES_MAX};
	return ctpost_read_link_options(call, &study->model);
}

int ctpost_study_meet(struct ctpost_study *study)
{
	char why[CTPOST_WHY_BYTES] = "";

	if (!study->ranks) {
		if (ct_ranks_open(&study->ranks, why, sizeof(why)) < 0)
			return ctpost_fail(study->call, CTPOST_FAILED, "%s", why);
		study->has_ranks = true;
	}
	study->options.ranks = study->model.ranks = study->ranks;
	return CTPOST_OK;
}

/* The run whose kernels were pristine, where another one has the records. CTPOST_OK or
 * CTPOST_FAILED, with call->why set. */
static int open_called(struct ctpost_study *study)
{
	char *path = ctpost_calls_path(study->operand);
	int status = path ? CTPOST_OK
			  : ctpost_fail(study->call, CTPOST_FAILED, "%s: %s", study->operand,
					ct_strerror(-ENOMEM));

	if (path && strcmp(path, study->path) != 0) {
		study->called = ctpost_open_trace(study->call, path);
		status = study->called ? CTPOST_OK : CTPOST_FAILED;
	}
	free(path);
	return status;
}

/* The run whose warps were sampled, if the study has one and none is named. Likewise. */
static int open_sampled(struct ctpost_study *study)
{
	char *path = study->sampled ? NULL : ctpost_sampled_path(study->operand);
	int status = CTPOST_OK;

	if (path) {
		study->sampled = ctpost_open_trace(study->call, path);
		status = study->sampled ? CTPOST_OK : CTPOST_FAILED;
	}
	free(path);
	return status;
}

static int open_trace(struct ctpost_study *study)
{
	struct ctpost_call *call = study->call;
	int status = CTPOST_FAILED;

	study->path = ctpost_accesses_path(study->operand);
	if (!study->path)
		return -ENOMEM;
	study->trace = ctpost_open_trace(call, study->path);
	if (study->trace)
		status = open_called(study);
	if (status == CTPOST_OK && is_wanted(study, CT_STUDY_SAMPLES))
		status = open_sampled(study);
	if (status == CTPOST_OK)
		status = ctpost_open_filter(call, study->path, study->trace, &study->selection,
					    &study->filter);
	return status == CTPOST_OK ? 0 : -EINVAL;
}

static int open_jobs(struct ctpost_study *study)
{
	struct ct_inquiry *inquiry = &study->inquiry;
	int err = 0;

	inquiry->trace = study->trace;
	inquiry->filter = ct_selection_is_all(&study->selection) ? NULL : study->filter;
	if (is_wanted(study, CT_STUDY(values) | CT_STUDY(check)))
		inquiry->unseen_parts = ct_unseen_parts(study->trace);
	inquiry->communication = &study->options;
	inquiry->lists_all = study->lists_all;
	inquiry->finds_all = study->finds_all;
	inquiry->precision = study->precision;
	inquiry->cubin = study->cubin;
	inquiry->cubins = study->cubins;
	inquiry->why = study->why;
	study->served = (struct ct_served_job){
	    .trace = study->trace,
	    .filter = inquiry->filter,
	    .is_off = !study->timed &&
		      (ct_machine_is_cpu(study->trace) || !ct_calls_are_there(study->trace)),
	};
	for (size_t i = 0; i < CT_ANALYSES && err == 0; i++)
		if (takes_part(study, i))
			err = ct_ranks_agree(study->ranks,
					     ct_finders[i]->open(&study->job[i], inquiry));
	study->comm = study->job[CT_ANALYSIS_comm];
	return err;
}

/* The outcome of all ranks. */
static int explain(struct ctpost_study *study, int err)
{
	return ct_ranks_agree(study->ranks,
			      ctpost_explain(study->call, err, study->path, study->why));
}

int ctpost_study_open(struct ctpost_study *study)
{
	int err;

	study->wanted = ctpost_study_closure(study->wanted);
	/* Data that crosses between devices is counted by who gets the same bytes. */
	study->options.deliveries |= is_wanted(study, CT_STUDY_SCALING);
	err = ct_ranks_agree(study->ranks, open_trace(study));
	return explain(study, err == 0 ? open_jobs(study) : err);
}

/* All analyses read the records together. */
static int analyse(struct ctpost_study *study)
{
	const struct ct_comm_options *options = &study->options;
	const struct ct_pass_options pass = {
	    .threads = options->threads,
	    .memory_bytes = options->memory_bytes,
	    .directory = options->directory,
	    .ranks = study->ranks,
	    .progress = study->ranks->rank == 0 ? ctpost_progress_draw : NULL,
	    .user = &study->progress,
	};
	struct ct_task *task = calloc(CT_ANALYSES + 1 + study->besides, sizeof(*task));
	struct ct_scanned scanned = {0};
	size_t count = 0;
	int err = ct_ranks_agree(study->ranks, task ? 0 : -ENOMEM);

	for (size_t i = 0; i < CT_ANALYSES && err == 0; i++)
		if (takes_part(study, i) && ct_finders[i]->analysis)
			task[count++] = (struct ct_task){ct_finders[i]->analysis, study->job[i]};
	/* Caches are of use where seconds of a GPU are known. */
	if (err == 0 && is_wanted(study, CT_STUDY_SERVED) && !study->served.is_off)
		task[count++] = (struct ct_task){&ct_served_analysis, &study->served};
	for (size_t i = 0; i < study->besides && err == 0; i++)
		task[count++] = study->beside[i];
	if (err == 0 && count)
		err = ct_pass_run(study->trace, task, count, &pass, &scanned, study->why);
	free(task);
	study->inquiry.damaged_chunks = scanned.damaged_chunks;
	if (err && study->comm)
		ct_comm_explain(study->comm, err, study->why, sizeof(study->why));
	if (err == 0 && is_wanted(study, CT_STUDY_SCALING) && study->comm)
		err = ct_scaling_open(&study->scaling, study->comm, &study->model);
	return err;
}

/* From where the host launched, in the trace of the records, and from where it called, in that of
 * calls. What is not named is reported of the first alone: the other one is of the same program. */
static int open_paths(struct ctpost_study *study, struct ct_trace *called)
{
	const struct ct_symbols_options options = ctpost_symbols_options(study->call);
	int err = 0;

	if (ct_calls_are_there(study->trace))
		err = ctpost_open_host_paths(study->call, study->trace, &study->paths);
	return err == 0 && called != study->trace
		   ? ct_host_paths_open(&study->called_paths, called, &options)
		   : err;
}

/* Reads what the host called, of all parts. */
static int read_calls(struct ctpost_study *study)
{
	struct ct_trace *called = study->called ? study->called : study->trace;
	const struct ct_host_paths *paths;
	int err;

	study->inquiry.times = study->timed ? &study->times : NULL;
	if (!ct_calls_are_there(called))
		return 0;
	err = is_wanted(study, CT_STUDY_PATHS) ? open_paths(study, called) : 0;
	study->inquiry.paths = study->paths;
	paths = study->called_paths ? study->called_paths : study->paths;
	if (err == 0)
		err = ct_calls_init(&study->calls, called,
				    paths ? ct_host_paths_stacks(paths) : NULL);
	study->has_calls = err == 0;
	study->inquiry.calls = err == 0 ? &study->calls : NULL;
	if (!study->timed)
		study->inquiry.times = study->inquiry.calls;
	return err;
}

/* Reads which of them are not needed, by this run or others of the same program. */
static int read_ffm(struct ctpost_study *study)
{
	struct ct_trace *called = study->called ? study->called : study->trace;
	int err = study->inquiry.calls
		      ? ctpost_ffm_beside_init(&study->ffm, study->call, study->operand, called)
		      : 0;

	study->ffm.study.lists_all = study->lists_all;
	study->inquiry.ffm = study->ffm.is_there ? &study->ffm.study : NULL;
	return err;
}

/* Reads samples of the trace, or of another run of the program, of which nothing is selected: its
 * launches are not those of this one. */
static int read_samples(struct ctpost_study *study)
{
	struct ct_inquiry *inquiry = &study->inquiry;
	struct ct_trace *from = study->sampled ? study->sampled : study->trace;
	int err =
	    ct_samples_study_init(&study->samples, from, study->sampled ? NULL : inquiry->filter);

	study->samples.lists_all = study->lists_all;
	if (err == 0 && study->samples.weights.total) {
		inquiry->samples = &study->samples;
		inquiry->sampled = from;
	}
	return err;
}

/* Rank 0 only. */
static int read_others(struct ctpost_study *study)
{
	struct ct_inquiry *inquiry = &study->inquiry;
	int err = ct_summary_init(&study->summary, study->trace);

	if (err < 0)
		return err;
	study->has_summary = true;
	inquiry->summary = &study->summary;
	inquiry->scaling = study->scaling;
	inquiry->served = &study->served;
	if (is_wanted(study, CT_STUDY_CALLS))
		err = read_calls(study);
	if (err == 0 && is_wanted(study, CT_STUDY_FFM))
		err = read_ffm(study);
	if (err == 0 && is_wanted(study, CT_STUDY_SAMPLES))
		err = read_samples(study);
	return err;
}

/* The sections of an analysis. */
static void show(struct ctpost_study *study, size_t i)
{
	const struct ct_finder_table *table = ct_finders[i]->tables;
	const struct ct_inquiry *inquiry = &study->inquiry;

	for (; table && table->table; table++) {
		const void *from = table->is_shown ? ct_finder_rows_from(ct_finders[i], table,
									 study->job[i], inquiry)
						   : NULL;
		struct ct_section *section =
		    from ? ct_sections_add(&study->sections, analysis_name[i], table->table, from)
			 : NULL;

		if (section && ct_finders[i]->show)
			ct_finders[i]->show(section, study->job[i], inquiry);
	}
}

/* Likewise. */
static int find(struct ctpost_study *study)
{
	struct ct_inquiry *inquiry = &study->inquiry;
	int err = read_others(study);

	for (size_t i = 0; i < CT_ANALYSES; i++)
		if (takes_part(study, i) && ct_finders[i]->share)
			ct_finders[i]->share(inquiry, study->job[i]);
	for (size_t i = 0; i < CT_ANALYSES && err == 0; i++) {
		if (!is_wanted(study, (uint64_t)1 << i))
			continue;
		err = ct_finders[i]->find(&study->findings, study->job[i], inquiry);
	}
	for (size_t i = 0; i < CT_ANALYSES && err == 0; i++)
		if (is_wanted(study, (uint64_t)1 << i))
			show(study, i);
	if (err == 0 && !study->finds_all)
		ct_findings_leave_foreign(&study->findings, inquiry->trace);
	if (err == 0)
		err = study->findings.err;
	if (err == 0)
		err = ct_problems_init(&study->problems, &study->findings, inquiry);
	return err == 0 ? study->sections.err : err;
}

int ctpost_study_run(struct ctpost_study *study)
{
	int err;

	ctpost_progress_start(&study->progress, study->path);
	err = analyse(study);
	ctpost_progress_stop(&study->progress);
	if (err == 0 && study->ranks->rank == 0)
		err = find(study);
	return explain(study, err);
}

int ctpost_study_sources(const struct ctpost_study *study, const char *root,
			 enum ct_quoting quoting, struct ct_source_store **sources)
{
	struct ct_trace *const all[] = {study->trace, study->called, study->ffm.files.uses,
					study->ffm.files.first_uses, study->sampled};
	struct ct_trace *there[sizeof(all) / sizeof(*all)];
	size_t count = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i])
			there[count++] = all[i];
	return ct_source_store_open(sources, there, count, root, quoting);
}

int ctpost_study_judge(struct ctpost_study *study, struct ctpost_known *known,
		       struct ct_source_store *sources)
{
	const struct ct_verdict_from from = {
	    .findings = &study->findings, .problems = &study->problems, .inquiry = &study->inquiry};
	struct ct_source_store *own = NULL;
	int err = sources ? 0 : ctpost_study_sources(study, NULL, CT_QUOTE_SOURCES, &own);

	if (err == 0)
		err = ctpost_known_judge(known, study->call, &from, sources ? sources : own);
	ct_source_store_close(own);
	return err;
}

int ctpost_study_end(struct ctpost_study *study, int err)
{
	struct ctpost_call *call = study->call;

	err = ctpost_explain(call, ct_ranks_agree(study->ranks, err), study->operand, "");
	if (study->ranks->rank != 0)
		ctpost_leave_to_rank_0(call);
	return err == 0 ? CTPOST_OK : CTPOST_FAILED;
}

void ctpost_study_close(struct ctpost_study *study)
{
	/* Analyses that join others end before them. */
	ct_scaling_close(study->scaling);
	for (size_t i = 0; i < CT_ANALYSES; i++)
		if (ct_finders[i]->close)
			ct_finders[i]->close(study->job[i]);
	ct_problems_fini(&study->problems);
	ct_findings_fini(&study->findings);
	ct_sections_fini(&study->sections);
	ct_samples_study_fini(&study->samples);
	ct_trace_close(study->sampled);
	ct_served_job_fini(&study->served);
	if (study->timed)
		ct_calls_fini(&study->times);
	ct_trace_close(study->timed);
	ct_host_paths_close(study->paths);
	ct_host_paths_close(study->called_paths);
	ctpost_ffm_beside_fini(&study->ffm);
	free(study->path);
	if (study->has_calls)
		ct_calls_fini(&study->calls);
	if (study->has_summary)
		ct_summary_fini(&study->summary);
	ct_filter_close(study->filter);
	ct_trace_close(study->trace);
	ct_trace_close(study->called);
	if (study->has_ranks)
		ct_ranks_close(study->ranks);
	ct_selection_fini(&study->selection);
}
