/* SPDX-License-Identifier: Apache-2.0 */
/* Calls among the analyses whose sections are shown together. What they show is in the inquiry. */
#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/calls/tables.h"
#include "postproc/analysis/finder.h"

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	(void)findings, (void)job, (void)inquiry;
	return 0;
}

static int show(struct ct_sections *sections, void *job, const struct ct_inquiry *inquiry)
{
	const struct ct_calls *calls = inquiry->calls;
	struct ct_section *section;

	(void)job;
	if (!calls)
		return 0;
	section = ct_sections_add(sections, "calls", &ct_call_functions_table, calls);
	if (section && calls->waits_are_bounds)
		section->about = "Calls of the program and its libraries (docs/calls.md). What the "
				 "devices did is not recorded: calls that only synchronise waited "
				 "at most so long.";
	ct_sections_add(sections, "calls", &ct_call_waits_table, calls);
	ct_sections_add(sections, "calls", &ct_kernel_times_table, calls);
	section = ct_sections_add(sections, "calls", &ct_copy_times_table, calls);
	if (section && calls->copies_are_calls)
		section->about = "By direction. What the devices did is not recorded: times are "
				 "those of the calls on the host.";
	ct_sections_add(sections, "calls", &ct_range_times_table, calls);
	return sections->err;
}

const struct ct_finder ct_calls_finder = {
    .needs = CT_STUDY_CALLS,
    .find = find,
    .show = show,
};
