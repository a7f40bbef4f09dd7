/* SPDX-License-Identifier: Apache-2.0 */
/* From addresses to objects that live, in the order of events. */
#include "postproc/analysis/ffm/touched.h"
#include "base/large.h"
#include "trace/read/live.h"
#include <errno.h>
#include <stdlib.h>

struct gathering {
	struct ct_ffm_touched *touched;
	const struct ct_ffm_program *program;
	const struct ct_ffm_memory *memory;
	struct ct_live live;
	size_t born; /* objects that have been looked at */
};

/* An object takes the place of those that it overlaps. */
static int bear(struct gathering *gathering, uint64_t index)
{
	const struct ct_ffm_memory *memory = gathering->memory;
	int err = 0;

	for (; gathering->born < memory->objects && memory->object[gathering->born].born < index &&
	       err == 0;
	     gathering->born++) {
		const struct ct_ffm_object *object = &memory->object[gathering->born];
		const struct ct_live_range *other;

		if (object->begin >= object->end)
			continue;
		while ((other = ct_live_overlap(&gathering->live, object->begin, object->end)))
			ct_live_remove(&gathering->live, other->begin, other->object);
		err = ct_live_insert(
		    &gathering->live,
		    &(struct ct_live_range){object->begin, object->end, (uint32_t)gathering->born});
	}
	return err;
}

static void add(struct gathering *gathering, uint32_t step, uint32_t object, bool writes)
{
	struct ct_ffm_touched *touched = gathering->touched;

	touched->touch[touched->touches++] = (struct ct_ffm_touch){step, object, writes};
}

static int take_given(struct gathering *gathering, uint32_t step,
		      const struct ct_event_given *given, uint64_t index)
{
	const struct ct_live_range *range;
	int err = bear(gathering, index);

	if (given->flags & CT_GIVEN_MORE)
		gathering->touched->is_known[step] = false;
	if (err < 0 || !given->address)
		return err;
	range = ct_live_find(&gathering->live, given->address);
	if (range && gathering->memory->object[range->object].died > index)
		add(gathering, step, range->object, !(given->flags & CT_GIVEN_READS));
	else
		gathering->touched->is_known[step] = false;
	return 0;
}

/* Launches of the part have such an event at least. */
static int take_launches(struct gathering *gathering, struct ct_trace *trace, uint32_t part)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_GIVEN, &events);
	struct ct_by_number by_launch;
	int err = ct_ffm_steps_by(gathering->program, CT_FFM_BY_LAUNCH, &by_launch);

	for (size_t i = 0; i < count && err == 0; i++) {
		uint32_t step = events[i].part == part
				    ? ct_by_number_get(&by_launch, events[i].given->launch)
				    : 0;

		if (step)
			gathering->touched->is_known[step - 1] = true;
	}
	for (size_t i = 0; i < count && err == 0; i++) {
		uint32_t step = events[i].part == part
				    ? ct_by_number_get(&by_launch, events[i].given->launch)
				    : 0;

		if (step)
			err = take_given(gathering, step - 1, events[i].given, events[i].index);
	}
	ct_by_number_fini(&by_launch);
	return err;
}

/* Pageable memory is no object: no other work touches it but copies, which the host waits for. */
static void take_copies(struct gathering *gathering)
{
	const struct ct_ffm_memory *memory = gathering->memory;

	for (size_t c = 0; c < memory->copies; c++) {
		const struct ct_ffm_copy *copy = &memory->copy[c];

		if (copy->step == CT_FFM_NONE)
			continue;
		gathering->touched->is_known[copy->step] = true;
		if (copy->target_object != CT_FFM_NONE)
			add(gathering, copy->step, copy->target_object, true);
		if (copy->source_object != CT_FFM_NONE)
			add(gathering, copy->step, copy->source_object, false);
	}
}

static int compare(const void *a, const void *b)
{
	const struct ct_ffm_touch *x = a, *y = b;

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	return x->object < y->object ? -1 : x->object > y->object;
}

int ct_ffm_touched_init(struct ct_ffm_touched *touched, const struct ct_ffm_program *program,
			const struct ct_ffm_memory *memory, struct ct_trace *trace, uint32_t part)
{
	struct gathering gathering = {.touched = touched, .program = program, .memory = memory};
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_GIVEN, &events);
	int err;

	*touched = (struct ct_ffm_touched){
	    .touch = ct_large_alloc(count + 2 * memory->copies + 1, sizeof(*touched->touch)),
	    .is_known = ct_large_alloc(program->graph.steps + 1, sizeof(*touched->is_known))};
	err =
	    touched->touch && touched->is_known ? take_launches(&gathering, trace, part) : -ENOMEM;
	if (err == 0)
		take_copies(&gathering);
	if (touched->touches)
		qsort(touched->touch, touched->touches, sizeof(*touched->touch), compare);
	ct_live_fini(&gathering.live);
	return err;
}

void ct_ffm_touched_fini(struct ct_ffm_touched *touched)
{
	ct_large_free(touched->touch);
	ct_large_free(touched->is_known);
	*touched = (struct ct_ffm_touched){.touches = 0};
}

static const struct ct_ffm_touch *first_of(const struct ct_ffm_touched *touched, uint32_t step)
{
	size_t low = 0, high = touched->touches;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (touched->touch[middle].step < step)
			low = middle + 1;
		else
			high = middle;
	}
	return touched->touch + low;
}

enum ct_ffm_sharing ct_ffm_share(const struct ct_ffm_touched *touched, uint32_t a, uint32_t b)
{
	const struct ct_ffm_touch *end = touched->touch + touched->touches, *x, *y;

	if (!touched->touch || a == CT_FFM_NONE || b == CT_FFM_NONE)
		return CT_FFM_SHARES_PERHAPS;
	for (x = first_of(touched, a); x < end && x->step == a; x++)
		for (y = first_of(touched, b); y < end && y->step == b; y++)
			if (x->object == y->object && (x->writes || y->writes))
				return CT_FFM_SHARES;
	return touched->is_known[a] && touched->is_known[b] ? CT_FFM_SHARES_NOTHING
							    : CT_FFM_SHARES_PERHAPS;
}
