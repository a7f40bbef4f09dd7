/* SPDX-License-Identifier: Apache-2.0 */
/* Who reads whose bytes: the last writers of every byte, superstep by superstep. */
#include "tests/comm/reference.h"

#include <stdlib.h>

#define HOST UINT32_MAX /* as a CTA */

/* A CTA that wrote a byte in a superstep. */
struct writer {
	uint32_t superstep, cta;
	size_t touch; /* its last write */
	size_t next;  /* 1 + index, 0: none */
};

/* Keeps what is known while the supersteps pass by. */
struct replay {
	struct reference *reference;
	struct bag history; /* part, byte -> 1 + index of its writers, the newest first */
	struct writer *writer;
	size_t writers, writer_room;
	uint32_t superstep; /* now */
	struct bag own;     /* byte, CTA, warp: written so far in this superstep */
	struct bag written; /* byte, CTA -> touch of the last write */
	struct bag seen;    /* byte, CTA: read before in this superstep */
	struct bag plain;   /* byte: accessed in this superstep by what is no atomic */
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

/* Did several CTAs of its superstep write the byte? */
static bool is_joint(const struct replay *replay, uint64_t byte, const struct writer *writer)
{
	const struct bag_entry *history = bag_find(&replay->history, part_of(replay), byte, 0, 0);

	for (size_t i = history->value[0]; i; i = replay->writer[i - 1].next)
		if (replay->writer[i - 1].superstep == writer->superstep &&
		    replay->writer[i - 1].cta != writer->cta)
			return true;
	return false;
}

/* A byte goes once from each device to each other one that reads it. */
static void note_crossing(struct replay *replay, const struct touch *reader, uint64_t byte,
			  const struct writer *writer)
{
	struct reference *r = replay->reference;
	uint64_t ctas = r->figures.ctas;

	for (uint64_t devices = 2; devices <= REFERENCE_DEVICES; devices++)
		for (int turn = 0; turn < 2; turn++) {
			uint64_t from = reference_home(writer->cta, ctas, devices, turn);
			uint64_t to = reference_home(reader->cta, ctas, devices, turn);

			if (from != to)
				bag_add(&r->crossing[devices - 2][turn], writer->superstep,
					reader->superstep, byte, from << 8 | to);
		}
}

/* Its part of the kernel pairs, lines, transfers. */
static void note_source(struct replay *replay, const struct touch *reader, uint64_t byte,
			const struct writer *writer, bool is_first)
{
	struct reference *r = replay->reference;
	const struct touch *wrote = touch_of(replay, writer->touch);
	uint32_t source = writer->superstep, target = reader->superstep;
	struct bag_entry *line = bag_at(&r->lines, (uintptr_t)wrote->unit, wrote->site,
					(uintptr_t)reader->unit, reader->site);

	line->value[1]++;
	if (writer->cta == reader->cta)
		bag_at(&r->self_lines, (uintptr_t)wrote->unit, wrote->site, (uintptr_t)reader->unit,
		       reader->site)
		    ->value[1]++;
	if (!is_first)
		return;
	line->value[0]++;
	if (writer->cta == reader->cta) {
		bag_at(&r->self_lines, (uintptr_t)wrote->unit, wrote->site, (uintptr_t)reader->unit,
		       reader->site)
		    ->value[0]++;
		bag_at(&r->objects, reference_object_group(r, target, byte), 4, 0, 0)->value[0]++;
	}
	bag_at(&r->transfers, source, writer->cta, target, reader->cta)->value[0]++;
	note_crossing(replay, reader, byte, writer);
	bag_at(&r->objects, reference_object_group(r, target, byte), 2, 0, 0)->value[0]++;
	bag_add(&r->received, target, byte, r->kernel[source], 0);
	if ((writer->cta != reader->cta || r->kernel[source] != r->kernel[target] ||
	     is_joint(replay, byte, writer)) &&
	    bag_add(&r->exchanged, source, writer->cta, byte, 0))
		r->figures.volume.exchanged_store_bytes++;
	if ((writer->cta != reader->cta || is_joint(replay, byte, writer)) &&
	    bag_add(&r->to_others, source, writer->cta, byte, 0)) {
		figures_of(replay, source)->others_store_bytes++;
		bag_at(&r->objects, reference_object_group(r, source, byte), 3, 0, 0)->value[1]++;
	}
	if (!bag_add(&r->sent, source, writer->cta, byte, 0))
		return;
	figures_of(replay, source)->communicated_store_bytes++;
	bag_at(&r->ctas, source, writer->cta, 1, 0)->value[1]++;
	bag_at(&r->objects, reference_object_group(r, source, byte), 1, 0, 0)->value[1]++;
}

static void note_load(struct replay *replay, const struct touch *reader, uint64_t byte)
{
	struct reference *r = replay->reference;
	uint32_t target = reader->superstep;

	figures_of(replay, target)->communicated_load_bytes++;
	bag_at(&r->ctas, target, reader->cta, 1, 0)->value[0]++;
	bag_at(&r->objects, reference_object_group(r, target, byte), 1, 0, 0)->value[0]++;
	bag_add(&r->strides[0], target, reader->cta, reader->address, 0);
}

/* Who wrote a byte that the superstep at hand reads. */
enum origin { UNORDERED, OVERWRITTEN, HOST_WROTE, CTA_WROTE };

static enum origin origin_of(const struct replay *replay, const struct bag_entry *history,
			     const struct writer *writer)
{
	const struct before *before = &replay->reference->before;

	if (!before_is(before, writer->superstep, replay->superstep))
		return UNORDERED;
	for (size_t i = history->value[0]; i; i = replay->writer[i - 1].next) {
		uint32_t other = replay->writer[i - 1].superstep;

		if (other > writer->superstep && before_is(before, writer->superstep, other) &&
		    before_is(before, other, replay->superstep))
			return OVERWRITTEN;
	}
	return before_step(before, writer->superstep)->transfer ? HOST_WROTE : CTA_WROTE;
}

static bool counts(const struct replay *replay, const struct writer *writer)
{
	return reference_touch_passes(replay->reference, touch_of(replay, writer->touch));
}

static void read_byte(struct replay *replay, const struct touch *reader, uint64_t byte,
		      struct bag *loaded)
{
	struct reference *r = replay->reference;
	const struct bag_entry *history = bag_find(&replay->history, part_of(replay), byte, 0, 0);
	bool is_first = bag_add(&replay->seen, byte, reader->cta, 0, 0);
	bool from[4] = {false}, is_of_others = false;

	if (!history) {
		r->figures.volume.unwritten_bytes += is_first;
		return;
	}
	for (size_t i = history->value[0]; i; i = replay->writer[i - 1].next) {
		const struct writer *writer = &replay->writer[i - 1];
		enum origin origin = origin_of(replay, history, writer);

		if (origin == CTA_WROTE && !counts(replay, writer))
			continue;
		from[origin] = true;
		if (origin != CTA_WROTE)
			continue;
		note_source(replay, reader, byte, writer, is_first);
		is_of_others |= writer->cta != reader->cta || is_joint(replay, byte, writer);
		bag_add(loaded, writer->superstep, writer->cta, byte >> 16, 0);
	}
	r->figures.volume.unordered_bytes += is_first && from[UNORDERED];
	r->figures.volume.from_host_bytes += is_first && from[HOST_WROTE];
	figures_of(replay, replay->superstep)->from_host_bytes += is_first && from[HOST_WROTE];
	if (from[CTA_WROTE])
		note_load(replay, reader, byte);
	if (!is_of_others)
		return;
	figures_of(replay, replay->superstep)->others_load_bytes++;
	bag_at(&r->objects, reference_object_group(r, replay->superstep, byte), 3, 0, 0)
	    ->value[0]++;
}

static void read_touch(struct replay *replay, const struct touch *reader)
{
	struct reference *r = replay->reference;
	struct bag loaded = {0}; /* superstep, CTA, 64 KiB that this access takes bytes from */

	for (uint64_t byte = reader->address; byte < reader->address + reader->bytes; byte++)
		if (reference_touch_passes(r, reader) &&
		    !bag_find(&replay->own, byte, reader->cta, reader->warp, 0))
			read_byte(replay, reader, byte, &loaded);
	for (size_t i = 0; i < loaded.count; i++)
		bag_at(&r->transfers, loaded.entry[i].key[0], loaded.entry[i].key[1],
		       reader->superstep, reader->cta)
		    ->value[1]++;
	bag_fini(&loaded);
}

/* Lanes of one record, or warps of a CTA: either may be the last. */
static void note_open(struct reference *r, const struct touch *before, const struct touch *writer)
{
	if ((before->warp != writer->warp || before->record == writer->record) &&
	    reference_touch_passes(r, before) != reference_touch_passes(r, writer))
		r->is_open = true;
}

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
		if (entry->value[1])
			note_open(replay->reference, before, writer);
		entry->value[0] = touch;
		entry->value[1] = 1;
		bag_add(&replay->own, byte, cta, writer->warp, 0);
	}
}

static void add_writer(struct replay *replay, uint64_t byte, uint32_t cta, size_t touch)
{
	struct bag_entry *history = bag_at(&replay->history, part_of(replay), byte, 0, 0);

	replay->writer = must_grow(replay->writer, replay->writers, &replay->writer_room,
				   sizeof(*replay->writer));
	replay->writer[replay->writers++] =
	    (struct writer){replay->superstep, cta, touch, history->value[0]};
	history->value[0] = replay->writers;
}

/* Bytes that were read and that another CTA wrote in the same launch. */
static void note_races(struct replay *replay)
{
	for (size_t i = 0; i < replay->seen.count; i++) {
		const uint64_t *key = replay->seen.entry[i].key;
		const struct bag_entry *history =
		    bag_find(&replay->history, part_of(replay), key[0], 0, 0);

		for (size_t w = history ? history->value[0] : 0; w;
		     w = replay->writer[w - 1].next) {
			if (replay->writer[w - 1].superstep != replay->superstep ||
			    replay->writer[w - 1].cta == key[1])
				continue;
			replay->reference->figures.volume.same_superstep_bytes++;
			if (!bag_find(&replay->plain, key[0], 0, 0, 0))
				replay->reference->figures.volume.same_superstep_atomic_bytes++;
			break;
		}
	}
}

static void note_plain(struct replay *replay, const struct touch *touch)
{
	bool passes = reference_touch_passes(replay->reference, touch);

	/* Bytes that others than those selected write count as stored. */
	if (passes ? touch->reads && touch->writes : !touch->writes)
		return;
	for (uint64_t i = 0; i < touch->bytes; i++)
		bag_add(&replay->plain, touch->address + i, 0, 0, 0);
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
		for (size_t i = touch; i < end; i++) {
			note_plain(replay, &all->touch[i]);
			if (all->touch[i].writes)
				write_touch(replay, i);
		}
	}
	for (size_t i = 0; i < replay->written.count; i++)
		add_writer(replay, replay->written.entry[i].key[0],
			   (uint32_t)replay->written.entry[i].key[1],
			   replay->written.entry[i].value[0]);
	note_races(replay);
	bag_clear(&replay->plain);
	bag_clear(&replay->own);
	bag_clear(&replay->written);
	bag_clear(&replay->seen);
	return touch;
}

static void host_reads(struct replay *replay, uint64_t byte)
{
	struct reference *r = replay->reference;
	const struct bag_entry *history = bag_find(&replay->history, part_of(replay), byte, 0, 0);
	bool is_from_cta = false;

	if (!history || !reference_object_passes(r, replay->superstep, byte) ||
	    !bag_add(&replay->seen, byte, HOST, 0, 0))
		return;
	for (size_t i = history->value[0]; i; i = replay->writer[i - 1].next)
		is_from_cta |= origin_of(replay, history, &replay->writer[i - 1]) == CTA_WROTE &&
			       counts(replay, &replay->writer[i - 1]);
	r->figures.volume.to_host_bytes += is_from_cta;
	figures_of(replay, replay->superstep)->to_host_bytes += is_from_cta;
}

static void each_byte(struct replay *replay, const struct ct_event_transfer *event, uint64_t first,
		      uint64_t row, uint64_t slice, bool is_write)
{
	for (uint64_t z = 0; z < event->depth; z++)
		for (uint64_t y = 0; y < event->height; y++)
			for (uint64_t x = 0; x < event->width; x++) {
				uint64_t byte = first + z * slice + y * row + x;

				if (is_write)
					add_writer(replay, byte, HOST, 0);
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
	bag_fini(&replay.history);
	bag_fini(&replay.own);
	bag_fini(&replay.written);
	bag_fini(&replay.seen);
	bag_fini(&replay.plain);
	free(replay.writer);
}
