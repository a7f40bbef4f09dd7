/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost findings: the problems of a program, from all analyses and one pass over a trace. */
#include "postproc/render/findings/findings.h"
#include "base/error.h"
#include "postproc/cmd/base/cubins.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/options/gate.h"
#include "postproc/cmd/study.h"
#include "postproc/formats/diagnostics/diagnostics.h"
#include "postproc/problems/tables.h"
#include "postproc/render/findings/problems.h"
#include "postproc/tables/findings.h"
#include "postproc/tables/output.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS 10u

static const struct ctpost_option own[] = {
    {.name = "format",
     .argument = "FORMAT",
     .choices = "text" CT_TABLE_FORMATS "|sarif|gcc",
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "text, the same tables for programs, or problems alone: sarif for code hosts, gcc "
	     "(file:line:column: warning: ...) for editors (default: text)"},
    CTPOST_OUTPUT_OPTIONS,
    {.name = "all", .help = "list problems that are worth less than a thousandth of the run, too"},
    {.name = "suppressed", .help = "also which problems are suppressed, and by what"},
    {.name = "source-root",
     .argument = "DIR",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "of sarif and gcc: paths are relative to it (default: where it runs)"},
    {.name = "facts",
     .help = "also what stands out and is no problem: communication, placement, memory"},
    {.name = "tables", .help = "also the tables of analyses, the most important rows first"},
    {.name = "cubin",
     .argument = "FILE[,...]",
     .complete = CTPOST_COMPLETE_FILE,
     .help =
	 "the kernels' machine code (cuda-trace-clang++ -g1 --cuda-device-only -c -o FILE), for "
	 "spills and predicted times (default: cubins in the trace)"},
    {.name = "rows",
     .argument = "N|all",
     .help = "with --tables: most rows of each; other formats have all (default: 10)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {
    own, ctpost_gate_options, ctpost_known_options, CTPOST_STUDY_OPTIONS, NULL};

struct job {
	struct ctpost_cubins cubins;
	struct ctpost_study study;
	struct ctpost_gate gate;
	struct ctpost_known known;
	const struct ct_table_format *format; /* NULL: none of tables */
	int (*write)(FILE *out,
		     const struct ct_problem_export *problems); /* NULL: tables or text */
	char root[4096];
	size_t rows;
	int status; /* of the gate */
};

/* Findings, and the tables of analyses, for programs. An exit status, with call->why set. */
static int write_tables(const struct job *job)
{
	const struct ctpost_study *study = &job->study;
	const struct ct_sections *sections = &study->sections;
	struct ctpost_shown *shown = calloc(sections->count + 4, sizeof(*shown));
	const struct ct_section *section = NULL;
	size_t count = 0;
	int status;

	if (!shown)
		return ctpost_fail(study->call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	shown[count++] = (struct ctpost_shown){&ct_problems_table, &job->known.verdict.problems};
	shown[count++] = (struct ctpost_shown){&ct_suppressed_problems_table, &job->known.verdict};
	shown[count++] = (struct ctpost_shown){&ct_findings_table, &study->findings};
	while ((section = ct_sections_next(sections, section)))
		shown[count++] = (struct ctpost_shown){&section->kept, section};
	status = ctpost_write_shown(study->call, job->format, study->trace, shown);
	free(shown);
	return status;
}

static int print_text(const struct job *job)
{
	const struct ctpost_study *study = &job->study;
	const struct ctpost_call *call = study->call;
	struct ct_style style = ct_style_of_stdout();
	const struct ct_problem_list list = {.findings = &study->findings,
					     .verdict = &job->known.verdict,
					     .has_small = ctpost_value(call, "all"),
					     .has_suppressed = ctpost_value(call, "suppressed"),
					     .has_facts = ctpost_value(call, "facts")};

	ct_problem_list_write(stdout, &list, &style);
	return ctpost_value(call, "tables")
		   ? ct_sections_write(stdout, &study->sections, job->rows, &style)
		   : 0;
}

/* Problems for editors and code hosts, to standard output or a file. */
static int write_problems(const struct job *job)
{
	struct ctpost_call *call = job->study.call;
	const char *path = ctpost_value(call, "output");
	const struct ct_problem_export problems = {.verdict = &job->known.verdict,
						   .findings = &job->study.findings,
						   .inquiry = &job->study.inquiry,
						   .has_small = ctpost_value(call, "all"),
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

/* On rank 0. 0 or a negative error, with call->why set if that says more. */
static int print(struct job *job)
{
	struct ctpost_study *study = &job->study;
	int err = ctpost_study_judge(study, &job->known, NULL);

	if (err < 0)
		return err;
	if (job->format)
		err = write_tables(job) == CTPOST_OK ? 0 : -EIO;
	else
		err = job->write ? write_problems(job) : print_text(job);
	if (err == 0 &&
	    ctpost_gate_write(&job->gate, study->call, &job->known.verdict) != CTPOST_OK)
		err = -EIO;
	if (err == 0)
		job->status = ctpost_gate_decide(&job->gate, study->call, &job->known.verdict);
	return err;
}

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
		   ? ctpost_fail(call, CTPOST_USAGE, "findings: --json is not --format=%s", name)
		   : CTPOST_OK;
}

/* Reads a study on all ranks. CTPOST_OK, or another status with call->why set. */
static int read_study(struct ctpost_study *study, struct ctpost_call *call)
{
	int status = ctpost_study_read(study, call);

	if (status == CTPOST_OK)
		status = ctpost_study_read_runs(study);
	if (status == CTPOST_OK)
		status = ctpost_study_meet(study);
	return status;
}

static int take_baseline(struct job *job, const struct ctpost_study *before)
{
	struct ct_source_store *sources;
	int err = ctpost_study_sources(before, NULL, CT_QUOTE_SOURCES, &sources);

	if (err == 0)
		err = ctpost_known_take_baseline(&job->known, &before->problems, sources);
	ct_source_store_close(sources);
	return err;
}

/* The problems of a study before this one, as its baseline. */
static int read_before(struct job *job, struct ctpost_call *call)
{
	struct ctpost_study before = {.wanted = CT_STUDY_FINDINGS, .operand = job->gate.baseline};
	int status = read_study(&before, call), err;

	if (status == CTPOST_OK) {
		err = ctpost_study_open(&before);
		if (err == 0)
			err = ctpost_study_run(&before);
		if (err == 0 && before.ranks->rank == 0)
			err = take_baseline(job, &before);
		status = ctpost_study_end(&before, err);
	}
	ctpost_study_close(&before);
	return status;
}

static int read_baseline(struct job *job, struct ctpost_call *call)
{
	if (!job->gate.baseline)
		return CTPOST_OK;
	if (job->gate.is_study)
		return read_before(job, call);
	return ctpost_known_read_baseline(&job->known, call, job->gate.baseline) < 0 ? CTPOST_FAILED
										     : CTPOST_OK;
}

static int run_job(struct job *job, struct ctpost_call *call)
{
	struct ctpost_study *study = &job->study;
	int status = ctpost_gate_read(&job->gate, call), err;

	if (status == CTPOST_OK)
		status = ctpost_read_rows(call, ROWS, &job->rows);
	if (status == CTPOST_OK)
		status = read_format(job, call);
	if (status == CTPOST_OK)
		status = ctpost_known_read(&job->known, call);
	if (status == CTPOST_OK)
		status = ctpost_read_cubins(call, &job->cubins);
	study->cubin = job->cubins.of;
	study->cubins = job->cubins.count;
	if (status == CTPOST_OK)
		status = read_baseline(job, call);
	if (status == CTPOST_OK)
		status = read_study(study, call);
	if (status == CTPOST_OK) {
		err = ctpost_study_open(study);
		if (err == 0)
			err = ctpost_study_run(study);
		if (err == 0 && study->ranks->rank == 0)
			err = print(job);
		status = ctpost_study_end(study, err);
	}
	return status == CTPOST_OK ? job->status : status;
}

static int run(struct ctpost_call *call)
{
	struct job *job = calloc(1, sizeof(*job));
	int status;

	if (!job)
		return ctpost_fail(call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	job->study.wanted = CT_STUDY_FINDINGS;
	status = run_job(job, call);
	ctpost_known_close(&job->known);
	ctpost_study_close(&job->study);
	ctpost_cubins_fini(&job->cubins);
	free(job);
	return status;
}

const struct ctpost_command ctpost_findings_command = {
    .name = "findings",
    .summary = "list the problems of a program, and what to do about them",
    .description =
	"Runs all analyses in one pass over the trace, and lists what is wrong with the program:\n"
	"where, what to do, and what that is worth in seconds of its run, the most first; about\n"
	"(a measurement or a model) or at most. What analyses say of one line is one problem.\n"
	"Then what limits the figures. STUDY is a directory of ctrun profile or ctrun ffm, or a\n"
	"trace: of a traced run alone seconds are those of the model (a run whose kernels are\n"
	"pristine is --times). verify, comm and report show findings beside their figures.\n"
	"Under mpirun the work is shared by all ranks, and rank 0 prints.\n\n"
	"As a gate: --write-baseline keeps what is known, --baseline compares with it, and\n"
	"--fail-on says what ends the command with 3. Comments of the source (ct: expected ID) "
	"and\n"
	"a file (--suppressions) say which problems are expected; these are counted.",
    .operands = "STUDY",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, whatever was found, 1 if the trace cannot be read, 2 for a wrong "
		   "option, 3 if a problem is what --fail-on says.",
    .example = "ctpost findings run.ctrace",
    .run = run,
};
