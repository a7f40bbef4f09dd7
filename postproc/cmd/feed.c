/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost feed: what the next run of a study watches. */
#include "postproc/analysis/ffm/feed.h"
#include "base/error.h"
#include "base/quantity.h"
#include "base/study.h"
#include "postproc/analysis/calls/budget.h"
#include "postproc/analysis/model/machine.h"
#include "postproc/cmd/base/trace_file.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const struct ctpost_option own[] = {
    {.name = "stage",
     .argument = "3|4|samples|accesses",
     .choices = "3|4|samples|accesses",
     .help = "the stage that is fed, or the run that samples warps, or records accesses (default: "
	     "3)"},
    {.name = "times",
     .argument = "N",
     .help = "with --stage=accesses: how many times the time of stage 1 the run may take; 0: any "
	     "(default: 5)"},
    {.name = "all", .help = "also sites behind which stage 3 has hardly disturbed the program"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, NULL};

static int write_sites(const struct ct_ffm_feed *feed)
{
	printf("# call sites of waits, for --uses-of: what each can save at most, calls\n");
	for (size_t i = 0; i < feed->count; i++)
		printf("%" PRIx64 " # %.6f s, %" PRIu64 " %s\n", feed->fed[i].site,
		       (double)feed->fed[i].worth_ns * 1e-9, feed->fed[i].count, feed->fed[i].call);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : -EIO;
}

/* NULL after failure, with call->why set. */
static struct ct_trace *open_stage(struct ctpost_call *call, const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", call->operand[0], name) < (int)sizeof(path))
		return ctpost_open_trace(call, path);
	ctpost_fail(call, 0, "%s: %s", call->operand[0], ct_strerror(-ENAMETOOLONG));
	return NULL;
}

static int feed_last(struct ctpost_call *call, struct ct_ffm_feed *feed, struct ct_trace *uses)
{
	struct ct_trace *calls = NULL;
	int err;

	if (!ctpost_value(call, "all"))
		calls = open_stage(call, CT_STUDY_CALLS);
	if (*call->why)
		return -EIO;
	err = ct_ffm_feed_first_uses(feed, uses, calls);
	ct_trace_close(calls);
	return err;
}

/* Options of ctrun, a line each; nothing if no kernel can be traced. */
static int write_budget(const struct ct_budget *budget, uint64_t times)
{
	printf("# %" PRIu64 " launches of kernels that can be traced, from %" PRIu64
	       " places, %.3f s of device time\n",
	       budget->launches, budget->contexts, (double)budget->kernels_ns * 1e-9);
	if (budget->launches) {
		printf("sample-launches=%" PRIu64 "\n", budget->launch_period);
		printf("sample-blocks=%" PRIu64 "\n", budget->block_period);
		printf("sample-blocks-least=%u\n", CT_BUDGET_BLOCKS_LEAST);
		if (times > 0)
			printf("duration=%.3f\n", (double)budget->extra_ns * 1e-9);
	}
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : -EIO;
}

static int write_accesses(struct ct_trace *trace, const struct ct_calls *calls, uint64_t times)
{
	struct ct_budget budget;
	int err = ct_budget_find(&budget, trace, calls, times,
				 ct_machine_is_cpu(trace) ? &CT_BUDGET_CPU : &CT_BUDGET_GPU);

	return err < 0 ? err : write_budget(&budget, times);
}

/* Nothing if no kernel ran on a GPU. */
static int write_samples(struct ct_trace *trace, const struct ct_calls *calls)
{
	uint64_t cycles = ct_machine_is_cpu(trace) ? 0 : ct_budget_sample_cycles(calls);

	if (cycles)
		printf("samples=%" PRIu64 "\n", cycles);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : -EIO;
}

/* Feeds from a run that records, or samples. An exit status. */
static int feed_run(struct ctpost_call *call, bool samples)
{
	const char *text = ctpost_value(call, "times");
	struct ct_trace *trace;
	struct ct_calls calls;
	uint64_t times = 5;
	int err;

	if (text && (ct_parse_count(text, &times) < 0 || times == 1))
		return ctpost_wrong(call, "times", "a whole number above 1, or 0");
	trace = open_stage(call, CT_STUDY_CALLS);
	if (!trace)
		return CTPOST_FAILED;
	err = ct_calls_init(&calls, trace, NULL);
	if (err == 0) {
		err = samples ? write_samples(trace, &calls) : write_accesses(trace, &calls, times);
		ct_calls_fini(&calls);
	}
	ctpost_explain(call, err, call->operand[0], "");
	ct_trace_close(trace);
	return err < 0 ? CTPOST_FAILED : CTPOST_OK;
}

static int run(struct ctpost_call *call)
{
	const char *stage = ctpost_value(call, "stage");
	bool is_last = stage && strcmp(stage, "4") == 0;
	struct ct_ffm_feed feed = {.count = 0};
	struct ct_trace *trace;
	int err;

	if (stage && (strcmp(stage, "accesses") == 0 || strcmp(stage, "samples") == 0))
		return feed_run(call, strcmp(stage, "samples") == 0);
	trace = open_stage(call, is_last ? CT_STUDY_USES : CT_STUDY_CALLS);
	if (!trace)
		return CTPOST_FAILED;
	err = is_last ? feed_last(call, &feed, trace) : ct_ffm_feed_uses(&feed, trace);
	if (err == 0)
		err = write_sites(&feed);
	if (err < 0 && !*call->why)
		ctpost_fail(call, 0, "%s: %s", call->operand[0], ct_strerror(err));
	ct_ffm_feed_fini(&feed);
	ct_trace_close(trace);
	return err < 0 ? CTPOST_FAILED : CTPOST_OK;
}

const struct ctpost_command ctpost_feed_command = {
    .name = "feed",
    .summary = "list what the next run of a study watches",
    .description =
	"Lists call sites, a line each, as ctrun --uses-of takes them: of the calls that waited "
	"for\n"
	"the device in stages 1 and 2 of a study (--stage=3), or of those whose data are used\n"
	"according to stage 3 (--stage=4), those that can save a thousandth of the run. Stage 4\n"
	"need not look where stage 3 has hardly disturbed the program (--all: it does). ctrun ffm\n"
	"runs it between stages.\n\n"
	"With --stage=accesses it says which part of the launches a run can record that takes\n"
	"--times as long as stage 1, with --stage=samples how often one that samples warps looks\n"
	"at them, as options of ctrun; ctrun profile runs both.",
    .operands = "STUDY",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the study cannot be read, 2 for a wrong option.",
    .example = "ctpost feed --stage=3 study",
    .shows_no_lines = true,
    .run = run,
};
