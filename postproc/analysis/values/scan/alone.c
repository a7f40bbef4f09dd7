/* SPDX-License-Identifier: Apache-2.0 */
/* Stretches of supersteps between opaque launches, and who accesses what in each. */
#include "postproc/analysis/values/scan/alone.h"

#include "base/map.h"
#include "trace/read/work.h"

#include <errno.h>
#include <stdlib.h>

#define SEVERAL (CT_NONE - 1) /* objects */

struct stretches {
	const struct ct_value_engine *engine;
	uint32_t *of; /* by superstep, and behind the last one */
	/* By stretch: a launch has records, a copy is of several objects, or the part ends. */
	bool *is_reported;
	struct ct_map uses; /* stretch, object: copies and memsets */
};

static bool is_opaque(const struct ct_value_engine *engine, uint32_t step)
{
	return engine->step[step].floor > step;
}

/* A launch with records that is opaque itself ends the stretch of what it has read. */
static int divide(struct stretches *stretches)
{
	const struct ct_value_engine *engine = stretches->engine;
	uint32_t stretch = 0;

	stretches->of = malloc((engine->steps + 1) * sizeof(*stretches->of));
	stretches->is_reported = calloc(2 * engine->steps + 2, sizeof(*stretches->is_reported));
	if (!stretches->of || !stretches->is_reported)
		return -ENOMEM;
	for (uint32_t i = 0; i < engine->steps; i++) {
		const struct ct_superstep *superstep = &engine->superstep[i];

		if (i && superstep->part != superstep[-1].part)
			stretches->is_reported[stretch++] = true;
		stretches->of[i] = stretch;
		stretches->is_reported[stretch] |=
		    superstep->launch && !superstep->launch->reason[0];
		stretch += is_opaque(engine, i);
	}
	stretches->is_reported[stretch] = true;
	stretches->of[engine->steps] = stretch;
	return 0;
}

/* The object of one side of a transfer, of which rows and slices begin so far apart. */
static uint32_t object_of(const struct ct_value_engine *engine, uint32_t step, uint64_t start,
			  const uint64_t distance[2])
{
	const struct ct_event_transfer *event = engine->superstep[step].transfer->event;
	uint64_t first = start & CT_ADDRESS_MASK;
	uint64_t last = first + (event->depth - 1) * distance[1] +
			(event->height - 1) * distance[0] + event->width - 1;
	uint32_t object = start ? ct_value_object_at(engine, step, first) : CT_NONE;

	if (!start)
		return CT_NONE;
	if (ct_value_object_at(engine, step, last) != object ||
	    (event->height > 1 && distance[0] < event->width) ||
	    (event->depth > 1 && distance[1] < event->height * distance[0]))
		return SEVERAL;
	return object;
}

static uint32_t source_of(const struct ct_value_engine *engine, uint32_t step)
{
	const struct ct_event_transfer *event = engine->superstep[step].transfer->event;

	return object_of(engine, step, event->kind == CT_TRANSFER_COPY ? event->source : 0,
			 (const uint64_t[2]){event->source_row, event->source_slice});
}

uint32_t ct_value_alone_target(const struct ct_value_engine *engine, uint32_t step)
{
	const struct ct_event_transfer *event = engine->superstep[step].transfer->event;

	return object_of(engine, step, event->target,
			 (const uint64_t[2]){event->target_row, event->target_slice});
}

static bool is_copy(const struct ct_value_engine *engine, uint32_t step)
{
	const struct ct_transfer_info *transfer = engine->superstep[step].transfer;

	return transfer && transfer->event->width && transfer->event->height &&
	       transfer->event->depth && ct_transfer_is_sound(transfer->event);
}

_Static_assert(SEVERAL < CT_NONE, "both are no object");

static int count_uses(struct stretches *stretches)
{
	const struct ct_value_engine *engine = stretches->engine;

	for (uint32_t i = 0; i < engine->steps; i++) {
		const uint32_t object[2] = {is_copy(engine, i) ? source_of(engine, i) : CT_NONE,
					    is_copy(engine, i) ? ct_value_alone_target(engine, i)
							       : CT_NONE};

		for (int side = 0; side < 2; side++) {
			union ct_map_value *uses;

			if (object[side] == SEVERAL)
				stretches->is_reported[stretches->of[i]] = true;
			if (object[side] >= SEVERAL)
				continue;
			uses = ct_map_put(&stretches->uses, stretches->of[i], object[side]);
			if (!uses)
				return -ENOMEM;
			uses->number++;
		}
	}
	return 0;
}

/* Nothing else in the stretch has to do with the object. */
static bool is_by_itself(const struct stretches *stretches, uint32_t stretch, uint32_t object)
{
	const struct ct_value_object *of = &stretches->engine->object[object];

	return ct_map_find(&stretches->uses, stretch, object)->number == 1 &&
	       stretches->of[of->allocated_at] != stretch && stretches->of[of->freed_at] != stretch;
}

static bool is_alone(const struct stretches *stretches, uint32_t step)
{
	const struct ct_value_engine *engine = stretches->engine;
	const struct ct_event_transfer *event;
	uint32_t stretch = stretches->of[step], source, target;

	if (!is_copy(engine, step) || stretches->is_reported[stretch])
		return false;
	event = engine->superstep[step].transfer->event;
	source = source_of(engine, step);
	target = ct_value_alone_target(engine, step);
	if (event->kind != CT_TRANSFER_COPY || (source == CT_NONE && target == CT_NONE))
		return false;
	return (source == CT_NONE || is_by_itself(stretches, stretch, source)) &&
	       (target == CT_NONE || is_by_itself(stretches, stretch, target));
}

int ct_value_alone_find(bool **alone, const struct ct_value_engine *engine)
{
	struct stretches stretches = {.engine = engine};
	int err;

	*alone = calloc(engine->steps + 1, sizeof(**alone));
	err = *alone ? divide(&stretches) : -ENOMEM;
	if (err == 0)
		err = count_uses(&stretches);
	for (uint32_t i = 0; i < engine->steps && err == 0; i++)
		(*alone)[i] = is_alone(&stretches, i);
	ct_map_fini(&stretches.uses);
	free(stretches.of);
	free(stretches.is_reported);
	return err;
}
