/* SPDX-License-Identifier: Apache-2.0 */
/* Who reads whose bytes: the last writers of every byte, superstep by superstep. */
#include "reference.h"

#include <stdlib.h>

#define HOST UINT32_MAX /* as a CTA */

/* One of the CTAs that wrote a byte in the superstep that wrote it last. */
struct writer {
	uint32_t cta;
	size_t touch; /* its last write */
	size_t next;  /* 1 + index, 0: none */
};

/* What is known while the supersteps pass by. */
struct replay {
	struct reference *reference;
	struct bag last; /* part, byte -> superstep, 1 + index of its writers */
	struct writer *writer;
	size_t writers, writer_room;
	uint32_t superstep; /* now */
	struct bag own;     /* byte, CTA, warp: written so far in this superstep */
	struct bag written; /* byte, CTA -> touch of the last write */
	struct bag seen;    /* byte, CTA: read before in this superstep */
};

static uint32_t part_of(const struct replay *replay)
{
	return before_step(&replay->reference->before, replay->superstep)->part;
}

static const struct touch *touch_of(const struct replay *replay, size_t touch)
{
	return &replay->reference->touches.touch[touch];
}

static struct ct_comm_superstep *figures_of(const struct replay *replay, uint32_t superstep)
{
	return &replay->reference->figures.of_superstep[superstep];
}

/* ---- one byte that a CTA reads */

static void note_source(struct replay *replay, const struct touch *reader, uint64_t byte,
			uint32_t source, const struct writer *writer, bool is_first)
{
	struct reference *r = replay->reference;
	const struct touch *wrote = touch_of(replay, writer->touch);
	struct bag_entry *line = bag_at(&r->lines, (uintptr_t)wrote->unit, wrote->site,
					(uintptr_t)reader->unit, reader->site);

	line->value[1]++;
	if (!is_first)
		return;
	line->value[0]++;
	bag_at(&r->transfers, source, writer->cta, reader->superstep, reader->cta)->value[0]++;
	bag_at(&r->objects, reference_object_group(r, reader->object), 2, 0, 0)->value[0]++;
	bag_add(&r->received, reader->superstep, byte, r->kernel[source], 0);
	if (!bag_add(&r->sent, source, writer->cta, byte, 0))
		return;
	figures_of(replay, source)->communicated_store_bytes++;
	bag_at(&r->ctas, source, writer->cta, 1, 0)->value[1]++;
	bag_at(&r->objects, reference_object_group(r, wrote->object), 1, 0, 0)->value[1]++;
}

/* From the CTAs that wrote the byte in `source`: was anything communicated? */
static bool note_sources(struct replay *replay, const struct touch *reader, uint64_t byte,
			 const struct bag_entry *last, bool is_first)
{
	struct reference *r = replay->reference;
	uint32_t source = (uint32_t)last->value[0];
	bool any = false;

	for (size_t i = last->value[1]; i; i = replay->writer[i - 1].next) {
		const struct writer *writer = &replay->writer[i - 1];

		if (!reference_object_passes(r, touch_of(replay, writer->touch)->object))
			continue;
		note_source(replay, reader, byte, source, writer, is_first);
		any = true;
	}
	if (!any)
		return false;
	figures_of(replay, reader->superstep)->communicated_load_bytes++;
	bag_at(&r->ctas, reader->superstep, reader->cta, 1, 0)->value[0]++;
	bag_at(&r->objects, reference_object_group(r, reader->object), 1, 0, 0)->value[0]++;
	bag_add(&r->strides[0], reader->superstep, reader->cta, reader->address, 0);
	return true;
}

static bool read_byte(struct replay *replay, const struct touch *reader, uint64_t byte)
{
	struct reference *r = replay->reference;
	const struct bag_entry *last = bag_find(&replay->last, part_of(replay), byte, 0, 0);
	bool is_first = bag_add(&replay->seen, byte, reader->cta, 0, 0);
	uint32_t source = last ? (uint32_t)last->value[0] : CT_NO_STEP;

	if (!last) {
		r->figures.volume.unwritten_bytes += is_first;
	} else if (!r->passes[source]) {
		return false;
	} else if (!before_is(&r->before, source, replay->superstep)) {
		r->figures.volume.unordered_bytes += is_first;
	} else if (before_step(&r->before, source)->transfer) {
		r->figures.volume.from_host_bytes += is_first;
		figures_of(replay, replay->superstep)->from_host_bytes += is_first;
	} else {
		return note_sources(replay, reader, byte, last, is_first);
	}
	return false;
}

/* Count one load for each transfer that it took bytes from. */
static void note_loads(struct replay *replay, const struct touch *reader)
{
	struct reference *r = replay->reference;
	struct bag counted = {0};

	for (uint64_t byte = reader->address; byte < reader->address + reader->bytes; byte++) {
		const struct bag_entry *last = bag_find(&replay->last, part_of(replay), byte, 0, 0);

		if (!last || bag_find(&replay->own, byte, reader->cta, reader->warp, 0))
			continue;
		for (size_t i = last->value[1]; i; i = replay->writer[i - 1].next) {
			struct bag_entry *transfer =
			    bag_find(&r->transfers, last->value[0], replay->writer[i - 1].cta,
				     reader->superstep, reader->cta);

			if (transfer && bag_add(&counted, transfer->key[0], transfer->key[1], 0, 0))
				transfer->value[1]++;
		}
	}
	bag_fini(&counted);
}

static void read_touch(struct replay *replay, const struct touch *reader)
{
	struct reference *r = replay->reference;
	bool any = false;

	if (!r->passes[replay->superstep] || !reference_object_passes(r, reader->object))
		return;
	for (uint64_t byte = reader->address; byte < reader->address + reader->bytes; byte++)
		if (!bag_find(&replay->own, byte, reader->cta, reader->warp, 0))
			any |= read_byte(replay, reader, byte);
	if (any)
		note_loads(replay, reader);
}

/* ---- a superstep */

static void write_touch(struct replay *replay, size_t touch)
{
	const struct touch *writer = touch_of(replay, touch);
	uint32_t cta = writer->cta;

	for (uint64_t byte = writer->address; byte < writer->address + writer->bytes; byte++) {
		struct bag_entry *entry = bag_at(&replay->written, byte, cta, 0, 0);
		const struct touch *before = touch_of(replay, entry->value[0]);

		if (entry->value[1] &&
		    (before->site != writer->site || before->unit != writer->unit ||
		     before->address != writer->address))
			replay->reference->has_other_sites = true;
		entry->value[0] = touch;
		entry->value[1] = 1;
		bag_add(&replay->own, byte, cta, writer->warp, 0);
	}
}

static void set_last(struct replay *replay, uint64_t byte, uint32_t cta, size_t touch)
{
	struct bag_entry *last = bag_at(&replay->last, part_of(replay), byte, 0, 0);

	if (last->value[0] != replay->superstep)
		last->value[1] = 0;
	last->value[0] = replay->superstep;
	replay->writer = must_grow(replay->writer, replay->writers, &replay->writer_room,
				   sizeof(*replay->writer));
	replay->writer[replay->writers++] = (struct writer){cta, touch, last->value[1]};
	last->value[1] = replay->writers;
}

/* Bytes that were read and that another CTA wrote in the same launch. */
static void note_races(struct replay *replay)
{
	for (size_t i = 0; i < replay->seen.count; i++) {
		const uint64_t *key = replay->seen.entry[i].key;
		const struct bag_entry *last =
		    bag_find(&replay->last, part_of(replay), key[0], 0, 0);

		if (!last || last->value[0] != replay->superstep)
			continue;
		for (size_t w = last->value[1]; w; w = replay->writer[w - 1].next) {
			if (replay->writer[w - 1].cta == key[1])
				continue;
			replay->reference->figures.volume.same_superstep_bytes++;
			break;
		}
	}
}

/* The lanes of a record read, then write. */
static size_t replay_launch(struct replay *replay, size_t touch)
{
	const struct touches *all = &replay->reference->touches;
	size_t end;

	for (; touch < all->count && all->touch[touch].superstep == replay->superstep;
	     touch = end) {
		for (end = touch;
		     end < all->count && all->touch[end].record == all->touch[touch].record &&
		     all->touch[end].superstep == replay->superstep;
		     end++)
			if (all->touch[end].reads)
				read_touch(replay, &all->touch[end]);
		for (size_t i = touch; i < end; i++)
			if (all->touch[i].writes)
				write_touch(replay, i);
	}
	for (size_t i = 0; i < replay->written.count; i++)
		set_last(replay, replay->written.entry[i].key[0],
			 (uint32_t)replay->written.entry[i].key[1],
			 replay->written.entry[i].value[0]);
	note_races(replay);
	bag_clear(&replay->own);
	bag_clear(&replay->written);
	bag_clear(&replay->seen);
	return touch;
}

/* ---- a copy or memset */

static void host_reads(struct replay *replay, uint64_t byte)
{
	struct reference *r = replay->reference;
	const struct bag_entry *last = bag_find(&replay->last, part_of(replay), byte, 0, 0);
	uint32_t source = last ? (uint32_t)last->value[0] : CT_NO_STEP;
	bool passes = false;

	if (!last || !r->passes[source] || !r->passes[replay->superstep] ||
	    before_step(&r->before, source)->transfer ||
	    !before_is(&r->before, source, replay->superstep) ||
	    !bag_add(&replay->seen, byte, HOST, 0, 0))
		return;
	for (size_t i = last->value[1]; i; i = replay->writer[i - 1].next)
		passes |= reference_object_passes(
		    r, touch_of(replay, replay->writer[i - 1].touch)->object);
	r->figures.volume.to_host_bytes += passes;
	figures_of(replay, replay->superstep)->to_host_bytes += passes;
}

static void each_byte(struct replay *replay, const struct ct_event_transfer *event, uint64_t first,
		      uint64_t row, uint64_t slice, bool is_write)
{
	for (uint64_t z = 0; z < event->depth; z++)
		for (uint64_t y = 0; y < event->height; y++)
			for (uint64_t x = 0; x < event->width; x++) {
				uint64_t byte = first + z * slice + y * row + x;

				if (is_write)
					set_last(replay, byte, HOST, 0);
				else
					host_reads(replay, byte);
			}
}

static void replay_transfer(struct replay *replay, const struct ct_event_transfer *event)
{
	if (event->kind != CT_TRANSFER_SET)
		each_byte(replay, event, event->source, event->source_row, event->source_slice,
			  false);
	each_byte(replay, event, event->target, event->target_row, event->target_slice, true);
	bag_clear(&replay->seen);
}

void reference_match(struct reference *reference)
{
	struct replay replay = {.reference = reference};
	size_t touch = 0;

	for (; replay.superstep < reference->before.steps; replay.superstep++) {
		const struct before_call *step = before_step(&reference->before, replay.superstep);

		if (step->launch)
			touch = replay_launch(&replay, touch);
		else
			replay_transfer(&replay, step->transfer->event);
	}
	bag_fini(&replay.last);
	bag_fini(&replay.own);
	bag_fini(&replay.written);
	bag_fini(&replay.seen);
	free(replay.writer);
}
