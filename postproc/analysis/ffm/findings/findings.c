/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of a study among the findings and sections of all analyses. */
#include "postproc/analysis/ffm/findings/tables.h"
#include "postproc/analysis/ffm/kinds.h"
#include "postproc/analysis/ffm/place.h"
#include "postproc/analysis/finder.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define REPORTED 200u     /* findings, at most */
#define LEAST_SHARE 0.001 /* of the run, that a problem is a finding for */
#define SECTION "needless_calls"

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

#define TIME_BYTES 32

static const char *time_text(uint64_t ns, char buffer[TIME_BYTES])
{
	if (ns < 1000000)
		snprintf(buffer, TIME_BYTES, "%.3g \xc2\xb5s", (double)ns / 1e3);
	else if (ns < 1000000000)
		snprintf(buffer, TIME_BYTES, "%.3g ms", (double)ns / 1e6);
	else
		snprintf(buffer, TIME_BYTES, "%.4g s", seconds(ns));
	return buffer;
}

static void tell(struct ct_findings *findings, const struct ct_ffm_study *study,
		 const struct ct_ffm_entry *entry)
{
	const struct ct_code_frame *frame = ct_ffm_study_frame(study, entry->site.stack);
	const struct ct_finding like = {
	    .analysis = "ffm",
	    .id = ct_ffm_kind_id(entry->kind),
	    .kind = CT_FINDING_PROBLEM,
	    .section = SECTION,
	    .figure = {seconds(entry->call_ns), "s"},
	    .worth = {seconds(ct_ffm_entry_worth(entry)), "s"},
	    .worth_is_estimate = entry->is_replayed,
	    .file = frame && *frame->file ? frame->file : NULL,
	    .line = frame ? frame->line : 0,
	    .function = frame && frame->is_named ? frame->function : NULL,
	    .entry = entry,
	};
	char place[CT_FFM_PLACE_BYTES], time[3][TIME_BYTES], calls[80];

	ct_ffm_place(frame, place);
	ct_findings_add(findings, &like, "%s at %s: %s.", entry->site.call,
			*place ? place : "an unknown place", ct_ffm_kind_text(entry->kind));
	/* Launches of a stretch are from several places. */
	if (entry->site.count > entry->occurrences)
		snprintf(calls, sizeof(calls), "%llu calls from there and places beside it",
			 (unsigned long long)entry->site.count);
	else
		snprintf(calls, sizeof(calls), "%llu of %llu calls from there",
			 (unsigned long long)entry->site.count,
			 (unsigned long long)entry->occurrences);
	ct_findings_because(findings,
			    "%s, %s in them, %s of it waiting, of "
			    "which the CPU's and the device's idle time lets %s be saved",
			    calls, time_text(entry->call_ns, time[0]),
			    time_text(entry->wait_ns, time[1]),
			    time_text(entry->expected_ns, time[2]));
	if (entry->remedy.fix)
		ct_findings_fix(findings, "%s", entry->remedy.fix);
}

/* Reports what limits the rest: the reason that most of the time is for. */
static void tell_unknown(struct ct_findings *findings, const struct ct_ffm_study *study)
{
	const struct ct_ffm_unknown *most = &study->unknown[0];
	const char *how = ct_ffm_how_to_know(most->reason);
	const struct ct_finding like = {
	    .analysis = "ffm",
	    .id = CT_ID_UNKNOWN_WAITS,
	    .kind = CT_FINDING_LIMIT,
	    .section = SECTION,
	    .figure = {seconds(study->unknown_ns), "s"},
	};
	char place[CT_FFM_PLACE_BYTES], time[2][TIME_BYTES];

	ct_ffm_place(ct_ffm_study_frame(study, most->site.stack), place);
	ct_findings_add(
	    findings, &like, "Of %llu waits, %s, it is not known whether they are needed.",
	    (unsigned long long)study->verdicts.unknown, time_text(study->unknown_ns, time[0]));
	ct_findings_because(findings, "%s of it in %s at %s: %s", time_text(most->wait_ns, time[1]),
			    most->site.call, *place ? place : "an unknown place",
			    *most->reason ? most->reason : "nothing is recorded of it");
	if (how)
		ct_findings_fix(findings, "To know it, %s.", how);
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	const struct ct_ffm_study *study = inquiry->ffm;

	(void)job;
	if (study && study->unknowns &&
	    (double)study->unknown_ns >= LEAST_SHARE * (double)study->run_ns)
		tell_unknown(findings, study);
	for (size_t i = 0; study && i < study->entries && i < REPORTED; i++)
		if ((double)ct_ffm_entry_worth(&study->entry[i]) >=
			LEAST_SHARE * (double)study->run_ns &&
		    ct_ffm_entry_worth(&study->entry[i]))
			tell(findings, study, &study->entry[i]);
	return 0;
}

static const struct ct_finder_table tables[] = {
    {&ct_ffm_totals_table, NULL, false},    {&ct_needless_calls_table, NULL, true},
    {&ct_unknown_waits_table, NULL, false}, {&ct_call_profile_table, NULL, false},
    {&ct_ffm_stages_table, NULL, false},    {NULL, NULL, false},
};

const struct ct_finder ct_ffm_finder = {
    .needs = CT_STUDY_FFM | CT_STUDY_CALLS,
    .find = find,
    .shared = offsetof(struct ct_inquiry, ffm),
    .tables = tables,
};
