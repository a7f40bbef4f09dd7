/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what speaks for and against waiting, place by place. */
#include "postproc/analysis/calls/coincidence.h"
#include "base/array.h"
#include <errno.h>
#include <stdlib.h>

#define LEAST_DELAY_NS 20000u
#define MOST_DELAY_NS 1000000u
#define LONG 10u     /* delays */
#define LATE 4u      /* one in so many of those that coincide may end later */
#define DELAYS 4096u /* explicit waits that are looked at */

/* Tallies calls of a function from one place, for one scope. */
struct tally {
	uint32_t coincide, late, early;
};

struct place {
	uint32_t name, stack;
	uint32_t long_ones; /* calls that may have waited by their duration */
	struct tally device, stream;
};

struct looking {
	struct ct_waits *waits;
	uint64_t delay_ns;
	uint64_t *first_begin; /* by place in ends: the earliest begin from there on */
	struct ct_map numbers; /* name, stack -> place + 1 */
	struct place *place;
	size_t places;
};

static bool is_foreign(const struct ct_row_call *call, const struct ct_row_activity *activity)
{
	if (activity->flags & CT_ACTIVITY_OURS)
		return false;
	if (call->correlation && activity->correlation == call->correlation)
		return false;
	return !call->launch || activity->launch != call->launch;
}

/* The last end within the call of work in its scope that it has not asked for; 0: there is none. */
static uint64_t last_end(const struct ct_waits *waits, const struct ct_row_call *call,
			 enum ct_wait what)
{
	uint64_t end = call->begin_ns + call->duration_ns;
	size_t first = ct_ends_after(&waits->ends, call->begin_ns);
	size_t last = ct_ends_after(&waits->ends, end + waits->error_ns);

	while (last-- > first) {
		const struct ct_row_activity *activity = &waits->activity[waits->ends.index[last]];

		if (is_foreign(call, activity) && ct_waits_covers(waits, call, what, activity))
			return waits->ends.end_ns[last];
	}
	return 0;
}

/* Whether such work is under way when the call ends. */
static bool leaves_work(const struct looking *looking, const struct ct_row_call *call,
			enum ct_wait what)
{
	const struct ct_waits *waits = looking->waits;
	uint64_t end = call->begin_ns + call->duration_ns;

	for (size_t i = ct_ends_after(&waits->ends, end + waits->error_ns);
	     i < waits->ends.count && looking->first_begin[i] + waits->error_ns < end; i++) {
		const struct ct_row_activity *activity = &waits->activity[waits->ends.index[i]];

		if (activity->begin_ns + waits->error_ns < end && is_foreign(call, activity) &&
		    ct_waits_covers(waits, call, what, activity))
			return true;
	}
	return false;
}

static void look_at(const struct looking *looking, const struct ct_row_call *call,
		    enum ct_wait what, struct tally *tally)
{
	uint64_t end = call->begin_ns + call->duration_ns;
	uint64_t done = last_end(looking->waits, call, what);

	if (leaves_work(looking, call, what))
		tally->early++;
	else if (!done || done < call->begin_ns + LONG * looking->delay_ns)
		return;
	else if (end <= done + looking->delay_ns)
		tally->coincide++;
	else
		tally->late++;
}

/* NULL: memory is short. */
static struct place *place_of(struct looking *looking, const struct ct_row_call *call)
{
	union ct_map_value *number = ct_map_put(&looking->numbers, call->name, call->stack);

	if (!number || (!number->number && ct_array_grow(&looking->place, looking->places,
							 sizeof(*looking->place)) < 0))
		return NULL;
	if (!number->number) {
		looking->place[looking->places] =
		    (struct place){.name = call->name, .stack = call->stack};
		number->number = ++looking->places;
	}
	return &looking->place[number->number - 1];
}

/* A call that has ended early will not be believed any more. */
static void look_at_call(struct looking *looking, const struct ct_row_call *call)
{
	const union ct_map_value *number = ct_map_find(&looking->numbers, call->name, call->stack);
	struct place *place = number ? &looking->place[number->number - 1] : NULL;

	if (!place || place->long_ones < CT_COINCIDENCES)
		return;
	if (!place->device.early)
		look_at(looking, call, CT_WAIT_FOR_DEVICE, &place->device);
	if (!place->stream.early)
		look_at(looking, call, CT_WAIT_FOR_STREAM, &place->stream);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* How late explicit waits return. */
static uint64_t find_delay(const struct ct_waits *waits, const struct ct_row_call *call,
			   size_t count)
{
	uint64_t delay[DELAYS], found;
	size_t delays = 0;

	for (size_t i = 0; i < count && delays < DELAYS; i++) {
		struct ct_wait_kind kind = ct_waits_kind(waits, &call[i]);
		uint64_t end = call[i].begin_ns + call[i].duration_ns;
		uint64_t done = kind.is_synchronize ? last_end(waits, &call[i], kind.what) : 0;

		if (done)
			delay[delays++] = end > done ? end - done : 0;
	}
	if (!delays)
		return LEAST_DELAY_NS;
	qsort(delay, delays, sizeof(*delay), compare);
	found = delay[delays * 9 / 10];
	return found < LEAST_DELAY_NS  ? LEAST_DELAY_NS
	       : found > MOST_DELAY_NS ? MOST_DELAY_NS
				       : found;
}

/* Calls of the API that are the program's, and whose names do not say whether they wait. */
static bool is_in_question(const struct looking *looking, const struct ct_row_call *call)
{
	return (call->kind == CT_SPAN_RUNTIME || call->kind == CT_SPAN_DRIVER) &&
	       !(call->flags & (CT_SPAN_INNER | CT_SPAN_OPEN)) && call->stack &&
	       ct_waits_kind(looking->waits, call).what == CT_WAIT_FOR_NONE;
}

/* Most calls are short, and from places where all are. */
static int find_places(struct looking *looking, const struct ct_row_call *call, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct place *place;

		if (call[i].duration_ns < LONG * looking->delay_ns ||
		    !is_in_question(looking, &call[i]))
			continue;
		place = place_of(looking, &call[i]);
		if (!place)
			return -ENOMEM;
		place->long_ones++;
	}
	return 0;
}

static bool is_convincing(const struct tally *tally)
{
	return !tally->early && tally->coincide >= CT_COINCIDENCES &&
	       tally->late * LATE <= tally->coincide;
}

static int decide(struct ct_waits *waits, const struct place *place)
{
	enum ct_wait what = is_convincing(&place->device)   ? CT_WAIT_FOR_DEVICE
			    : is_convincing(&place->stream) ? CT_WAIT_FOR_STREAM
							    : CT_WAIT_FOR_NONE;
	union ct_map_value *value;

	if (what == CT_WAIT_FOR_NONE)
		return 0;
	value = ct_map_put(&waits->coincident, place->name, place->stack);
	if (!value)
		return -ENOMEM;
	value->number = what;
	return 0;
}

static int init(struct looking *looking)
{
	const struct ct_waits *waits = looking->waits;
	uint64_t earliest = UINT64_MAX;

	looking->first_begin = malloc((waits->ends.count + 1) * sizeof(*looking->first_begin));
	if (!looking->first_begin)
		return -ENOMEM;
	for (size_t i = waits->ends.count; i-- > 0;) {
		uint64_t begin = waits->activity[waits->ends.index[i]].begin_ns;

		earliest = begin < earliest ? begin : earliest;
		looking->first_begin[i] = earliest;
	}
	return 0;
}

int ct_waits_coincide(struct ct_waits *waits, const struct ct_row_call *call, size_t count)
{
	struct looking looking = {.waits = waits};
	int err = 0;

	if (!waits->ends.count)
		return 0;
	looking.delay_ns = find_delay(waits, call, count);
	err = init(&looking);
	if (err == 0)
		err = find_places(&looking, call, count);
	for (size_t i = 0; i < count && err == 0 && looking.places; i++)
		if (is_in_question(&looking, &call[i]))
			look_at_call(&looking, &call[i]);
	for (size_t i = 0; i < looking.places && err == 0; i++)
		err = decide(waits, &looking.place[i]);
	ct_map_fini(&looking.numbers);
	free(looking.place);
	free(looking.first_begin);
	return err;
}
