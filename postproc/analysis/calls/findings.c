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

static const struct ct_finder_table tables[] = {
    {&ct_call_totals_table, NULL, false},
    {&ct_call_parts_table, NULL, false},
    {&ct_call_functions_table, NULL, true},
    {&ct_inner_functions_table, NULL, false},
    {&ct_call_waits_table, NULL, true},
    {&ct_kernel_times_table, NULL, true},
    {&ct_copy_times_table, NULL, true},
    {&ct_range_times_table, NULL, true},
    {&ct_call_threads_table, NULL, false},
    {&ct_call_streams_table, NULL, false},
    {NULL, NULL, false},
};

static void show(struct ct_section *section, const void *job, const struct ct_inquiry *inquiry)
{
	(void)job;
	if (section->table == &ct_call_functions_table && inquiry->calls->waits_are_bounds)
		section->about = "Calls of the program and its libraries (docs/calls.md). What the "
				 "devices did is not recorded: calls that only synchronise waited "
				 "at most so long.";
	if (section->table == &ct_copy_times_table && inquiry->calls->copies_are_calls)
		section->about = "By direction. What the devices did is not recorded: times are "
				 "those of the calls on the host.";
}

const struct ct_finder ct_calls_finder = {
    .needs = CT_STUDY_CALLS,
    .find = find,
    .shared = offsetof(struct ct_inquiry, calls),
    .tables = tables,
    .show = show,
};
