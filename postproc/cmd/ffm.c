/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost ffm: which waits and copies a program does not need, and what each costs it. */
#include "postproc/render/ffm/ffm.h"
#include "base/error.h"
#include "base/quantity.h"
#include "postproc/cmd/ffm_files.h"
#include "postproc/cmd/host_paths.h"
#include <stdlib.h>

#define ROWS 20u

static const struct ctpost_option own[] = {
    {.name = "json", .help = "write JSON (docs/json-schema.md)"},
    {.name = "problem",
     .argument = "N",
     .help = "all that is known of problem N of the list: stack, related lines, what to do"},
    {.name = "stacks", .help = "the same of every problem"},
    {.name = "far",
     .argument = "TIME",
     .help = "a wait is misplaced if nothing of what it waits for is used so long after it "
	     "(default: 50us)"},
    {.name = "rows", .argument = "N|all", .help = "most rows of each table (default: 20)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, ctpost_debug_options, NULL};

struct job {
	struct ctpost_call *call;
	struct ct_ffm_view view;
	struct ct_ffm_options options;
	uint64_t problem; /* from 1; 0: all */
	struct ctpost_ffm_files files;
	struct ct_ffm_study study;
};

static int read_options(struct job *job)
{
	struct ctpost_call *call = job->call;
	const char *far = ctpost_value(call, "far"), *problem = ctpost_value(call, "problem");
	double seconds = 0;

	job->view.style = ct_style_of_stdout();
	job->options = (struct ct_ffm_options){.far_ns = CT_FFM_FAR_NS,
					       .symbols = ctpost_symbols_options(call)};
	if (far && (ct_parse_time(far, &seconds) < 0 || seconds > 1e9))
		return ctpost_wrong(call, "far", "a time, as 20us or 1ms");
	if (far)
		job->options.far_ns = (uint64_t)(seconds * 1e9);
	if (problem && (ct_parse_count(problem, &job->problem) < 0 || !job->problem))
		return ctpost_wrong(call, "problem", "a number of the list, from 1");
	if (!!problem + !!ctpost_value(call, "stacks") + !!ctpost_value(call, "json") > 1)
		return ctpost_fail(call, CTPOST_USAGE,
				   "ffm: --json, --problem and --stacks are different outputs");
	return ctpost_read_rows(call, ROWS, &job->view.rows);
}

static void warn(const struct ct_ffm_study *study)
{
	const char *const *lines;
	size_t count = ct_symbols_warnings(study->symbols, &lines);

	for (size_t i = 0; i < count; i++)
		fprintf(stderr, "ctpost: warning: %s\n", lines[i]);
}

static int write_problems(const struct job *job)
{
	int err = 0;

	for (size_t i = 0; i < job->study.entries && i < job->view.rows && err == 0; i++) {
		if (i)
			fputc('\n', stdout);
		err = ct_ffm_write_problem(stdout, &job->study, i, &job->view);
	}
	return err;
}

static int print(struct job *job)
{
	struct ctpost_call *call = job->call;
	int err;

	if (job->problem > job->study.entries)
		return ctpost_fail(call, CTPOST_FAILED, "%s: there is no problem %s, but %zu",
				   call->operand[0], ctpost_value(call, "problem"),
				   job->study.entries);
	if (ctpost_value(call, "json"))
		err = ct_ffm_write_json(stdout, &job->study, call->operand[0]);
	else if (job->problem)
		err = ct_ffm_write_problem(stdout, &job->study, job->problem - 1, &job->view);
	else if (ctpost_value(call, "stacks"))
		err = write_problems(job);
	else
		err = ct_ffm_write(stdout, &job->study, &job->view);
	return err;
}

static int run(struct ctpost_call *call)
{
	struct job job = {.call = call};
	int status = read_options(&job), err;

	if (status != CTPOST_OK)
		return status;
	status = ctpost_open_ffm(call, call->operand[0], &job.files);
	if (status == CTPOST_OK) {
		err = ct_ffm_study_init(&job.study, job.files.calls, job.files.uses,
					job.files.first_uses, &job.options);
		if (err == 0) {
			warn(&job.study);
			err = print(&job);
		}
		if (err != 0)
			status = CTPOST_FAILED;
		ctpost_explain(call, err < 0 ? err : 0, call->operand[0], "");
		ct_ffm_study_fini(&job.study);
	}
	ctpost_close_ffm(&job.files);
	return status;
}

const struct ctpost_command ctpost_ffm = {
    .name = "ffm",
    .summary = "show which waits and copies are not needed, and what each is worth",
    .description =
	"Shows what the runs of ctrun ffm say together (feed-forward measurement): waits for the\n"
	"device after which nothing of what they wait for is accessed, or only long after; copies\n"
	"of bytes that were there already; for each what the program would gain without it, by\n"
	"its graph of calls and device work, and by replaying that. The largest stand first. What\n"
	"is gained by one may be lost by another: they must not be added up.\n\n"
	"STUDY is the directory of ctrun ffm, or a trace of one run with calls, uses and contents\n"
	"(ctrun --calls=only --uses=auto --contents=on).\n\n"
	"docs/ffm.md says what each figure means.",
    .operands = "STUDY",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the study cannot be read or lacks what is needed, 2 for a "
		   "wrong option.",
    .example = "ctpost ffm --problem=1 solver.study",
    .run = run,
};
