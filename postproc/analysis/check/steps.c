/* SPDX-License-Identifier: Apache-2.0 */
/* Supersteps as writers of memory. */
#include "postproc/analysis/check/steps.h"
#include "postproc/facts/operation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ALL_KINDS (CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC)

struct ct_check_steps {
	const struct ct_trace *trace;
	struct ct_order *order;
	const struct ct_superstep *step;
	size_t count;
	uint8_t *is_done;  /* by step: a transfer that was handed out */
	size_t first_left; /* those before it are done, or launches */
	uint32_t *unseen;  /* steps: launches that may write what is not recorded */
	size_t unseens;
	bool is_known;
	const struct ct_launch_info *launch; /* of the last question, and */
	uint64_t last_unseen; /* the greatest event index of what is unseen and may come before */
};

/* Sites of its body, and of functions that it may call, that may write and are not recorded. */
static bool has_gaps(const struct ct_unit *unit, uint32_t kernel)
{
	for (uint32_t s = 0; s < unit->header->site_count; s++) {
		const struct ct_unit_site *site = &unit->sites[s];
		bool loads = site->operation == CT_OP_LOAD;

		if (site->kernel != kernel && site->kernel != CT_NONE)
			continue;
		if (((site->verdict == CT_VERDICT_SKIPPED ||
		      site->verdict == CT_VERDICT_FILTERED) &&
		     !loads) ||
		    site->operation == CT_OP_ASSEMBLY || site->operation == CT_OP_COPY_TENSOR ||
		    site->operation == CT_OP_LAUNCH)
			return true;
	}
	return false;
}

static bool is_unseen(const struct ct_launch_info *launch)
{
	const struct ct_event_launch *event = launch->event;
	const struct ct_unit *unit = launch->unit;

	return !unit || launch->error || launch->kernel_index == CT_NONE ||
	       !(event->flags & CT_LAUNCH_TRACED) || event->tier != CT_TIER_FULL ||
	       event->block_period > 1 || (unit->header->kinds & ALL_KINDS) != ALL_KINDS ||
	       unit->header->sample_sites > 1 || has_gaps(unit, launch->kernel_index);
}

/* Whether devices copied and set more often than calls that are recorded asked for: libraries did.
 */
static bool has_other_copies(struct ct_trace *trace, uint32_t part)
{
	const struct ct_transfer_info *transfer;
	const struct ct_row_activity *row;
	size_t transfers = ct_trace_transfers(trace, &transfer), known = 0, seen = 0, count;

	if (ct_trace_rows(trace, part, CT_TABLE_ACTIVITY, (const void **)&row, &count) < 0)
		return true;
	for (size_t i = 0; i < transfers; i++)
		known += transfer[i].part == part;
	for (size_t i = 0; i < count; i++)
		seen += (row[i].kind == CT_ACTIVITY_COPY || row[i].kind == CT_ACTIVITY_SET) &&
			!(row[i].flags & CT_ACTIVITY_OURS);
	return seen > known;
}

/* Without CUPTI kernels and copies of libraries are not seen. */
static bool has_all_calls(struct ct_trace *trace)
{
	const struct ct_device_info *devices;
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_CALLS, &events);

	if (ct_trace_devices(trace, &devices) && devices->event->is_cpu_target)
		return true;
	for (size_t i = 0; i < count; i++)
		if (!strstr(ct_trace_string(trace, events[i].part, events[i].calls->source),
			    "CUPTI") ||
		    has_other_copies(trace, events[i].part))
			return false;
	return count > 0;
}

static bool is_whole(struct ct_trace *trace)
{
	const struct ct_loss_info *losses;
	const struct ct_host_event *events;
	size_t marks = ct_trace_events(trace, CT_EVENT_REGION, &events);

	if (ct_trace_losses(trace, &losses))
		return false;
	for (size_t i = 0; i < marks; i++)
		if (events[i].region->phase == CT_REGION_PAUSE)
			return false;
	return !ct_trace_events(trace, CT_EVENT_STOPPED, &events) && has_all_calls(trace);
}

int ct_check_steps_open(struct ct_check_steps **out, struct ct_trace *trace)
{
	struct ct_check_steps *steps = calloc(1, sizeof(*steps));
	int err;

	*out = steps;
	if (!steps)
		return -ENOMEM;
	steps->trace = trace;
	err = ct_order_open(&steps->order, trace);
	if (err < 0)
		return err;
	steps->count = ct_order_supersteps(steps->order, &steps->step);
	steps->is_done = calloc(steps->count + 1, 1);
	steps->unseen = calloc(steps->count + 1, sizeof(*steps->unseen));
	if (!steps->is_done || !steps->unseen)
		return -ENOMEM;
	for (size_t i = 0; i < steps->count; i++)
		if (steps->step[i].launch && is_unseen(steps->step[i].launch))
			steps->unseen[steps->unseens++] = (uint32_t)i;
	steps->is_known = is_whole(trace);
	return 0;
}

void ct_check_steps_close(struct ct_check_steps *steps)
{
	if (!steps)
		return;
	ct_order_close(steps->order);
	free(steps->is_done);
	free(steps->unseen);
	free(steps);
}

bool ct_check_steps_are_known(const struct ct_check_steps *steps)
{
	return steps->is_known;
}

size_t ct_check_steps_all(const struct ct_check_steps *steps, const struct ct_superstep **step)
{
	*step = steps->step;
	return steps->count;
}

uint32_t ct_check_steps_of(const struct ct_check_steps *steps, const struct ct_launch_info *launch)
{
	return ct_order_of_launch(steps->order, launch->part, launch->event->launch);
}

bool ct_check_steps_before(const struct ct_check_steps *steps, uint32_t a, uint32_t b)
{
	return ct_order_before(steps->order, a, b);
}

int ct_check_steps_until(struct ct_check_steps *steps, const struct ct_launch_info *launch,
			 int (*each)(void *user, const struct ct_transfer_info *transfer,
				     uint32_t step),
			 void *user)
{
	uint32_t end = launch ? ct_check_steps_of(steps, launch) : (uint32_t)steps->count;
	int err = 0;

	if (end == CT_NO_SUPERSTEP)
		return 0;
	for (size_t i = steps->first_left; i < end && err == 0; i++) {
		const struct ct_superstep *step = &steps->step[i];

		if (step->transfer && !steps->is_done[i] &&
		    (!launch || ct_order_before(steps->order, (uint32_t)i, end))) {
			steps->is_done[i] = 1;
			err = each(user, step->transfer, (uint32_t)i);
		}
		if (i == steps->first_left && (step->launch || steps->is_done[i]))
			steps->first_left++;
	}
	return err;
}

bool ct_check_steps_can_tell(struct ct_check_steps *steps, const struct ct_launch_info *launch,
			     uint64_t allocated_at)
{
	uint32_t step;

	if (steps->launch != launch) {
		steps->launch = launch;
		steps->last_unseen = 0;
		step = ct_check_steps_of(steps, launch);
		for (size_t i = 0; i < steps->unseens; i++) {
			const struct ct_superstep *unseen = &steps->step[steps->unseen[i]];

			if (unseen->part == launch->part &&
			    unseen->event_index > steps->last_unseen &&
			    !ct_order_before(steps->order, step, steps->unseen[i]))
				steps->last_unseen = unseen->event_index;
		}
	}
	return steps->last_unseen <= allocated_at;
}
