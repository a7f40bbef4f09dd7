/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and activities of a trace as a time line of bounded size. */
#include "postproc/analysis/calls/tracks/tracks.h"
#include "postproc/analysis/calls/tracks/make.h"
#include <errno.h>
#include <stdlib.h>

static int load_part(struct ct_tracks_making *making, uint32_t number)
{
	struct ct_tracks_part *part = &making->part[making->parts++];
	struct ct_trace *trace = making->tracks->trace;
	int err;

	part->part = number;
	err = ct_trace_rows(trace, number, CT_TABLE_CALL, (const void **)&part->call, &part->calls);
	if (err == 0)
		err = ct_trace_rows(trace, number, CT_TABLE_ACTIVITY,
				    (const void **)&part->activity, &part->activities);
	if (err == 0)
		err = ct_waits_init(&part->waits, trace, number, part->activity, part->activities);
	if (err < 0)
		return err;
	part->mark = malloc((ct_tracks_part_spans(part) + 1) * sizeof(*part->mark));
	return part->mark ? 0 : -ENOMEM;
}

static int load(struct ct_tracks_making *making)
{
	const struct ct_calls *calls = making->calls;
	struct ct_tracks *tracks = making->tracks;
	int err = 0;

	making->part = calloc(calls->parts + 1, sizeof(*making->part));
	if (!making->part)
		return -ENOMEM;
	for (size_t i = 0; i < calls->parts && err == 0; i++) {
		if (!calls->part[i].end_ns)
			continue;
		if (!making->parts || calls->part[i].begin_ns < tracks->begin_ns)
			tracks->begin_ns = calls->part[i].begin_ns;
		if (calls->part[i].end_ns > tracks->end_ns)
			tracks->end_ns = calls->part[i].end_ns;
		err = load_part(making, calls->part[i].part);
	}
	return err;
}

static void unload(struct ct_tracks_making *making)
{
	for (size_t p = 0; p < making->parts; p++) {
		ct_waits_fini(&making->part[p].waits);
		free(making->part[p].mark);
		free(making->part[p].span);
	}
	free(making->part);
}

/* Activities may be known by their launches alone. */
static int read_launches(struct ct_tracks *tracks)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(tracks->trace, CT_EVENT_LAUNCH, &events);

	for (size_t i = 0; i < count; i++) {
		union ct_map_value *event =
		    ct_map_put(&tracks->launches, events[i].part, events[i].launch->launch);

		if (!event)
			return -ENOMEM;
		event->pointer = (void *)(uintptr_t)events[i].launch;
	}
	return 0;
}

int ct_tracks_init(struct ct_tracks *tracks, const struct ct_calls *calls,
		   const struct ct_tracks_options *options)
{
	struct ct_tracks_making making = {
	    .tracks = tracks,
	    .calls = calls,
	    .options = options,
	};
	int err;

	*tracks = (struct ct_tracks){.trace = calls->trace};
	err = load(&making);
	if (err == 0)
		err = ct_tracks_make_rows(&making);
	if (err == 0)
		err = ct_tracks_choose(&making);
	if (err == 0)
		err = ct_tracks_make_spans(&making);
	if (err == 0)
		err = ct_tracks_make_bins(&making);
	if (err == 0)
		err = read_launches(tracks);
	unload(&making);
	if (err < 0)
		ct_tracks_fini(tracks);
	return err;
}

void ct_tracks_fini(struct ct_tracks *tracks)
{
	free(tracks->row);
	free(tracks->span);
	free(tracks->wait);
	free(tracks->bin);
	ct_map_fini(&tracks->launches);
	*tracks = (struct ct_tracks){0};
}

const char *ct_tracks_name(const struct ct_tracks *tracks, const struct ct_tracks_span *span)
{
	uint32_t part = tracks->row[span->row].part;
	const struct ct_row_activity *activity = span->activity;
	const union ct_map_value *launch;
	uint32_t name;

	if (span->call)
		return ct_trace_string(tracks->trace, part, span->call->name);
	name = activity->name;
	launch = name ? NULL : ct_map_find(&tracks->launches, part, activity->launch);
	if (launch && activity->kind == CT_ACTIVITY_KERNEL)
		name = ((const struct ct_event_launch *)launch->pointer)->kernel_name;
	return ct_trace_string(tracks->trace, part, name);
}
