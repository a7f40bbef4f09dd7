/* SPDX-License-Identifier: Apache-2.0 */
/* When supersteps were, as far as the host's clock tells. */
#include "postproc/formats/perfetto/timeline.h"
#include "base/array.h"
#include "postproc/shuffle/sums.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The number of a stream's track, made if it is new; negative: -ENOMEM. */
static int64_t track_of(struct ct_timeline *timeline, struct ct_sums *known,
			const struct ct_superstep *step)
{
	const uint64_t place = (uint64_t)step->part << 32 | step->device;
	const struct ct_sum *sum = ct_sums_find(known, place, step->stream);
	uint32_t number = 1;

	if (sum)
		return (int64_t)sum->value[0];
	for (size_t i = 0; i < timeline->tracks; i++)
		number += timeline->track[i].part == step->part;
	if (ct_array_grow(&timeline->track, timeline->tracks, sizeof(*timeline->track)) < 0 ||
	    ct_sums_add(known, place, step->stream, timeline->tracks, 0) < 0)
		return -ENOMEM;
	timeline->track[timeline->tracks] = (struct ct_timeline_track){.stream = step->stream,
								       .part = step->part,
								       .device = step->device,
								       .number = number,
								       .last = CT_NO_SUPERSTEP};
	return (int64_t)timeline->tracks++;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* After the step before it on the track, which ends here at the latest. */
static void place(struct ct_timeline *timeline, struct ct_timeline_track *track, size_t i,
		  const struct ct_superstep *step, uint64_t start_ns)
{
	struct ct_timeline_step *when = &timeline->step[i], *before = NULL;
	const struct ct_event_header *header =
	    step->launch ? &step->launch->event->header : &step->transfer->event->header;

	when->called_ns = header->time_ns - start_ns;
	when->start_ns = when->called_ns;
	if (track->last != CT_NO_SUPERSTEP) {
		before = &timeline->step[track->last];
		when->start_ns = later(when->called_ns, before->start_ns);
		if (before->end_ns > when->start_ns)
			before->end_ns = when->start_ns;
	}
	when->end_ns = when->start_ns;
	if (step->launch && !step->launch->done)
		when->end_ns = UINT64_MAX;
	else if (step->launch && step->launch->done_ns > start_ns)
		when->end_ns = later(when->start_ns, step->launch->done_ns - start_ns);
	track->last = (uint32_t)i;
}

/* The last one of a track, if its end was not seen, has no length. */
static void close_tracks(struct ct_timeline *timeline)
{
	for (size_t i = 0; i < timeline->tracks; i++) {
		struct ct_timeline_step *last = &timeline->step[timeline->track[i].last];

		if (last->end_ns == UINT64_MAX)
			last->end_ns = last->start_ns;
	}
}

int ct_timeline_init(struct ct_timeline *timeline, const struct ct_comm_figures *figures,
		     uint64_t start_ns)
{
	struct ct_sums *known;
	int err = ct_sums_open(&known);

	memset(timeline, 0, sizeof(*timeline));
	if (err < 0)
		return err;
	timeline->steps = figures->supersteps;
	timeline->step = calloc(timeline->steps + 1, sizeof(*timeline->step));
	err = timeline->step ? 0 : -ENOMEM;
	for (size_t i = 0; i < timeline->steps && err == 0; i++) {
		int64_t track = track_of(timeline, known, &figures->superstep[i]);

		if (track < 0) {
			err = -ENOMEM;
			continue;
		}
		timeline->step[i].track = (uint32_t)track;
		place(timeline, &timeline->track[track], i, &figures->superstep[i], start_ns);
	}
	ct_sums_close(known);
	if (err == 0)
		close_tracks(timeline);
	else
		ct_timeline_fini(timeline);
	return err;
}

void ct_timeline_fini(struct ct_timeline *timeline)
{
	free(timeline->step);
	free(timeline->track);
	memset(timeline, 0, sizeof(*timeline));
}
