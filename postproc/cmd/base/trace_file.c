/* SPDX-License-Identifier: Apache-2.0 */
/* Open a trace on behalf of a command, and say what it lacks. */
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/base/changed.h"
#include "postproc/cmd/base/study_paths.h"
#include "postproc/facts/counted.h"
#include "postproc/facts/losses.h"
#include "postproc/facts/sampling.h"
#include "postproc/symbols/allocated.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int name_objects(struct ct_trace *trace)
{
	const struct ct_symbols_options names = {.debug_path = NULL};

	return ct_name_allocated(trace, &names);
}

struct ct_trace *ctpost_open_trace(struct ctpost_call *call, const char *path)
{
	struct ct_trace *trace = NULL;
	char why[CTPOST_WHY_BYTES] = "";
	char *records = ctpost_accesses_path(path);
	int err = records ? ct_trace_open(&trace, records, why, sizeof(why)) : -ENOMEM;

	free(records);
	if (err == 0)
		err = name_objects(trace);
	if (err == 0 && !call->command->shows_no_lines)
		err = ctpost_warn_sources(call, trace);
	if (err == 0)
		return trace;
	ct_trace_close(trace);
	if (!*why)
		snprintf(why, sizeof(why), "%s: %s", path, ct_strerror(err));
	ctpost_fail(call, 0, "%s", why);
	return NULL;
}

void ctpost_warn_from(const struct ct_trace *trace, size_t first)
{
	const char *const *warnings;
	size_t count = ct_trace_warnings(trace, &warnings);

	for (size_t i = first; i < count; i++)
		fprintf(stderr, "ctpost: warning: %s\n", warnings[i]);
}

static void warn_sampled(const struct ct_trace *trace)
{
	char line[CT_SAMPLING_LINE_BYTES];
	struct ct_sampling sampling;

	if (ct_sampling_init(&sampling, trace) < 0)
		return;
	for (unsigned i = 0; ct_sampling_line(&sampling, i, line); i++)
		fprintf(stderr, "ctpost: warning: %s: %s\n", ct_trace_directory(trace), line);
	ct_sampling_fini(&sampling);
}

void ctpost_warn_unseen(const struct ct_trace *trace)
{
	struct ct_sampling sampling;
	const char *text;

	if (ct_sampling_init(&sampling, trace) < 0)
		return;
	text = ct_sampling_of_communication(&sampling);
	if (text)
		fprintf(stderr, "ctpost: warning: %s: %s\n", ct_trace_directory(trace), text);
	ct_sampling_fini(&sampling);
}

void ctpost_warn_unread(const struct ct_trace *trace)
{
	ctpost_warn_from(trace, 0);
}

static void warn_injected(const struct ct_trace *trace)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_CALLS, &events), injected = 0;

	for (size_t i = 0; i < count; i++) {
		const char *source =
		    ct_trace_string(trace, events[i].part, events[i].calls->source);

		injected += strncmp(source, "injected", strlen("injected")) == 0;
	}
	if (injected)
		fprintf(
		    stderr,
		    "ctpost: warning: %s: recorded by ctrun --inject, which has calls and kernels "
		    "(ctpost calls) but no accesses; for these, build the program with "
		    "cuda-trace-clang\n",
		    ct_trace_directory(trace));
}

/* Each process has a tier of its own. */
static void warn_counted(const struct ct_trace *trace, const char *known)
{
	for (const char *const *tier = ct_counted_tiers; *tier; tier++) {
		size_t launches = ct_counted_launches_of(trace, *tier);

		if (launches && !(known && strcmp(*tier, known) == 0))
			fprintf(stderr,
				"ctpost: warning: %s: %zu launches are of tier %s, which has no "
				"addresses: their accesses are missing here (ctpost info shows "
				"their counts%s)\n",
				ct_trace_directory(trace), launches, *tier,
				strcmp(*tier, "values") == 0
				    ? ", ctpost values what is known of their values"
				    : "");
	}
}

void ctpost_warn_incomplete(const struct ct_trace *trace, const char *known)
{
	struct ct_loss_run run;
	size_t at = 0;

	ctpost_warn_from(trace, 0);
	warn_injected(trace);
	warn_sampled(trace);
	while (ct_losses_next(trace, &at, &run)) {
		fprintf(stderr, "ctpost: warning: %s: records were lost",
			ct_trace_directory(trace));
		ct_losses_put_launches(stderr, &run);
		fprintf(stderr, ": %s\n", *run.reason ? run.reason : "no reason given");
	}
	warn_counted(trace, known);
}
