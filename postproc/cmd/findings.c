/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost findings: what all analyses have found in a trace, from one pass over it. */
#include "postproc/render/findings/findings.h"
#include "base/error.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/study.h"
#include "postproc/tables/findings.h"
#include <errno.h>
#include <stdlib.h>

#define ROWS 10u

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
    {.name = "rows",
     .argument = "N|all",
     .help = "most rows of each table, 0 for no tables; JSON has all (default: 10)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, CTPOST_STUDY_OPTIONS, NULL};

/* Findings, and the tables of analyses, for programs. An exit status, with call->why set. */
static int write_tables(const struct ctpost_study *study, const struct ct_table_format *format)
{
	const struct ct_sections *sections = &study->sections;
	struct ctpost_shown *shown = calloc(sections->count + 2, sizeof(*shown));
	const struct ct_section *section = NULL;
	size_t count = 0;
	int status;

	if (!shown)
		return ctpost_fail(study->call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	shown[count++] = (struct ctpost_shown){&ct_findings_table, &study->findings};
	while ((section = ct_sections_next(sections, section)))
		shown[count++] = (struct ctpost_shown){&section->kept, section};
	status = ctpost_write_shown(study->call, format, study->trace, shown);
	free(shown);
	return status;
}

/* On rank 0. 0 or a negative error, with call->why set if that says more. */
static int print(const struct ctpost_study *study, const struct ct_table_format *format,
		 size_t rows)
{
	struct ct_style style = ct_style_of_stdout();

	if (format)
		return write_tables(study, format) == CTPOST_OK ? 0 : -EIO;
	if (!study->findings.count)
		printf("Nothing stands out.\n");
	ct_findings_write(stdout, &study->findings, &style);
	return ct_sections_write(stdout, &study->sections, rows, &style);
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

const struct ctpost_command ctpost_findings = {
    .name = "findings",
    .summary = "list what stands out, and what to do about it",
    .description =
	"Runs all analyses in one pass over the trace, and lists what they have found: what is\n"
	"wrong with the trace, what limits its figures, and what stands out in how the program\n"
	"moves its data, with the lines and objects it is about, what to do, and what that is\n"
	"worth. verify, comm and report show the same ones beside their figures. Tables of\n"
	"analyses follow, the most important rows first; report has them too. Under mpirun the\n"
	"work is shared by all ranks, and rank 0 prints.",
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
