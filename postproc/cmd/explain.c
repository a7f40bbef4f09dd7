/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost explain: one problem of the list of ctpost findings, with what is known of it; or what an
 * id means. */
#include "base/error.h"
#include "base/quantity.h"
#include "postproc/cmd/options/known.h"
#include "postproc/cmd/study.h"
#include "postproc/problems/gate.h"
#include "postproc/render/findings/pages.h"
#include "postproc/render/findings/problems.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const struct ctpost_option *const options[] = {ctpost_known_options, CTPOST_STUDY_OPTIONS,
						      NULL};

static int print(const struct ctpost_study *study, const struct ct_problems *problems,
		 uint64_t number, struct ct_source_store *sources)
{
	struct ct_style style = ct_style_of_stdout();

	if (number <= problems->count) {
		ct_problem_explain(stdout, problems, (size_t)number - 1, sources, &style);
		return 0;
	}
	ctpost_fail(study->call, 0, "%s: there is no problem %s, but %zu", study->operand,
		    study->call->operand[0], problems->count);
	return -EINVAL;
}

/* Without the problems that are suppressed: numbers are those of the list. */
static int judge_and_print(struct ctpost_study *study, struct ctpost_known *known, uint64_t number)
{
	struct ct_source_store *sources;
	int err = ctpost_study_sources(study, NULL, CT_QUOTE_SOURCES, &sources);

	if (err == 0)
		err = ctpost_study_judge(study, known, sources);
	if (err == 0)
		err = print(study, &known->verdict.problems, number, sources);
	ct_source_store_close(sources);
	return err;
}

static int explain_problem(struct ctpost_call *call, uint64_t number)
{
	struct ctpost_study study = {.operand = call->operand[1], .wanted = CT_STUDY_FINDINGS};
	struct ctpost_known known = {.has_baseline = false};
	int status = ctpost_known_read(&known, call), err;

	if (status == CTPOST_OK)
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
			err = judge_and_print(&study, &known, number);
		status = ctpost_study_end(&study, err);
	}
	ctpost_known_close(&known);
	ctpost_study_close(&study);
	return status;
}

/* Prints what docs/problems.md says of it. */
static int explain_id(struct ctpost_call *call, enum ct_finding_id id)
{
	struct ct_style style = ct_style_of_stdout();
	char *page = ct_page(id), uri[1024];

	if (!page)
		return ctpost_fail(call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	ct_emphasise(stdout, &style, CT_BOLD, ct_finding_id_title(id));
	printf(" (%s)\n\n%s\n\n%s\n", ct_finding_id_text(id), page,
	       ct_page_uri(id, uri, sizeof(uri)));
	free(page);
	return CTPOST_OK;
}

static int run(struct ctpost_call *call)
{
	enum ct_finding_id id = ct_finding_id_find(call->operand[0]);
	char why[CT_GATE_WHY_BYTES];
	uint64_t number;

	if (id < CT_IDS)
		return call->operands == 1
			   ? explain_id(call, id)
			   : ctpost_fail(call, CTPOST_USAGE,
					 "explain: an id is explained without a study");
	if (ct_parse_count(call->operand[0], &number) < 0) {
		ct_gate_id(call->operand[0], why);
		return ctpost_fail(call, CTPOST_USAGE,
				   "explain: the number of a problem or an id is expected: %s",
				   why);
	}
	if (!number)
		return ctpost_fail(call, CTPOST_USAGE,
				   "explain: %s: the number of a problem is expected, from 1",
				   call->operand[0]);
	if (call->operands == 1)
		return ctpost_fail(call, CTPOST_USAGE, "explain: the study is missing");
	return explain_problem(call, number);
}

const struct ctpost_command ctpost_explain_command = {
    .name = "explain",
    .summary = "explain one problem of the list of ctpost findings, or an id",
    .description =
	"Explains problem N of the list of ctpost findings, to which the same options are given:\n"
	"what was observed and how often, the lines of the source, the objects, kernels and\n"
	"launches, what to do, what that is worth and how it is known, and how to verify it.\n\n"
	"Of an id (strided-accesses) it prints what it means, how it is found and how to fix it.",
    .operands = "PROBLEM [STUDY]",
    .operands_min = 1,
    .operands_max = 2,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status =
	"0 on success, 1 if the study cannot be read or has no such problem, 2 for a wrong option.",
    .example = "ctpost explain 1 study",
    .run = run,
};
