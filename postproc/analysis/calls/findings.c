/* SPDX-License-Identifier: Apache-2.0 */
/* Calls among the analyses whose sections are shown together. What they show is in the inquiry. */
#include "postproc/analysis/calls/section.h"
#include "postproc/analysis/finder.h"

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	(void)findings, (void)job, (void)inquiry;
	return 0;
}

static int show(struct ct_sections *sections, void *job, const struct ct_inquiry *inquiry)
{
	(void)job;
	return inquiry->calls ? ct_calls_show(sections, inquiry->calls) : 0;
}

const struct ct_finder ct_calls_finder = {.find = find, .show = show};
