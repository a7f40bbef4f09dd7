/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a time line: threads and streams, and the level of each span in its row. */
#include "base/array.h"
#include "postproc/analysis/calls/tracks/make.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct growing {
	struct ct_tracks_making *making;
	size_t room;
	struct ct_map threads; /* part, thread -> row + 1 */
	struct ct_map streams; /* part and device, stream -> row + 1 */
};

static struct ct_tracks_row *row_of(struct growing *growing, struct ct_map *map, uint64_t key0,
				    uint64_t key1, const struct ct_tracks_row *like)
{
	struct ct_tracks *tracks = growing->making->tracks;
	union ct_map_value *known = ct_map_put(map, key0, key1);

	if (!known ||
	    (!known->number && ct_array_reserve(&tracks->row, &growing->room, tracks->rows + 1,
						sizeof(*tracks->row)) < 0))
		return NULL;
	if (!known->number) {
		tracks->row[tracks->rows] = *like;
		known->number = ++tracks->rows;
	}
	return &tracks->row[known->number - 1];
}

static struct ct_tracks_row *thread_of(struct growing *growing, uint32_t part,
				       const struct ct_row_call *call)
{
	return row_of(growing, &growing->threads, part, call->thread,
		      &(struct ct_tracks_row){.part = part, .thread = call->thread, .name = ""});
}

static struct ct_tracks_row *stream_of(struct growing *growing, uint32_t part,
				       const struct ct_row_activity *activity)
{
	return row_of(growing, &growing->streams, (uint64_t)part << 32 | activity->device,
		      activity->stream,
		      &(struct ct_tracks_row){.part = part,
					      .is_stream = true,
					      .device = activity->device,
					      .stream = activity->stream,
					      .name = ""});
}

static int count_part(struct growing *growing, const struct ct_tracks_part *part)
{
	for (size_t i = 0; i < part->calls; i++) {
		const struct ct_row_call *call = &part->call[i];
		struct ct_tracks_row *row = thread_of(growing, part->part, call);

		if (!row)
			return -ENOMEM;
		row->spans++;
		if (!(call->flags & CT_SPAN_INNER) && !ct_tracks_is_range(call))
			row->busy_ns += call->duration_ns;
	}
	for (size_t i = 0; i < part->activities; i++) {
		struct ct_tracks_row *row;

		if (part->activity[i].flags & CT_ACTIVITY_OURS)
			continue;
		row = stream_of(growing, part->part, &part->activity[i]);
		if (!row)
			return -ENOMEM;
		row->spans++;
		row->busy_ns += part->activity[i].duration_ns;
	}
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct ct_tracks_row *x = a, *y = b;

	if (x->busy_ns != y->busy_ns)
		return x->busy_ns > y->busy_ns ? -1 : 1;
	return x->spans > y->spans ? -1 : x->spans < y->spans;
}

static int by_place(const void *a, const void *b)
{
	const struct ct_tracks_row *x = a, *y = b;

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	if (x->is_stream != y->is_stream)
		return x->is_stream ? 1 : -1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* Those of the most time, in their order, and the maps with their numbers. */
static int arrange(struct growing *growing)
{
	struct ct_tracks *tracks = growing->making->tracks;
	size_t most = growing->making->options->rows;

	if (most >= CT_NO_ROW)
		most = CT_NO_ROW - 1;
	ct_map_clear(&growing->threads);
	ct_map_clear(&growing->streams);
	if (tracks->rows > most) {
		qsort(tracks->row, tracks->rows, sizeof(*tracks->row), by_time);
		for (size_t i = most; i < tracks->rows; i++)
			tracks->left_spans += tracks->row[i].spans;
		tracks->left_rows = tracks->rows - most;
		tracks->rows = most;
	}
	if (tracks->rows)
		qsort(tracks->row, tracks->rows, sizeof(*tracks->row), by_place);
	for (size_t i = 0; i < tracks->rows; i++) {
		const struct ct_tracks_row *row = &tracks->row[i];
		union ct_map_value *known =
		    row->is_stream
			? ct_map_put(&growing->streams, (uint64_t)row->part << 32 | row->device,
				     row->stream)
			: ct_map_put(&growing->threads, row->part, row->thread);

		if (!known)
			return -ENOMEM;
		known->number = i + 1;
		tracks->all_spans += row->spans;
	}
	return 0;
}

/* By row, for calls or activities, ranges, and ranges that overlap with others, the begin of the
 * span that was put there last. */
enum way { PLAIN, RANGES, OVERLAPS, WAYS };

struct levels {
	uint64_t begin_ns[WAYS][CT_TRACKS_LEVELS];
	uint32_t above; /* of those that overlap: levels of ranges that do not */
};

/* Spans come with the last end first, so that what contains others comes before them. */
static uint8_t level_of(uint64_t begin_ns[CT_TRACKS_LEVELS], uint32_t above, uint64_t from_ns,
			uint64_t until_ns, uint32_t *levels)
{
	uint32_t level = above < CT_TRACKS_LEVELS ? above : CT_TRACKS_LEVELS - 1;

	while (level + 1 < CT_TRACKS_LEVELS && begin_ns[level] < until_ns)
		level++;
	begin_ns[level] = from_ns;
	if (*levels <= level)
		*levels = level + 1;
	return (uint8_t)level;
}

static void place_call(struct growing *growing, struct levels *levels,
		       const struct ct_tracks_part *part, size_t i)
{
	const struct ct_row_call *call = &part->call[i];
	const union ct_map_value *known = ct_map_find(&growing->threads, part->part, call->thread);
	bool is_range = ct_tracks_is_range(call);
	enum way way = call->flags & CT_SPAN_OVERLAPS ? OVERLAPS : is_range ? RANGES : PLAIN;
	struct ct_tracks_row *row;
	struct levels *of;

	part->mark[i] = (struct ct_tracks_mark){.row = CT_NO_ROW};
	if (!known)
		return;
	row = &growing->making->tracks->row[known->number - 1];
	of = &levels[known->number - 1];
	if (way == OVERLAPS && of->above == UINT32_MAX)
		of->above = row->range_levels;
	part->mark[i].row = (uint16_t)(known->number - 1);
	part->mark[i].level = level_of(of->begin_ns[way], way == OVERLAPS ? of->above : 0,
				       call->begin_ns, call->begin_ns + call->duration_ns,
				       is_range ? &row->range_levels : &row->call_levels);
}

static void place_activity(struct growing *growing, struct levels *levels,
			   const struct ct_tracks_part *part, size_t i)
{
	const struct ct_row_activity *activity = &part->activity[i];
	struct ct_tracks_mark *mark = &part->mark[part->calls + i];
	const union ct_map_value *known = ct_map_find(
	    &growing->streams, (uint64_t)part->part << 32 | activity->device, activity->stream);

	*mark = (struct ct_tracks_mark){.row = CT_NO_ROW};
	if (!known || activity->flags & CT_ACTIVITY_OURS)
		return;
	mark->row = (uint16_t)(known->number - 1);
	mark->level = level_of(levels[known->number - 1].begin_ns[PLAIN], 0, activity->begin_ns,
			       activity->begin_ns + activity->duration_ns,
			       &growing->making->tracks->row[known->number - 1].call_levels);
}

/* The last end first. */
static int by_end(const void *a, const void *b, void *calls)
{
	const struct ct_row_call *x = (const struct ct_row_call *)calls + *(const uint32_t *)a;
	const struct ct_row_call *y = (const struct ct_row_call *)calls + *(const uint32_t *)b;
	uint64_t x_ns = x->begin_ns + x->duration_ns, y_ns = y->begin_ns + y->duration_ns;

	if (x_ns != y_ns)
		return x_ns > y_ns ? -1 : 1;
	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Rows of a thread are in the order of their ends, but for ranges that overlap with others: these
 * have levels of their own, below those that do not. */
static int place_calls(struct growing *growing, struct levels *levels,
		       const struct ct_tracks_part *part)
{
	size_t overlaps = 0, room = 0;
	uint32_t *overlap = NULL;

	for (size_t i = part->calls; i-- > 0;) {
		if (!(part->call[i].flags & CT_SPAN_OVERLAPS)) {
			place_call(growing, levels, part, i);
			continue;
		}
		if (ct_array_reserve(&overlap, &room, overlaps + 1, sizeof(*overlap)) < 0) {
			free(overlap);
			return -ENOMEM;
		}
		overlap[overlaps++] = (uint32_t)i;
	}
	if (overlaps)
		qsort_r(overlap, overlaps, sizeof(*overlap), by_end, (void *)(uintptr_t)part->call);
	for (size_t i = 0; i < overlaps; i++)
		place_call(growing, levels, part, overlap[i]);
	free(overlap);
	return 0;
}

static int place_all(struct growing *growing)
{
	struct ct_tracks_making *making = growing->making;
	struct levels *levels = malloc((making->tracks->rows + 1) * sizeof(*levels));
	int err = 0;

	if (!levels)
		return -ENOMEM;
	memset(levels, 0xff, (making->tracks->rows + 1) * sizeof(*levels));
	for (size_t p = 0; p < making->parts && err == 0; p++) {
		const struct ct_tracks_part *part = &making->part[p];

		err = place_calls(growing, levels, part);
		for (size_t i = part->activities; i-- > 0;)
			place_activity(growing, levels, part, part->waits.ends.index[i]);
	}
	free(levels);
	return err;
}

static void name_threads(struct growing *growing)
{
	struct ct_tracks *tracks = growing->making->tracks;
	const struct ct_host_event *events;
	size_t count = ct_trace_events(tracks->trace, CT_EVENT_THREAD, &events);

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_thread *event = events[i].thread;
		const union ct_map_value *known =
		    ct_map_find(&growing->threads, events[i].part, event->thread);

		if (known)
			tracks->row[known->number - 1].name =
			    ct_trace_string(tracks->trace, events[i].part, event->name);
	}
}

int ct_tracks_make_rows(struct ct_tracks_making *making)
{
	struct growing growing = {.making = making};
	int err = 0;

	for (size_t p = 0; p < making->parts && err == 0; p++)
		err = count_part(&growing, &making->part[p]);
	if (err == 0)
		err = arrange(&growing);
	if (err == 0)
		err = place_all(&growing);
	name_threads(&growing);
	ct_map_fini(&growing.threads);
	ct_map_fini(&growing.streams);
	return err;
}
