/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost feed: the call sites that the next stage of a study watches. */
#include "postproc/analysis/ffm/feed.h"
#include "base/error.h"
#include "postproc/cmd/trace_file.h"

#include <cudatrace/study.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const struct ctpost_option own[] = {
    {.name = "stage",
     .argument = "3|4",
     .choices = "3|4",
     .help = "the stage that is fed (default: 3)"},
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

static int run(struct ctpost_call *call)
{
	const char *stage = ctpost_value(call, "stage");
	bool is_last = stage && strcmp(stage, "4") == 0;
	char path[PATH_MAX];
	struct ct_ffm_feed feed;
	struct ct_trace *trace;
	int err;

	if (snprintf(path, sizeof(path), "%s/%s", call->operand[0],
		     is_last ? CT_STUDY_USES : CT_STUDY_CALLS) >= (int)sizeof(path))
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0],
				   ct_strerror(-ENAMETOOLONG));
	trace = ctpost_open_trace(call, path);
	if (!trace)
		return CTPOST_FAILED;
	err = is_last ? ct_ffm_feed_first_uses(&feed, trace) : ct_ffm_feed_uses(&feed, trace);
	if (err == 0)
		err = write_sites(&feed);
	if (err < 0)
		ctpost_fail(call, 0, "%s: %s", path, ct_strerror(err));
	ct_ffm_feed_fini(&feed);
	ct_trace_close(trace);
	return err < 0 ? CTPOST_FAILED : CTPOST_OK;
}

const struct ctpost_command ctpost_feed = {
    .name = "feed",
    .summary = "list the call sites whose waits the next stage of a study watches",
    .description =
	"Lists call sites, a line each, as ctrun --uses-of takes them: of the calls that waited "
	"for\n"
	"the device in stages 1 and 2 of a study (--stage=3), or of those whose data are used\n"
	"according to stage 3 (--stage=4), those that can save a thousandth of the run. ctrun ffm\n"
	"runs it between stages.",
    .operands = "STUDY",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the study cannot be read, 2 for a wrong option.",
    .example = "ctpost feed --stage=3 study",
    .run = run,
};
