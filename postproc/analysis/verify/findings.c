/* SPDX-License-Identifier: Apache-2.0 */
/* Says what is wrong with a trace, in sentences. */
#include "postproc/analysis/verify/findings.h"
#include "postproc/analysis/finder.h"
#include "postproc/analysis/verify/analysis.h"
#include "postproc/facts/summary.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void ct_verify_add(struct ct_findings *findings, const struct ct_launch_info *launch,
		   enum ct_finding_id id, const char *format, ...)
{
	const struct ct_finding problem = {
	    .analysis = "verify",
	    .id = id,
	    .kind = CT_FINDING_PROBLEM,
	    .section = "coverage",
	};
	va_list values;
	char *text;

	va_start(values, format);
	if (vasprintf(&text, format, values) < 0)
		text = NULL;
	va_end(values);
	if (!text) {
		findings->err = -ENOMEM;
		return;
	}
	ct_findings_add(findings, &problem, "%s", text);
	ct_findings_at_launch(findings, launch);
	free(text);
}

static void add_warnings(struct ct_findings *findings, const struct ct_trace *trace,
			 uint64_t damaged)
{
	const char *const *warnings;
	size_t count = ct_trace_warnings(trace, &warnings);

	for (size_t i = 0; i < count; i++)
		ct_verify_add(findings, NULL, CT_ID_DAMAGE, "%s", warnings[i]);
	if (damaged)
		ct_verify_add(findings, NULL, CT_ID_DAMAGE, "%" PRIu64 " chunks are damaged",
			      damaged);
}

static const struct ct_launch_info *find_launch(const struct ct_trace *trace, uint32_t part,
						uint32_t number)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 0; number && i < count; i++)
		if (launches[i].part == part && launches[i].event->launch == number)
			return &launches[i];
	return NULL;
}

static void add_losses(struct ct_findings *findings, const struct ct_trace *trace)
{
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(trace, &losses);

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_loss *event = losses[i].event;
		const struct ct_launch_info *launch =
		    find_launch(trace, losses[i].part, event->launch);

		if (event->chunks == UINT64_MAX)
			ct_verify_add(findings, launch, CT_ID_LOSS, "records are lost: %s",
				      losses[i].reason);
		else
			ct_verify_add(findings, launch, CT_ID_LOSS,
				      "%" PRIu64 " chunks of records are lost: %s", event->chunks,
				      losses[i].reason);
	}
}

static void add_launches(struct ct_findings *findings, const struct ct_trace *trace,
			 const struct ct_tally *tally)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 0; i < count && !findings->err; i++) {
		const struct ct_tally_launch *launch = ct_tally_launch(tally, i);

		if (launch->gaps)
			ct_verify_add(findings, &launches[i], CT_ID_GAP,
				      "segments are missing in %" PRIu64
				      " places, first of thread block %" PRIu64 " warp %u",
				      launch->gaps, launch->gap_cta, launch->gap_warp);
		if (launches[i].event->flags & CT_LAUNCH_TRACED && !launches[i].done)
			ct_verify_add(findings, &launches[i], CT_ID_END,
				      "its end is not in the trace");
	}
}

/* is_list: what has stopped tracing is reported there as a limit (totals). */
static void add_manifests(struct ct_findings *findings, const struct ct_trace *trace, bool is_list)
{
	const struct ct_process_info *processes;
	size_t count = ct_trace_processes(trace, &processes);

	for (size_t i = 0; i < count; i++) {
		json_t *manifest = json_loads(processes[i].manifest, 0, NULL);

		const char *error = json_string_value(json_object_get(manifest, "error"));

		if (!json_is_true(json_object_get(manifest, "complete")) &&
		    !(is_list && error && *error))
			ct_verify_add(findings, NULL, CT_ID_MANIFEST,
				      "process %u: no manifest says that it is complete",
				      processes[i].part);
		json_decref(manifest);
	}
}

static int add_all(struct ct_findings *findings, const struct ct_trace *trace,
		   const struct ct_tally *tally, uint64_t damaged_chunks, bool is_list)
{
	add_warnings(findings, trace, damaged_chunks);
	add_losses(findings, trace);
	add_launches(findings, trace, tally);
	add_manifests(findings, trace, is_list);
	return findings->err;
}

int ct_verify_integrity(struct ct_findings *findings, const struct ct_trace *trace,
			const struct ct_tally *tally, uint64_t damaged_chunks)
{
	return add_all(findings, trace, tally, damaged_chunks, false);
}

/* Looks at all of the trace, whatever is selected: what is wrong elsewhere touches figures, too. */
static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct ct_tally_job *own = calloc(1, sizeof(*own));

	*job = own;
	if (!own)
		return -ENOMEM;
	own->trace = inquiry->trace;
	return 0;
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	const struct ct_tally_job *own = job;

	return add_all(findings, inquiry->trace, own->tally, inquiry->damaged_chunks, true);
}

static void close_job(void *job)
{
	struct ct_tally_job *own = job;

	if (own)
		ct_tally_close(own->tally);
	free(own);
}

const struct ct_finder ct_verify_finder = {
    .analysis = &ct_tally_analysis,
    .open = open_job,
    .find = find,
    .close = close_job,
};
