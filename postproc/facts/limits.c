/* SPDX-License-Identifier: Apache-2.0 */
/* Findings about the trace itself: what limits all that is reported from it. */
#include "postproc/facts/limits.h"
#include "base/quantity.h"
#include <stdio.h>
#include <string.h>

static struct ct_finding limit(enum ct_finding_id id, double value, const char *unit)
{
	return (struct ct_finding){
	    .analysis = "trace",
	    .id = id,
	    .kind = CT_FINDING_LIMIT,
	    .section = "coverage",
	    .figure = {value, unit},
	};
}

/* By the first reason that is known. */
static const char *fix_of_loss(const struct ct_trace *trace)
{
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(trace, &losses);

	for (size_t i = 0; i < count; i++) {
		if (strstr(losses[i].reason, "the ring was full"))
			return "Trace again with a larger ring (ctrun --ring), or less of the "
			       "program.";
		if (strstr(losses[i].reason, "the disk took nothing"))
			return "Trace again to a disk that does not stall (ctrun -o), or let "
			       "kernels wait longer for it (ctrun --patience).";
		if (strstr(losses[i].reason, "could not be stored"))
			return "Trace again to a disk with more room (ctrun -o), or less of the "
			       "program.";
	}
	return NULL;
}

static void add_samples(struct ct_findings *findings, const struct ct_trace *trace,
			const struct ct_sampling *sampling)
{
	const char *fix = fix_of_loss(trace);
	char line[CT_SAMPLING_LINE_BYTES];

	for (unsigned i = 0; ct_sampling_line(sampling, i, line); i++) {
		bool is_loss = !strncmp(line, "lossy", 5);
		struct ct_finding like =
		    is_loss ? limit(CT_ID_LOSS, (double)sampling->lost_chunks, "chunks")
			    : limit(CT_ID_SAMPLE, 0, NULL);

		like.is_reported_first = true;
		ct_findings_add(findings, &like, "%s.", line);
		if (is_loss && fix)
			ct_findings_fix(findings, "%s", fix);
	}
}

static void add_damage(struct ct_findings *findings, uint64_t damaged_chunks)
{
	const struct ct_finding like = limit(CT_ID_DAMAGE, (double)damaged_chunks, "chunks");
	char number[CT_NUMBER_BYTES];

	if (!damaged_chunks)
		return;
	ct_findings_add(findings, &like,
			"%s chunk%s of records %s damaged: what %s held is in no figure.",
			ct_number(damaged_chunks, number), damaged_chunks == 1 ? "" : "s",
			damaged_chunks == 1 ? "is" : "are", damaged_chunks == 1 ? "it" : "they");
	ct_findings_fix(findings, "Copy the trace again from where it was written, or trace again; "
				  "ctpost verify shows whether it is whole.");
}

static void add_untraced(struct ct_findings *findings, const struct ct_trace *trace,
			 const struct ct_summary *summary)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches), untraced = count - summary->traced;
	const struct ct_finding like = limit(CT_ID_UNTRACED, (double)untraced, "launches");
	char some[CT_NUMBER_BYTES], all[CT_NUMBER_BYTES], why[512] = "";
	size_t used = 0;

	if (!untraced)
		return;
	if (untraced == count)
		ct_findings_add(findings, &like,
				"No launch of %s was traced: what kernels read and wrote is in no "
				"figure.",
				ct_number(count, all));
	else
		ct_findings_add(
		    findings, &like,
		    "%s of %s launches %s not traced: what %s read and wrote is in no figure.",
		    ct_number(untraced, some), ct_number(count, all),
		    untraced == 1 ? "was" : "were", untraced == 1 ? "it" : "they");
	for (size_t i = 0; i < summary->launches.count && used < sizeof(why); i++) {
		const struct ct_reason *reason = &summary->launches.list[i];

		used += (size_t)snprintf(why + used, sizeof(why) - used, "%s%s: %s",
					 used ? "; " : "", ct_number(reason->count, some),
					 *reason->text ? reason->text : "unknown reason");
	}
	ct_findings_because(findings, "%s", why);
	ct_findings_fix(findings, untraced == count
				      ? "ctrun profile traces as many as there is time for."
				      : "Trace all launches before you rely on totals.");
	for (size_t i = 0; i < count; i++)
		if (!(launches[i].event->flags & CT_LAUNCH_TRACED))
			ct_findings_at_launch(findings, &launches[i]);
}

/* Some, of several processes, may have gone on. */
static void add_stopped(struct ct_findings *findings, const struct ct_trace *trace)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_STOPPED, &events);
	char number[CT_NUMBER_BYTES];

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_stopped *event = events[i].stopped;
		const struct ct_finding like =
		    limit(CT_ID_STOPPED, (double)event->trace_bytes, "B");
		bool is_limit = event->reason == CT_STOP_LIMIT;

		ct_findings_add(
		    findings, &like,
		    "Recording stopped after %s, since %s: what came then is in no figure.",
		    ct_size(event->trace_bytes, number),
		    is_limit ? "that was the limit" : "the file system was nearly full");
		ct_findings_fix(findings,
				"Trace less of the program (ctrun --kernels, --launches, "
				"--sample-blocks), or give the trace more room (%s).",
				is_limit ? "--limit" : "-o, --keep-free");
	}
}

void ct_limits_find(struct ct_findings *findings, const struct ct_trace *trace,
		    const struct ct_summary *summary, uint64_t damaged_chunks)
{
	add_samples(findings, trace, &summary->sampling);
	add_damage(findings, damaged_chunks);
	add_stopped(findings, trace);
	add_untraced(findings, trace, summary);
}
