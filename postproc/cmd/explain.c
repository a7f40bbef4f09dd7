/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost explain: one problem of the list of ctpost findings, with what is known of it. */
#include "base/quantity.h"
#include "postproc/cmd/study.h"
#include "postproc/render/findings/problems.h"

#include <errno.h>
#include <stdio.h>

static const struct ctpost_option *const options[] = {CTPOST_STUDY_OPTIONS, NULL};

static int print(const struct ctpost_study *study, uint64_t number)
{
	struct ct_style style = ct_style_of_stdout();

	if (number <= study->problems.count) {
		ct_problem_explain(stdout, &study->problems, (size_t)number - 1, &style);
		return 0;
	}
	ctpost_fail(study->call, 0, "%s: there is no problem %s, but %zu", study->operand,
		    study->call->operand[0], study->problems.count);
	return -EINVAL;
}

static int run(struct ctpost_call *call)
{
	struct ctpost_study study = {.operand = call->operand[1], .wanted = CT_STUDY_FINDINGS};
	uint64_t number;
	int status, err;

	if (ct_parse_count(call->operand[0], &number) < 0 || !number)
		return ctpost_fail(call, CTPOST_USAGE,
				   "explain: %s: the number of a problem is expected, from 1",
				   call->operand[0]);
	status = ctpost_study_read(&study, call);
	if (status == CTPOST_OK)
		status = ctpost_study_read_runs(&study);
	if (status == CTPOST_OK)
		status = ctpost_study_meet(&study);
	if (status == CTPOST_OK) {
		err = ctpost_study_open(&study);
		if (err == 0)
			err = ctpost_study_run(&study);
		if (err == 0 && study.ranks->rank == 0)
			err = print(&study, number);
		status = ctpost_study_end(&study, err);
	}
	ctpost_study_close(&study);
	return status;
}

const struct ctpost_command ctpost_explain_command = {
    .name = "explain",
    .summary = "explain one problem of the list of ctpost findings",
    .description =
	"Explains problem N of the list of ctpost findings, to which the same options are given:\n"
	"what was observed and how often, the lines of the source, the objects, kernels and\n"
	"launches, what to do, what that is worth and how it is known, and how to verify it.",
    .operands = "N STUDY",
    .operands_min = 2,
    .operands_max = 2,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status =
	"0 on success, 1 if the study cannot be read or has no such problem, 2 for a wrong option.",
    .example = "ctpost explain 1 study",
    .run = run,
};
