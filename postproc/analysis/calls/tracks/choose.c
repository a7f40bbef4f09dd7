/* SPDX-License-Identifier: Apache-2.0 */
/* Which spans of a time line are shown one by one, where they are too many. */
#include "postproc/analysis/calls/tracks/make.h"
#include <errno.h>
#include <stdlib.h>

#define NOT_READY 600
#define SLICES_MAX 1024u
/* Parts of all that is shown, in percent; what one leaves the next ones may take. */
#define FIRSTS 6u
#define FAILURES 12u
#define RANGES 30u
#define PLACES 60u
#define LONGEST 85u

/* Durations by their highest bit and the next ones. */
#define FRACTION_BITS 5u
#define FRACTIONS (1u << FRACTION_BITS)
#define BUCKETS ((64u + 1) * FRACTIONS)

struct choosing {
	struct ct_tracks_making *making;
	size_t most;
	struct ct_map names;       /* part and kind, name: is there already */
	uint64_t *bucket;          /* how many are in it, of those not yet shown */
	struct ct_map calls;       /* part, correlation of shown ones */
	uint64_t candidates, step; /* one of so many candidates is shown */
};

/* Those of rows that are not shown yet. */
static int each(struct choosing *choosing,
		int (*fn)(struct choosing *choosing, struct ct_tracks_part *part, size_t i))
{
	struct ct_tracks_making *making = choosing->making;
	int err = 0;

	for (size_t p = 0; p < making->parts; p++) {
		struct ct_tracks_part *part = &making->part[p];

		for (size_t i = 0; i < ct_tracks_part_spans(part) && err == 0; i++)
			if (part->mark[i].row != CT_NO_ROW && !part->mark[i].is_shown)
				err = fn(choosing, part, i);
	}
	return err;
}

static bool has_room(const struct choosing *choosing)
{
	return choosing->making->shown < choosing->most;
}

static void show(struct choosing *choosing, struct ct_tracks_part *part, size_t i)
{
	part->mark[i].is_shown = true;
	choosing->making->shown++;
}

static void allow(struct choosing *choosing, unsigned percent)
{
	choosing->most = choosing->making->options->spans / 100 * percent;
}

/* Where not all candidates have room, they are taken evenly. */
static void show_some(struct choosing *choosing, struct ct_tracks_part *part, size_t i)
{
	if (choosing->candidates++ % choosing->step == 0 && has_room(choosing))
		show(choosing, part, i);
}

/* How many are left over for each that there is room for. */
static void begin_some(struct choosing *choosing, uint64_t candidates)
{
	uint64_t room = has_room(choosing) ? choosing->most - choosing->making->shown : 0;

	choosing->candidates = 0;
	choosing->step = room ? (candidates + room - 1) / room : UINT64_MAX;
	if (choosing->step == 0)
		choosing->step = 1;
}

static int show_any(struct choosing *choosing, struct ct_tracks_part *part, size_t i)
{
	show(choosing, part, i);
	return 0;
}

static int show_first(struct choosing *choosing, struct ct_tracks_part *part, size_t i)
{
	struct ct_tracks_span span = ct_tracks_span_at(part, i);
	uint32_t kind = span.call ? span.call->kind : 8 + span.activity->kind;
	uint32_t name = span.call ? span.call->name : span.activity->name;
	union ct_map_value *known;

	if (!has_room(choosing))
		return 0;
	known = ct_map_put(&choosing->names, (uint64_t)part->part << 8 | kind, name);
	if (!known)
		return -ENOMEM;
	if (!known->number)
		show(choosing, part, i);
	known->number = 1;
	return 0;
}

static int show_failure(struct choosing *choosing, struct ct_tracks_part *part, size_t i)
{
	const struct ct_row_call *call = i < part->calls ? &part->call[i] : NULL;

	if (call && has_room(choosing) &&
	    (call->flags & CT_SPAN_OPEN || call->kind == CT_SPAN_MARK ||
	     (call->result != 0 && call->result != NOT_READY)))
		show(choosing, part, i);
	return 0;
}

static bool is_range(const struct ct_tracks_part *part, size_t i)
{
	return i < part->calls && ct_tracks_is_range(&part->call[i]);
}

static unsigned bucket_of(uint64_t ns)
{
	unsigned high = ns < FRACTIONS ? 0 : 63 - (unsigned)__builtin_clzll(ns) - FRACTION_BITS;

	return high * FRACTIONS + (unsigned)(ns >> high);
}

static unsigned bucket_at(const struct ct_tracks_part *part, size_t i)
{
	struct ct_tracks_span span = ct_tracks_span_at(part, i);

	return bucket_of(ct_tracks_duration(&span));
}

static int count_any(struct choosing *choosing, struct ct_tracks_part *part, size_t i)
{
	choosing->bucket[bucket_at(part, i)]++;
	return 0;
}

static int count_range(struct choosing *choosing, struct ct_tracks_part *part, size_t i)
{
	return is_range(part, i) ? count_any(choosing, part, i) : 0;
}

/* bucket: not 0 where they are wanted. */
static int show_long(struct choosing *choosing, struct ct_tracks_part *part, size_t i)
{
	if (choosing->bucket[bucket_at(part, i)])
		show_some(choosing, part, i);
	return 0;
}

static int show_long_range(struct choosing *choosing, struct ct_tracks_part *part, size_t i)
{
	return is_range(part, i) ? show_long(choosing, part, i) : 0;
}

/* The longest of those that `count` counts: whole buckets as long as there is room, then some of
 * the next. */
static int show_longest(struct choosing *choosing,
			int (*count)(struct choosing *, struct ct_tracks_part *, size_t),
			int (*fn)(struct choosing *, struct ct_tracks_part *, size_t))
{
	size_t room = has_room(choosing) ? choosing->most - choosing->making->shown : 0;
	uint64_t next;
	unsigned b = BUCKETS;
	int err;

	for (unsigned i = 0; i < BUCKETS; i++)
		choosing->bucket[i] = 0;
	err = each(choosing, count);
	while (b > 0 && choosing->bucket[b - 1] <= room)
		room -= choosing->bucket[--b];
	next = b ? choosing->bucket[b - 1] : 0;
	for (unsigned i = 0; i < BUCKETS; i++)
		choosing->bucket[i] = i >= b;
	begin_some(choosing, 0);
	if (err == 0)
		err = each(choosing, fn);
	for (unsigned i = 0; i < BUCKETS; i++)
		choosing->bucket[i] = i + 1 == b;
	begin_some(choosing, next);
	return err == 0 && b ? each(choosing, fn) : err;
}

/* The longest of each row in each slice of the time. */
static int show_places(struct choosing *choosing)
{
	struct ct_tracks_making *making = choosing->making;
	const struct ct_tracks *tracks = making->tracks;
	size_t room = has_room(choosing) ? choosing->most - making->shown : 0;
	size_t slices = room / tracks->rows < SLICES_MAX ? room / tracks->rows : SLICES_MAX;
	struct {
		struct ct_tracks_part *part;
		size_t i;
		uint64_t ns;
	} *best = calloc(tracks->rows * slices + 1, sizeof(*best));
	uint64_t slice_ns = slices ? (tracks->end_ns - tracks->begin_ns) / slices : 0;

	if (!best)
		return -ENOMEM;
	slice_ns += slice_ns < UINT64_MAX;
	for (size_t p = 0; p < making->parts && slices; p++) {
		struct ct_tracks_part *part = &making->part[p];

		for (size_t i = 0; i < ct_tracks_part_spans(part); i++) {
			struct ct_tracks_span span = ct_tracks_span_at(part, i);
			uint64_t ns = ct_tracks_duration(&span) + 1;
			size_t at;

			if (span.row == CT_NO_ROW)
				continue;
			at = (ct_tracks_begin(&span) - tracks->begin_ns) / slice_ns;
			at = span.row * slices + (at < slices ? at : slices - 1);
			if (ns <= best[at].ns)
				continue;
			best[at].part = part;
			best[at].i = i;
			best[at].ns = ns;
		}
	}
	for (size_t at = 0; at < tracks->rows * slices; at++)
		if (best[at].part && !best[at].part->mark[best[at].i].is_shown)
			show(choosing, best[at].part, best[at].i);
	free(best);
	return 0;
}

static uint32_t correlation_at(const struct ct_tracks_part *part, size_t i)
{
	return i < part->calls ? part->call[i].correlation
			       : part->activity[i - part->calls].correlation;
}

static bool is_partner(const struct choosing *choosing, const struct ct_tracks_part *part, size_t i)
{
	uint32_t correlation = correlation_at(part, i);

	if (i < part->calls && part->call[i].flags & CT_SPAN_INNER)
		return false;
	return correlation && ct_map_find(&choosing->calls, part->part, correlation);
}

static int count_partner(struct choosing *choosing, struct ct_tracks_part *part, size_t i)
{
	choosing->candidates += is_partner(choosing, part, i);
	return 0;
}

static int show_partner(struct choosing *choosing, struct ct_tracks_part *part, size_t i)
{
	if (is_partner(choosing, part, i))
		show_some(choosing, part, i);
	return 0;
}

static int show_partners(struct choosing *choosing)
{
	struct ct_tracks_making *making = choosing->making;

	for (size_t p = 0; p < making->parts; p++) {
		const struct ct_tracks_part *part = &making->part[p];

		for (size_t i = 0; i < ct_tracks_part_spans(part); i++)
			if (part->mark[i].is_shown && correlation_at(part, i) &&
			    !ct_map_put(&choosing->calls, part->part, correlation_at(part, i)))
				return -ENOMEM;
	}
	choosing->candidates = 0;
	each(choosing, count_partner);
	begin_some(choosing, choosing->candidates);
	return each(choosing, show_partner);
}

static int choose_some(struct choosing *choosing)
{
	int err;

	allow(choosing, FIRSTS);
	err = each(choosing, show_first);
	allow(choosing, FAILURES);
	if (err == 0)
		err = each(choosing, show_failure);
	allow(choosing, RANGES);
	if (err == 0)
		err = show_longest(choosing, count_range, show_long_range);
	allow(choosing, PLACES);
	if (err == 0)
		err = show_places(choosing);
	allow(choosing, LONGEST);
	if (err == 0)
		err = show_longest(choosing, count_any, show_long);
	choosing->most = choosing->making->options->spans;
	if (err == 0)
		err = show_partners(choosing);
	if (err == 0)
		err = show_longest(choosing, count_any, show_long);
	return err;
}

int ct_tracks_choose(struct ct_tracks_making *making)
{
	struct choosing choosing = {.making = making};
	int err;

	if (making->tracks->all_spans <= making->options->spans)
		return each(&choosing, show_any);
	choosing.bucket = malloc(BUCKETS * sizeof(*choosing.bucket));
	err = choosing.bucket ? choose_some(&choosing) : -ENOMEM;
	free(choosing.bucket);
	ct_map_fini(&choosing.names);
	ct_map_fini(&choosing.calls);
	return err;
}
