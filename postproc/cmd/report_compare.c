/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost report of several traces: their figures side by side. */
#include "postproc/cmd/report_compare.h"
#include "base/error.h"
#include "postproc/cmd/study.h"
#include "postproc/render/compare/compare.h"
#include "postproc/tables/output.h"

#include <errno.h>
#include <string.h>

struct job {
	struct ctpost_call *call;
	const struct ctpost_comparison *comparison;
	struct ct_ranks *ranks;
	struct ct_output *output; /* of rank 0; NULL: stdout */
	struct ct_compare compare;
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

	ctpost_comm_warn(study->comm);
	return ct_compare_add(&job->compare, *program ? program : directory, directory,
			      ct_comm_figures(study->comm));
}

static int analyse(struct job *job, const char *trace)
{
	struct ctpost_study study = {
	    .wanted = CT_STUDY(comm), .operand = trace, .ranks = job->ranks};
	int err = ctpost_study_read(&study, job->call) == CTPOST_OK &&
			  ctpost_study_meet(&study) == CTPOST_OK
		      ? 0
		      : -EINVAL;

	study.options.density_first = 0;
	study.options.density_last = CT_COMPARE_CTAS - 1;
	study.options.density_bins = CT_COMPARE_CTAS;
	if (err == 0)
		err = ctpost_study_open(&study);
	if (err == 0)
		err = ctpost_study_run(&study);
	if (job->ranks->rank == 0 && err == 0)
		err = explain(job, add(job, &study), trace, "");
	ctpost_study_close(&study);
	return ct_ranks_agree(job->ranks, err);
}

static int write_to(FILE *out, const struct job *job)
{
	const char *format = job->comparison->format;
	struct ct_style style = {0};

	if (strcmp(format, "csv") == 0)
		return ct_compare_write_csv(out, &job->compare);
	if (strcmp(format, "json") == 0)
		return ct_compare_write_json(out, &job->compare);
	if (strcmp(format, "html") == 0)
		return ct_compare_write_page(out, &job->compare, job->comparison->title);
	if (out == stdout)
		style = ct_style_of_stdout();
	return ct_compare_write_text(out, &job->compare, &style);
}

/* Rank 0 only. */
static int finish(struct job *job)
{
	const char *path = job->comparison->output;
	FILE *file;
	int err;

	if (!path)
		return explain(job, write_to(stdout, job), "stdout", "");
	file = ct_output_file(job->output, NULL);
	err = file ? write_to(file, job) : -errno;
	if (file && fclose(file) != 0 && err == 0)
		err = -errno;
	if (err == 0) {
		err = ct_output_commit(job->output);
		job->output = NULL;
	}
	return explain(job, err, path, "");
}

/* Before the analyses, which may take long. */
static int open_output(struct job *job)
{
	const char *path = job->comparison->output;
	char why[CTPOST_WHY_BYTES] = "";
	int err = 0;

	if (job->ranks->rank == 0 && path)
		err = explain(job, ct_output_open(&job->output, path, 0, why, sizeof(why)), path,
			      why);
	return ct_ranks_agree(job->ranks, err);
}

int ctpost_compare(struct ctpost_call *call, const struct ctpost_comparison *comparison)
{
	struct job job = {.call = call, .comparison = comparison};
	char why[CTPOST_WHY_BYTES] = "";
	int err = ct_ranks_open(&job.ranks, why, sizeof(why));

	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s", why);
	err = open_output(&job);
	for (int i = 0; err == 0 && i < call->operands; i++)
		err = analyse(&job, call->operand[i]);
	if (job.ranks->rank == 0 && err == 0)
		err = finish(&job);
	err = explain(&job, ct_ranks_agree(job.ranks, err), call->operand[0], "");
	if (job.ranks->rank != 0)
		ctpost_leave_to_rank_0(call);
	ct_output_discard(job.output);
	ct_compare_fini(&job.compare);
	ct_ranks_close(job.ranks);
	return err == 0 ? CTPOST_OK : CTPOST_FAILED;
}
