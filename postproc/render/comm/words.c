/* SPDX-License-Identifier: Apache-2.0 */
/* Supersteps in the words of the communication analysis. */
#include "postproc/render/comm/words.h"
#include "postproc/analysis/comm/tables/tables.h"
#include "postproc/facts/folded_name.h"
#include <stdio.h>

double ct_comm_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static bool has_parts(const struct ct_comm_figures *figures)
{
	return figures->supersteps &&
	       figures->superstep[figures->supersteps - 1].part != figures->superstep[0].part;
}

const char *ct_comm_superstep_text(const struct ct_comm_figures *figures, uint32_t superstep,
				   char *buffer, size_t bytes)
{
	const struct ct_superstep *step = &figures->superstep[superstep];
	char part[32] = "", name[CT_BRIEF_NAME_BYTES];

	if (has_parts(figures))
		snprintf(part, sizeof(part), " of part %u", step->part);
	if (step->launch)
		snprintf(buffer, bytes, "%s #%u%s", ct_shown_name(step->launch->kernel, name),
			 step->launch->event->launch, part);
	else
		snprintf(buffer, bytes, "%s%s", ct_comm_call_of(step), part);
	return buffer;
}
