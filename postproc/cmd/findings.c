/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost findings: what all analyses have found in a trace, from one pass over it. */
#include "postproc/render/findings/findings.h"
#include "base/quantity.h"
#include "postproc/cmd/study.h"
#include "postproc/render/base/json.h"
#include <errno.h>
#include <string.h>

#define ROWS 10u

static const struct ctpost_option own[] = {
    {.name = "json", .help = "write JSON (docs/json-schema.md)"},
    {.name = "rows",
     .argument = "N|all",
     .help = "most rows of each table, 0 for no tables; JSON has all (default: 10)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, CTPOST_STUDY_OPTIONS, NULL};

/* Rank 0 only. */
static int print(const struct ctpost_study *study, size_t rows)
{
	struct ct_style style = ct_style_of_stdout();
	json_t *json;

	if (study->ranks->size > 1) /* mpirun passes a terminal on as one to each rank */
		style.colour = 0;
	if (ctpost_value(study->call, "json")) {
		json = json_pack("{s:s, s:o, s:o, s:o}", "schema", "cudatrace-findings-1", "trace",
				 ct_json_text(study->call->operand[0]), "findings",
				 ct_findings_json(&study->findings), "sections",
				 ct_sections_json(&study->sections));
		return json ? ct_json_write(stdout, json, 2) : -ENOMEM;
	}
	if (!study->findings.count)
		printf("Nothing stands out.\n");
	ct_findings_write(stdout, &study->findings, &style);
	return ct_sections_write(stdout, &study->sections, rows, &style);
}

static int run(struct ctpost_call *call)
{
	struct ctpost_study study = {.call = NULL};
	int status = ctpost_study_read(&study, call), err;
	size_t rows = 0;

	if (status == CTPOST_OK)
		status = ctpost_read_rows(call, ROWS, &rows);
	if (status == CTPOST_OK)
		status = ctpost_study_meet(&study);
	if (status == CTPOST_OK) {
		err = ctpost_study_run(&study);
		if (err == 0 && study.ranks->rank == 0)
			err = print(&study, rows);
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
