/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost findings: the problems of a program, from all analyses and one pass over a trace. */
#include "postproc/render/findings/findings.h"
#include "base/error.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/study.h"
#include "postproc/problems/tables.h"
#include "postproc/render/findings/problems.h"
#include "postproc/tables/findings.h"
#include <errno.h>
#include <stdlib.h>

#define ROWS 10u

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
    {.name = "all", .help = "list problems that are worth less than a thousandth of the run, too"},
    {.name = "facts",
     .help = "also what stands out and is no problem: communication, placement, memory"},
    {.name = "tables", .help = "also the tables of analyses, the most important rows first"},
    {.name = "rows",
     .argument = "N|all",
     .help = "with --tables: most rows of each; other formats have all (default: 10)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, CTPOST_STUDY_OPTIONS, NULL};

/* Findings, and the tables of analyses, for programs. An exit status, with call->why set. */
static int write_tables(const struct ctpost_study *study, const struct ct_table_format *format)
{
	const struct ct_sections *sections = &study->sections;
	struct ctpost_shown *shown = calloc(sections->count + 3, sizeof(*shown));
	const struct ct_section *section = NULL;
	size_t count = 0;
	int status;

	if (!shown)
		return ctpost_fail(study->call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	shown[count++] = (struct ctpost_shown){&ct_problems_table, &study->problems};
	shown[count++] = (struct ctpost_shown){&ct_findings_table, &study->findings};
	while ((section = ct_sections_next(sections, section)))
		shown[count++] = (struct ctpost_shown){&section->kept, section};
	status = ctpost_write_shown(study->call, format, study->trace, shown);
	free(shown);
	return status;
}

static int print_text(const struct ctpost_study *study, size_t rows)
{
	const struct ctpost_call *call = study->call;
	struct ct_style style = ct_style_of_stdout();
	const struct ct_problem_list list = {.findings = &study->findings,
					     .problems = &study->problems,
					     .has_small = ctpost_value(call, "all"),
					     .has_facts = ctpost_value(call, "facts")};

	ct_problem_list_write(stdout, &list, &style);
	return ctpost_value(call, "tables")
		   ? ct_sections_write(stdout, &study->sections, rows, &style)
		   : 0;
}

/* On rank 0. 0 or a negative error, with call->why set if that says more. */
static int print(const struct ctpost_study *study, const struct ct_table_format *format,
		 size_t rows)
{
	if (format)
		return write_tables(study, format) == CTPOST_OK ? 0 : -EIO;
	return print_text(study, rows);
}

static int run(struct ctpost_call *call)
{
	struct ctpost_study study = {.wanted = CT_STUDY_FINDINGS};
	int status = ctpost_study_read(&study, call), err;
	const struct ct_table_format *format = NULL;
	size_t rows = 0;

	if (status == CTPOST_OK)
		status = ctpost_study_read_runs(&study);
	if (status == CTPOST_OK)
		status = ctpost_read_rows(call, ROWS, &rows);
	if (status == CTPOST_OK)
		status = ctpost_read_format(call, &format);
	if (status == CTPOST_OK)
		status = ctpost_study_meet(&study);
	if (status == CTPOST_OK) {
		err = ctpost_study_open(&study);
		if (err == 0)
			err = ctpost_study_run(&study);
		if (err == 0 && study.ranks->rank == 0)
			err = print(&study, format, rows);
		status = ctpost_study_end(&study, err);
	}
	ctpost_study_close(&study);
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
	"Under mpirun the work is shared by all ranks, and rank 0 prints.",
    .operands = "STUDY",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, whatever was found, 1 if the trace cannot be read, 2 for a wrong "
		   "option.",
    .example = "ctpost findings run.ctrace",
    .run = run,
};
