/* SPDX-License-Identifier: Apache-2.0 */
/* A pass over a trace on behalf of a command. */
#include "postproc/cmd/base/pass.h"
#include "base/quantity.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmdline/progress.h"
#include <stdio.h>

static bool is_rank_0(const struct ct_pass_options *options)
{
	return !options || !options->ranks || options->ranks->rank == 0;
}

int ctpost_pass(struct ctpost_call *call, struct ct_trace *trace, const struct ct_task *tasks,
		size_t count, const struct ct_pass_options *given)
{
	struct ct_pass_options options = given ? *given : (struct ct_pass_options){0};
	struct ctpost_progress progress;
	struct ct_scanned scanned;
	char why[CT_WHY_BYTES];
	int err;

	options.progress = is_rank_0(given) ? ctpost_progress_draw : NULL;
	options.user = &progress;
	ctpost_progress_start(&progress, ct_trace_directory(trace));
	err = ct_pass_run(trace, tasks, count, &options, &scanned, why);
	ctpost_progress_stop(&progress);
	call->damaged_chunks += scanned.damaged_chunks;
	if (err < 0 && !call->why[0])
		ctpost_fail(call, 0, "%s: %s", ct_trace_directory(trace),
			    *why ? why : ct_strerror(err));
	return err;
}

int ctpost_pass_aloud(struct ctpost_call *call, struct ct_trace *trace, const struct ct_task *tasks,
		      size_t count, const struct ct_pass_options *options)
{
	const char *const *warnings;
	size_t known = ct_trace_warnings(trace, &warnings);
	uint64_t before = call->damaged_chunks, damaged;
	int err = ctpost_pass(call, trace, tasks, count, options);

	if (!is_rank_0(options))
		return err;
	damaged = call->damaged_chunks - before;
	ctpost_warn_from(trace, known);
	if (damaged)
		fprintf(stderr, "ctpost: warning: %s: %llu damaged chunks were skipped\n",
			ct_trace_directory(trace), (unsigned long long)damaged);
	return err;
}

int ctpost_each(struct ctpost_call *call, struct ct_trace *trace, const struct ct_each *each,
		const struct ct_pass_options *options)
{
	struct ct_each job = *each;
	const struct ct_task task = {&ct_each_analysis, &job};

	return ctpost_pass_aloud(call, trace, &task, 1, options);
}

const struct ctpost_option ctpost_threads_options[] = {
    {.name = "threads",
     .argument = "N",
     .help = "processors to use (default: all that the process may)"},
    {.name = NULL},
};

int ctpost_read_threads(struct ctpost_call *call, uint32_t *threads)
{
	const char *text = ctpost_value(call, "threads");
	uint64_t count = 0;
	char expected[64];

	snprintf(expected, sizeof(expected), "a number from 1 to %u", CT_PASS_THREADS_MAX);
	if (text && (ct_parse_count(text, &count) < 0 || !count || count > CT_PASS_THREADS_MAX))
		return ctpost_wrong(call, "threads", expected);
	*threads = (uint32_t)count;
	return CTPOST_OK;
}
