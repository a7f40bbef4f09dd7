/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost check: accesses, copies and frees that are wrong. */
#include "base/error.h"
#include "postproc/analysis/check/tables.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/cmd/options/known.h"
#include "postproc/cmd/view.h"
#include "postproc/formats/diagnostics/diagnostics.h"
#include "postproc/render/check/text.h"
#include "postproc/tables/findings.h"
#include "postproc/tables/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct ctpost_option own[] = {
    {.name = "format",
     .argument = "FORMAT",
     .choices = "text" CT_TABLE_FORMATS "|sarif|gcc",
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "text, the same tables for programs, sarif for code hosts, gcc (file:line:column: "
	     "warning: ...) for editors (default: text)"},
    CTPOST_OUTPUT_OPTIONS,
    {.name = "fail-on",
     .argument = "WHAT",
     .choices = "error|warning|never",
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "end with 3 if there is an error, or anything at all (default: never)"},
    {.name = "source-root",
     .argument = "DIR",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "of sarif and gcc: paths are relative to it (default: where it runs)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own,
						      ctpost_known_options,
						      ctpost_debug_options,
						      ctpost_selection_options,
						      ctpost_resource_options,
						      NULL};

struct job {
	struct ctpost_study study;
	struct ctpost_known known;
	const struct ct_table_format *format; /* NULL: none of tables */
	int (*write)(FILE *out,
		     const struct ct_problem_export *problems); /* NULL: tables or text */
	char root[4096];
	int status; /* of what was found */
};

static int read_format(struct job *job, struct ctpost_call *call)
{
	const char *name = ctpost_value(call, "format"), *root = ctpost_value(call, "source-root");

	if (name && !strcmp(name, "sarif"))
		job->write = ct_problems_write_sarif;
	if (name && !strcmp(name, "gcc"))
		job->write = ct_problems_write_gcc;
	if (!(root ? realpath(root, job->root) : getcwd(job->root, sizeof(job->root))))
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", root ? root : ".",
				   ct_strerror(errno));
	if (!job->write)
		return ctpost_read_format(call, &job->format);
	return ctpost_value(call, "json")
		   ? ctpost_fail(call, CTPOST_USAGE, "check: --json is not --format=%s", name)
		   : CTPOST_OK;
}

/* For editors and code hosts, to standard output or a file. 0 or a negative error, with call->why
 * set. */
static int write_problems(const struct job *job)
{
	struct ctpost_call *call = job->study.call;
	const char *path = ctpost_value(call, "output");
	const struct ct_problem_export problems = {.verdict = &job->known.verdict,
						   .findings = &job->study.findings,
						   .inquiry = &job->study.inquiry,
						   .has_small = true,
						   .root = job->root,
						   .version = CT_VERSION};
	struct ct_output *output = NULL;
	FILE *file = stdout;
	int err;

	if (path && ct_output_open(&output, path, 0, call->why, sizeof(call->why)) < 0)
		return -EIO;
	if (path)
		file = ct_output_file(output, NULL);
	err = file ? job->write(file, &problems) : -errno;
	if (path && file && fclose(file) != 0 && err == 0)
		err = -errno;
	if (err < 0)
		ct_output_discard(output);
	else if (path)
		err = ct_output_commit(output);
	return ctpost_explain(call, err, path ? path : "the output", "");
}

static int write_tables(const struct job *job)
{
	const struct ctpost_study *study = &job->study;
	const struct ct_check_results *results = study->inquiry.check;
	const struct ctpost_shown shown[] = {{&ct_findings_table, &study->findings},
					     {&ct_checks_table, results},
					     {&ct_check_totals_table, results},
					     {NULL, NULL}};

	return ctpost_write_shown(study->call, job->format, study->trace, shown);
}

/* Whether what is not suppressed is what --fail-on says. */
static int decide(const struct job *job)
{
	const char *what = ctpost_value(job->study.call, "fail-on");
	const struct ct_findings *findings = &job->study.findings;
	size_t errors = 0, all = 0;

	for (size_t i = 0; i < findings->count; i++) {
		if (findings->list[i].suppressed_by)
			continue;
		all++;
		errors += ct_check_is_error(findings->list[i].id);
	}
	if (!what || !strcmp(what, "never"))
		return CTPOST_OK;
	return (strcmp(what, "warning") ? errors : all) ? CTPOST_FOUND : CTPOST_OK;
}

static int show(struct ctpost_study *study, void *user)
{
	struct job *job = user;
	int err = ctpost_study_judge(study, &job->known, NULL), status = CTPOST_OK;

	if (err < 0)
		return ctpost_fail(study->call, CTPOST_FAILED, "%s: %s", study->operand,
				   ct_strerror(err));
	if (job->format)
		status = write_tables(job);
	else if (job->write)
		status = write_problems(job) < 0 ? CTPOST_FAILED : CTPOST_OK;
	else
		ct_check_write(stdout, &study->findings);
	ct_check_write_unknown(stderr, study->inquiry.check);
	job->status = decide(job);
	return status;
}

static int run_job(struct job *job, struct ctpost_call *call)
{
	static const struct ctpost_view view = {.show = show};
	int status = read_format(job, call);

	if (status == CTPOST_OK)
		status = ctpost_known_read(&job->known, call);
	if (status == CTPOST_OK)
		status = ctpost_run_view(call, &view, &job->study, job);
	return status == CTPOST_OK ? job->status : status;
}

static int run(struct ctpost_call *call)
{
	struct job *job = calloc(1, sizeof(*job));
	int status;

	if (!job)
		return ctpost_fail(call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	job->study.wanted = CT_STUDY(check);
	job->study.lists_all = job->study.finds_all = true;
	status = run_job(job, call);
	ctpost_known_close(&job->known);
	ctpost_study_close(&job->study);
	free(job);
	return status;
}

const struct ctpost_command ctpost_check_command = {
    .name = "check",
    .summary = "list accesses, copies and frees that are wrong",
    .description =
	"Lists what is wrong with how a program uses memory, by line: accesses of kernels behind\n"
	"the end of an object or before its begin, to freed memory, to memory of the host or to\n"
	"none; races, barriers that some threads do not reach; copies that overlap; what is never\n"
	"freed. Of each cause the object, who allocated it, the first thread and how often. Only\n"
	"what is sure is listed, and nothing is printed if there is none. docs/check.md says what\n"
	"each kind means, and what is not known.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, whatever was found, 1 if the trace cannot be read, 2 for a wrong "
		   "option, 3 if something is what --fail-on says.",
    .example = "ctpost check --fail-on=error run.ctrace",
    .run = run,
};
