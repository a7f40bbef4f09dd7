/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost report of several traces: their figures side by side. */
#include "postproc/cmd/report_compare.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/comparison.h"
#include "postproc/render/compare/tables.h"
#include "postproc/tables/layout.h"
#include "postproc/tables/output.h"

#include <errno.h>

struct job {
	struct ctpost_call *call;
	const struct ctpost_panels *panels;
	struct ct_ranks *ranks;
	struct ct_output *output; /* of rank 0: the page */
	struct ct_compare compare;
	struct ctpost_comparison both; /* of the page of two */
	bool has_both;
};

static int explain(struct job *job, int err, const char *what, const char *why)
{
	return ctpost_explain(job->call, err, what, why);
}

/* Rank 0 only. */
static int add(struct job *job, const struct ctpost_study *study)
{
	const char *program = study->summary.program;
	const char *directory = ct_trace_directory(study->trace);

	return ct_compare_add(&job->compare, *program ? program : directory, directory,
			      ct_comm_figures(study->comm));
}

static void prepare(struct ctpost_study *study)
{
	study->options.density_first = 0;
	study->options.density_last = CT_COMPARE_CTAS - 1;
	study->options.density_bins = CT_COMPARE_CTAS;
	study->wanted |= CT_STUDY_PATHS;
}

static int analyse(struct job *job, const char *trace)
{
	struct ctpost_study study = {
	    .wanted = CT_STUDY(comm), .operand = trace, .ranks = job->ranks};
	int err = ctpost_study_read(&study, job->call) == CTPOST_OK &&
			  ctpost_study_meet(&study) == CTPOST_OK
		      ? 0
		      : -EINVAL;

	prepare(&study);
	if (err == 0)
		err = ctpost_study_open(&study);
	if (err == 0)
		err = ctpost_study_run(&study);
	if (job->ranks->rank == 0 && err == 0) {
		ctpost_comm_warn(study.comm);
		err = explain(job, add(job, &study), trace, "");
	}
	ctpost_study_close(&study);
	return ct_ranks_agree(job->ranks, err);
}

/* All analyses of two, which are reported first on their page. */
static int analyse_both(struct job *job)
{
	int err;

	job->both.from = job->panels->from;
	err = ctpost_comparison_run(&job->both, job->call, job->ranks, prepare);

	job->has_both = true;
	for (unsigned when = 0; when < 2 && err == 0 && job->ranks->rank == 0; when++)
		err = explain(job, add(job, &job->both.study[when]), job->call->operand[when], "");
	return ct_ranks_agree(job->ranks, err);
}

static int analyse_all(struct job *job)
{
	int err = 0;

	if (job->panels->is_page && job->call->operands == 2)
		return analyse_both(job);
	for (int i = 0; err == 0 && i < job->call->operands; i++)
		err = analyse(job, job->call->operand[i]);
	return err;
}

static int write_page(struct job *job)
{
	const char *path = job->panels->output;
	FILE *file = ct_output_file(job->output, NULL);
	struct ct_compare_page page = {.title = job->panels->title,
				       .compare = &job->compare,
				       .both = job->has_both ? &job->both.comparison : NULL};
	int err;

	for (unsigned when = 0; when < 2 && job->has_both; when++) {
		const struct ctpost_study *study = &job->both.study[when];

		page.sources[when] = job->both.sources[when];
		page.calls[when] = study->inquiry.calls;
		page.paths[when] = study->called_paths ? study->called_paths : study->paths;
	}
	err = file ? ct_compare_write_page(file, &page) : -errno;

	if (file && fclose(file) != 0 && err == 0)
		err = -errno;
	if (err == 0) {
		err = ct_output_commit(job->output);
		job->output = NULL;
	}
	return explain(job, err, path, "");
}

/* Rank 0 only. */
static int finish(struct job *job)
{
	const struct ctpost_panels *panels = job->panels;
	struct ctpost_shown shown[CT_COMPARE_TABLES + 1] = {{NULL, NULL}};
	struct ct_style style = ct_style_of_stdout();
	int status;

	if (panels->is_page)
		return write_page(job);
	for (size_t i = 0; i < CT_COMPARE_TABLES; i++)
		shown[i] = (struct ctpost_shown){ct_compare_tables[i], &job->compare};
	status = panels->format ? ctpost_write_shown(job->call, panels->format, NULL, shown)
				: ctpost_show_tables(job->call, shown, SIZE_MAX, &style);
	return status == CTPOST_OK ? 0 : -EINVAL;
}

/* Before the analyses, which may take long. */
static int open_output(struct job *job)
{
	const char *path = job->panels->output;
	char why[CTPOST_WHY_BYTES] = "";
	int err = 0;

	if (job->ranks->rank == 0 && job->panels->is_page)
		err = explain(job, ct_output_open(&job->output, path, 0, why, sizeof(why)), path,
			      why);
	return ct_ranks_agree(job->ranks, err);
}

int ctpost_compare(struct ctpost_call *call, const struct ctpost_panels *panels)
{
	struct job job = {.call = call, .panels = panels};
	char why[CTPOST_WHY_BYTES] = "";
	int err = ct_ranks_open(&job.ranks, why, sizeof(why));

	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s", why);
	err = open_output(&job);
	if (err == 0)
		err = analyse_all(&job);
	if (job.ranks->rank == 0 && err == 0)
		err = finish(&job);
	err = explain(&job, ct_ranks_agree(job.ranks, err), call->operand[0], "");
	if (job.ranks->rank != 0)
		ctpost_leave_to_rank_0(call);
	ct_output_discard(job.output);
	ct_compare_fini(&job.compare);
	ctpost_comparison_close(&job.both);
	ct_ranks_close(job.ranks);
	return err == 0 ? CTPOST_OK : CTPOST_FAILED;
}
