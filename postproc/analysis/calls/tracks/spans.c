/* SPDX-License-Identifier: Apache-2.0 */
/* The spans of a time line that are shown one by one: in their order, who caused them, and when
 * calls waited. */
#include "base/array.h"
#include "postproc/analysis/calls/tracks/make.h"
#include <errno.h>
#include <stdlib.h>

#define WAITS_EACH 32u /* stretches of a call that are told apart, about */

static int compare(const void *a, const void *b)
{
	const struct ct_tracks_span *x = a, *y = b;
	bool x_is_range = x->call && ct_tracks_is_range(x->call);
	bool y_is_range = y->call && ct_tracks_is_range(y->call);
	uint64_t x_ns = ct_tracks_begin(x), y_ns = ct_tracks_begin(y);

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x_is_range != y_is_range)
		return x_is_range ? -1 : 1;
	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	if (x_ns != y_ns)
		return x_ns < y_ns ? -1 : 1;
	/* Rows of a table are in one array. */
	return x->call ? (x->call > y->call) - (x->call < y->call)
		       : (x->activity > y->activity) - (x->activity < y->activity);
}

static int collect(struct ct_tracks_making *making)
{
	struct ct_tracks *tracks = making->tracks;

	tracks->span = malloc((making->shown + 1) * sizeof(*tracks->span));
	if (!tracks->span)
		return -ENOMEM;
	for (size_t p = 0; p < making->parts; p++) {
		const struct ct_tracks_part *part = &making->part[p];

		for (size_t i = 0; i < ct_tracks_part_spans(part); i++)
			if (part->mark[i].is_shown)
				tracks->span[tracks->spans++] = ct_tracks_span_at(part, i);
	}
	if (tracks->spans)
		qsort(tracks->span, tracks->spans, sizeof(*tracks->span), compare);
	return 0;
}

static struct ct_tracks_part *part_of(struct ct_tracks_making *making,
				      const struct ct_tracks_span *span)
{
	uint32_t part = making->tracks->row[span->row].part;

	for (size_t p = 0; p < making->parts; p++)
		if (making->part[p].part == part)
			return &making->part[p];
	return NULL;
}

/* Numbers of what is shown, by the rows of the tables. */
static int number_spans(struct ct_tracks_making *making)
{
	struct ct_tracks *tracks = making->tracks;

	for (size_t p = 0; p < making->parts; p++) {
		struct ct_tracks_part *part = &making->part[p];

		part->span = malloc((ct_tracks_part_spans(part) + 1) * sizeof(*part->span));
		if (!part->span)
			return -ENOMEM;
		for (size_t i = 0; i < ct_tracks_part_spans(part); i++)
			part->span[i] = CT_TRACKS_NONE;
	}
	for (size_t s = 0; s < tracks->spans; s++) {
		const struct ct_tracks_span *span = &tracks->span[s];
		struct ct_tracks_part *part = part_of(making, span);

		part->span[span->call ? (size_t)(span->call - part->call)
				      : part->calls + (size_t)(span->activity - part->activity)] =
		    (uint32_t)s;
	}
	return 0;
}

/* The keys of correlations and of launches, which are numbers of their own. */
static uint64_t key_of(uint32_t part, bool is_launch)
{
	return (uint64_t)part << 1 | is_launch;
}

/* Calls that are within others are not who caused it. */
static int find_causes(struct ct_tracks *tracks)
{
	struct ct_map calls = {0}; /* part, correlation or launch -> span + 1 */
	int err = 0;

	for (size_t s = 0; s < tracks->spans && err == 0; s++) {
		const struct ct_row_call *call = tracks->span[s].call;
		uint32_t part = tracks->row[tracks->span[s].row].part;
		union ct_map_value *known;

		if (!call || call->flags & CT_SPAN_INNER)
			continue;
		for (int is_launch = 0; is_launch < 2 && err == 0; is_launch++) {
			uint32_t number = is_launch ? call->launch : call->correlation;

			if (!number)
				continue;
			known = ct_map_put(&calls, key_of(part, is_launch), number);
			err = known ? 0 : -ENOMEM;
			if (known)
				known->number = s + 1;
		}
	}
	for (size_t s = 0; s < tracks->spans && err == 0; s++) {
		struct ct_tracks_span *span = &tracks->span[s];
		const struct ct_row_activity *activity = span->activity;
		uint32_t part = tracks->row[span->row].part;
		const union ct_map_value *known = NULL;

		if (activity && activity->correlation)
			known = ct_map_find(&calls, key_of(part, false), activity->correlation);
		if (activity && activity->launch && !known)
			known = ct_map_find(&calls, key_of(part, true), activity->launch);
		if (known)
			span->cause = (uint32_t)(known->number - 1);
	}
	ct_map_fini(&calls);
	return err;
}

/* The stretches of a call: what lies close is one. */
struct waiting {
	struct ct_tracks_making *making;
	struct ct_tracks_part *part;
	uint32_t span;
	size_t first; /* of its stretches */
	size_t *room;
	uint64_t close_ns;
};

static int add_wait(void *user, const struct ct_waited *waited)
{
	struct waiting *waiting = user;
	struct ct_tracks *tracks = waiting->making->tracks;
	uint64_t ns = waited->until_ns - waited->from_ns;
	struct ct_tracks_wait *last =
	    tracks->waits > waiting->first ? &tracks->wait[tracks->waits - 1] : NULL;

	if (!last || last->from_ns - waited->until_ns > waiting->close_ns) {
		if (ct_array_reserve(&tracks->wait, waiting->room, tracks->waits + 1,
				     sizeof(*tracks->wait)) < 0)
			return -ENOMEM;
		last = &tracks->wait[tracks->waits++];
		*last = (struct ct_tracks_wait){
		    .span = waiting->span,
		    .until_ns = waited->until_ns,
		};
	}
	last->from_ns = waited->from_ns;
	last->waited_ns += ns;
	last->activities++;
	if (ns < last->longest_ns)
		return 0;
	last->longest_ns = ns;
	last->activity = waited->activity;
	last->for_span = CT_TRACKS_NONE;
	if (waited->activity)
		last->for_span =
		    waiting->part->span[waiting->part->calls +
					(size_t)(waited->activity - waiting->part->activity)];
	return 0;
}

uint64_t ct_tracks_waited(const struct ct_tracks_part *part, const struct ct_row_call *call,
			  int (*each)(void *user, const struct ct_waited *waited), void *user,
			  int *err)
{
	struct ct_wait_kind kind;
	struct ct_waited all = {NULL, call->begin_ns, call->begin_ns + call->duration_ns};

	*err = 0;
	if (ct_tracks_is_range(call) || call->flags & CT_SPAN_INNER)
		return 0;
	kind = ct_waits_kind(&part->waits, call);
	if (part->activities)
		return kind.what == CT_WAIT_FOR_NONE
			   ? 0
			   : ct_waits_of(&part->waits, call, kind.what, each, user, err);
	if (!kind.is_synchronize || !call->duration_ns)
		return 0;
	*err = each ? each(user, &all) : 0;
	return call->duration_ns;
}

static int find_waits(struct ct_tracks_making *making)
{
	struct ct_tracks *tracks = making->tracks;
	size_t room = 0;
	int err = 0;

	for (size_t s = 0; s < tracks->spans && err == 0; s++) {
		struct ct_tracks_span *span = &tracks->span[s];
		struct waiting waiting = {
		    .making = making,
		    .span = (uint32_t)s,
		    .first = tracks->waits,
		    .room = &room,
		};

		if (!span->call)
			continue;
		waiting.part = part_of(making, span);
		waiting.close_ns = span->call->duration_ns / WAITS_EACH;
		span->waited_ns =
		    ct_tracks_waited(waiting.part, span->call, add_wait, &waiting, &err);
	}
	return err;
}

int ct_tracks_make_spans(struct ct_tracks_making *making)
{
	int err = collect(making);

	if (err == 0)
		err = number_spans(making);
	if (err == 0)
		err = find_causes(making->tracks);
	return err == 0 ? find_waits(making) : err;
}
