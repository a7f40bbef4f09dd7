/* SPDX-License-Identifier: Apache-2.0 */
/* Losses of a trace in runs: a stall of the disk costs thousands of launches their records. */
#include "postproc/facts/losses.h"

#include <string.h>

static bool continues(const struct ct_loss_run *run, const struct ct_loss_info *loss)
{
	return run->events == 0 || (run->first && loss->event->launch && run->part == loss->part &&
				    strcmp(run->reason, loss->reason) == 0);
}

static void add(struct ct_loss_run *run, const struct ct_loss_info *loss)
{
	uint32_t first = loss->event->launch, last = loss->event->last_launch;

	last = last > first ? last : first;
	if (run->events == 0 || first < run->first)
		run->first = first;
	if (last > run->last)
		run->last = last;
	if (loss->event->chunks == UINT64_MAX)
		run->is_unknown = true;
	else
		run->chunks += loss->event->chunks;
	run->part = loss->part;
	run->reason = loss->reason;
	run->events++;
}

bool ct_losses_next(const struct ct_trace *trace, size_t *at, struct ct_loss_run *run)
{
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(trace, &losses);

	*run = (struct ct_loss_run){0};
	while (*at < count && continues(run, &losses[*at]))
		add(run, &losses[(*at)++]);
	return run->events > 0;
}

void ct_losses_put_launches(FILE *out, const struct ct_loss_run *run)
{
	if (run->last > run->first)
		fprintf(out, " of launches %u to %u", run->first, run->last);
	else if (run->first)
		fprintf(out, " of launch %u", run->first);
}
