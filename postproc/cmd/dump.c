/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost dump: the records themselves. */
#include "../render/dump.h"
#include "../cmdline/parse.h"
#include "../model/filter.h"
#include "trace_file.h"
#include <errno.h>
#include <string.h>

#define STOP_AT_LIMIT 1

enum { OPT_FORMAT, OPT_LAUNCH, OPT_KERNEL, OPT_SITE, OPT_CTA, OPT_WARP, OPT_LIMIT, OPT_THREADS };

static const struct ctpost_option options[] = {
    [OPT_FORMAT] = {.name = "format",
		    .argument = "FORMAT",
		    .choices = "text|csv|jsonl",
		    .complete = CTPOST_COMPLETE_WORDS,
		    .help = "text (default), csv or jsonl (one JSON object per line)"},
    [OPT_LAUNCH] = {.name = "launch",
		    .argument = "N[-M]",
		    .help = "only launches with these numbers, counted from 1"},
    [OPT_KERNEL] = {.name = "kernel",
		    .argument = "REGEX",
		    .help = "only kernels whose name matches (extended regular expression)"},
    [OPT_SITE] = {.name = "site",
		  .argument = "SITE",
		  .help = "only this site: its number, or FILE:LINE"},
    [OPT_CTA] = {.name = "cta",
		 .argument = "CTA",
		 .help = "only this CTA: its linear number, or X,Y or X,Y,Z"},
    [OPT_WARP] = {.name = "warp", .argument = "N", .help = "only warp N of each CTA"},
    [OPT_LIMIT] = {.name = "limit", .argument = "N", .help = "stop after N lines"},
    [OPT_THREADS] = {.name = "threads",
		     .help = "one line per thread's access instead of per warp's"},
    {.name = NULL},
};

static const struct ct_dump_format *const formats[] = {
    &ct_dump_text,
    &ct_dump_csv,
    &ct_dump_jsonl,
};

struct job {
	struct ct_dump dump;
	const struct ct_dump_format *format;
	struct ct_filter *filter;
	uint64_t left; /* lines */
};

static int dump_access(void *user, const struct ct_access *access)
{
	struct job *job = user;

	if (!ct_filter_passes(job->filter, access))
		return 0;
	if (!job->dump.threads) {
		if (!job->left--)
			return STOP_AT_LIMIT;
		job->format->access(&job->dump, access);
	} else {
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
			if (!(access->mask >> lane & 1))
				continue;
			if (!job->left--)
				return STOP_AT_LIMIT;
			job->format->lane(&job->dump, access, lane);
		}
	}
	return ferror(job->dump.out) ? -EIO : 0;
}

/* Options into the filter and the job. Returns an exit status. */
static int read_options(struct ctpost_call *call, struct job *job)
{
	const char *const *option = call->option;
	char why[256];
	uint64_t first, last, number;

	if (option[OPT_LAUNCH]) {
		if (ctpost_parse_range(option[OPT_LAUNCH], &first, &last) < 0 || !first)
			return ctpost_fail(call, CTPOST_USAGE,
					   "dump: --launch='%s' is not N or N-M, counted from 1",
					   option[OPT_LAUNCH]);
		ct_filter_launches(job->filter, first, last);
	}
	if (option[OPT_KERNEL] &&
	    ct_filter_kernel(job->filter, option[OPT_KERNEL], why, sizeof(why)) < 0)
		return ctpost_fail(call, CTPOST_USAGE, "dump: --kernel='%s': %s",
				   option[OPT_KERNEL], why);
	if (option[OPT_SITE] && ct_filter_site(job->filter, option[OPT_SITE]) < 0)
		return ctpost_fail(call, CTPOST_USAGE,
				   "dump: --site='%s' is neither a number nor FILE:LINE",
				   option[OPT_SITE]);
	if (option[OPT_CTA] && ct_filter_cta(job->filter, option[OPT_CTA]) < 0)
		return ctpost_fail(call, CTPOST_USAGE,
				   "dump: --cta='%s' is neither a number nor X,Y or X,Y,Z",
				   option[OPT_CTA]);
	if (option[OPT_WARP]) {
		if (ctpost_parse_count(option[OPT_WARP], &number) < 0)
			return ctpost_fail(call, CTPOST_USAGE, "dump: --warp='%s' is not a number",
					   option[OPT_WARP]);
		ct_filter_warp(job->filter, number);
	}
	if (option[OPT_LIMIT] && ctpost_parse_count(option[OPT_LIMIT], &job->left) < 0)
		return ctpost_fail(call, CTPOST_USAGE, "dump: --limit='%s' is not a number",
				   option[OPT_LIMIT]);
	for (size_t i = 0; option[OPT_FORMAT] && i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(option[OPT_FORMAT], formats[i]->name))
			job->format = formats[i];
	job->dump.threads = option[OPT_THREADS] != NULL;
	return CTPOST_OK;
}

static int dump_trace(struct ctpost_call *call, struct ct_trace *trace)
{
	struct job job = {
	    .dump = {.out = stdout, .locator = {.trace = trace}},
	    .format = &ct_dump_text,
	    .left = UINT64_MAX,
	};
	struct ct_scan scan = {.access = dump_access, .user = &job};
	int status, err;

	if (ct_filter_open(&job.filter, trace) < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: out of memory", call->operand[0]);
	status = read_options(call, &job);
	if (status == CTPOST_OK) {
		ctpost_warn_incomplete(trace);
		scan.launch = ct_filter_single_launch(job.filter);
		if (job.format->begin)
			job.format->begin(&job.dump);
		err = ctpost_scan(call, trace, &scan);
		status = err < 0 ? CTPOST_FAILED : CTPOST_OK;
	}
	ct_filter_close(job.filter);
	return status;
}

static int run(struct ctpost_call *call)
{
	struct ct_trace *trace = ctpost_open_trace(call, call->operand[0]);
	int status;

	if (!trace)
		return CTPOST_FAILED;
	status = dump_trace(call, trace);
	ct_trace_close(trace);
	return status;
}

const struct ctpost_command ctpost_dump = {
    .name = "dump",
    .summary = "print the recorded accesses",
    .description =
	"Prints the recorded accesses, a line for each access of a warp: launch, kernel, CTA,\n"
	"warp, SM, site and source line, operation, bytes per thread, mask of active threads,\n"
	"addresses, and object and offset of the first active thread's address.\n\n"
	"Regular addresses are shortened in text: '0x1000 +4 x32' are 32 addresses from\n"
	"0x1000 on, 4 bytes apart. Lines of one warp come in the order it executed them.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read, 2 for a wrong option.",
    .example = "ctpost dump --kernel='^bfs' --site=bfs.cu:33 --limit=10 run.ctrace",
    .run = run,
};
