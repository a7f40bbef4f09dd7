/* SPDX-License-Identifier: Apache-2.0 */
/* From accesses to touches: ranges of bytes where lanes are side by side. */
#include "postproc/analysis/comm/base/engine.h"
#include "postproc/analysis/comm/touches/lanes.h"
#include "postproc/analysis/comm/touches/repeats.h"
#include "postproc/facts/filter.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/objects.h"
#include "trace/read/work.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ct_touches {
	struct ct_engine *engine;
	const struct ct_unit *units;
	uint32_t writer;
	struct ct_touch touch;               /* what the touches of the access at hand share */
	uint64_t packed[CT_TOUCH_WORDS_MAX]; /* the same */
	const struct ct_launch_info *launch; /* whose superstep touch has */
	uint64_t chunk, in_chunk; /* of the last access: its chunk, and how many there were */
	uint32_t object_hint;
	/* There were records of CTAs that their grid does not have, or transfers larger
	 * than any memory. */
	bool is_invalid;
	struct ct_volume volume;    /* of one CTA, not put yet; without bytes: none */
	struct ct_repeats *repeats; /* NULL: of transfers */
	uint64_t unseen;            /* touches to be put before repeats are asked again */
	bool all_pass;              /* the filter, but for objects */
	uint64_t count;             /* touches, whether they were put or not */
};

static int put_volume(struct ct_touches *touches)
{
	const struct ct_volume *volume = &touches->volume;

	if (!volume->load_bytes && !volume->store_bytes)
		return 0;
	return ct_shuffle_put(touches->engine->volumes, touches->writer,
			      ct_volume_partition(volume->who), volume);
}

/* The access at hand is new, or its site. */
static void begin_touches(struct ct_touches *touches)
{
	ct_touch_pack_access(&touches->engine->layout, touches->packed, &touches->touch);
}

/* Packs what touches share; the rest is in touch. */
static inline int put_packed(struct ct_touches *touches, const uint64_t *packed,
			     const struct ct_touch *touch)
{
	const struct ct_engine *engine = touches->engine;
	uint64_t word[CT_TOUCH_WORDS_MAX] = {packed[0], packed[1], packed[2]};
	uint32_t partition = ct_touch_partition(touch->page);

	ct_touch_pack_bytes(word, touch);
	if (engine->layout.words == 2)
		return ct_shuffle_put_sized(engine->touches, touches->writer, partition, word,
					    2 * sizeof(*word));
	return ct_shuffle_put_sized(engine->touches, touches->writer, partition, word,
				    3 * sizeof(*word));
}

/* A touch of any access. */
static int put_alone(struct ct_touches *touches, const struct ct_touch *touch)
{
	uint64_t packed[CT_TOUCH_WORDS_MAX] = {0};

	ct_touch_pack_access(&touches->engine->layout, packed, touch);
	return put_packed(touches, packed, touch);
}

/* It may come again. */
static int put_once(struct ct_touches *touches, const struct ct_touch *touch)
{
	struct ct_touch put[CT_REPEATS_PUT_MAX];
	uint32_t count = ct_repeats_add(touches->repeats, touches->chunk, touch, put);
	int err = 0;

	for (uint32_t i = 0; i < count && err == 0; i++)
		err = put_alone(touches, &put[i]);
	return err;
}

/* Bytes of one page, from offset on. */
static inline int put_here(struct ct_touches *touches, uint64_t page, uint64_t offset,
			   uint64_t bytes, uint32_t times)
{
	struct ct_touch touch = {.page = page,
				 .kind = touches->touch.kind,
				 .times = times,
				 .first = (uint16_t)offset,
				 .last = (uint16_t)(offset + bytes - 1)};

	touches->count++;
	if (!touches->unseen)
		touches->unseen = ct_repeats_pause(touches->repeats);
	if (touches->unseen) {
		touches->unseen--;
		return put_packed(touches, touches->packed, &touch);
	}
	touch.order = touches->touch.order;
	touch.superstep = touches->touch.superstep;
	touch.cta = touches->touch.cta;
	touch.site = touches->touch.site;
	return put_once(touches, &touch);
}

/* Bytes [address, address + bytes), page by page. */
static int put_touch(struct ct_touches *touches, uint64_t address, uint64_t bytes, uint32_t times)
{
	int err = 0;

	while (bytes && err == 0) {
		uint64_t offset = address & (CT_PAGE_BYTES - 1);
		uint64_t here = CT_PAGE_BYTES - offset < bytes ? CT_PAGE_BYTES - offset : bytes;

		err = put_here(touches, address >> CT_PAGE_BITS, offset, here, times);
		address += here;
		bytes -= here;
	}
	return err;
}

/* A range of elements; one that lies across the end of a page goes on in the next. */
static int put_elements(struct ct_touches *touches, uint64_t address, uint64_t element,
			uint64_t bytes, uint32_t times)
{
	uint64_t room = CT_PAGE_BYTES - (address & (CT_PAGE_BYTES - 1)), whole;
	int err = 0;

	while (err == 0 && room < bytes && room % element) {
		whole = room - room % element;
		err = whole ? put_touch(touches, address, whole, times) : 0;
		if (err == 0)
			err = put_touch(touches, address + whole, room - whole, times);
		touches->touch.kind |= CT_TOUCH_GOES_ON;
		if (err == 0)
			err = put_touch(touches, address + room, element - (room - whole), times);
		touches->touch.kind &= (uint8_t)~CT_TOUCH_GOES_ON;
		address += whole + element;
		bytes -= whole + element;
		room = CT_PAGE_BYTES - (address & (CT_PAGE_BYTES - 1));
	}
	return err == 0 ? put_touch(touches, address, bytes, times) : err;
}

static int put_range(struct ct_touches *touches, uint64_t address, uint64_t bytes)
{
	uint64_t room = CT_PAGE_BYTES - (address & (CT_PAGE_BYTES - 1));
	int err;

	if (bytes <= room)
		return put_touch(touches, address, bytes, 1);
	err = put_touch(touches, address, room, 1);
	touches->touch.kind |= CT_TOUCH_GOES_ON;
	if (err == 0)
		err = put_touch(touches, address + room, bytes - room, 1);
	touches->touch.kind &= (uint8_t)~CT_TOUCH_GOES_ON;
	return err;
}

static int put_scattered(struct ct_touches *touches, const uint64_t *lane, uint32_t count,
			 uint64_t size)
{
	int err = 0;

	for (uint32_t i = 0; i < count && err == 0; i++) {
		uint64_t offset = lane[i] & (CT_PAGE_BYTES - 1);

		if (offset + size <= CT_PAGE_BYTES)
			err = put_here(touches, lane[i] >> CT_PAGE_BITS, offset, size, 1);
		else
			err = put_elements(touches, lane[i], size, size, 1);
	}
	return err;
}

/* A row ends with each of the lanes in `ends`. */
static int put_rows(struct ct_touches *touches, const uint64_t *lane, uint64_t size, uint32_t ends)
{
	uint32_t first = 0;
	int err = 0;

	for (; ends && err == 0; ends &= ends - 1) {
		uint32_t last = (uint32_t)__builtin_ctz(ends);

		err = put_elements(touches, lane[first], size, (last - first + 1) * size, 1);
		first = last + 1;
	}
	return err;
}

static int put_sorted(struct ct_touches *touches, const uint64_t *lane, uint32_t count,
		      uint64_t size)
{
	uint32_t at = 0, times;
	int err = 0;

	while (at < count && err == 0) {
		uint64_t begin = lane[at];
		uint64_t bytes = ct_lanes_next_range(lane, count, size, &at, &times);

		err = put_elements(touches, begin, size, bytes, times);
	}
	return err;
}

static int put_lanes(struct ct_touches *touches, uint64_t *lane, uint32_t count, uint64_t size)
{
	uint32_t ends;
	bool are_rows = ct_lanes_in_rows(lane, count, size, &ends);

	/* Scattered lanes stay alone; so do rows of one lane each. */
	if (are_rows && (uint32_t)__builtin_popcount(ends) <= count - count / 8)
		return put_rows(touches, lane, size, ends);
	if (ct_lanes_are_scattered(lane, count, size))
		return put_scattered(touches, lane, count, size);
	if (are_rows)
		return put_rows(touches, lane, size, ends);
	ct_sort_lanes(lane, count);
	return put_sorted(touches, lane, count, size);
}

static int add_ranges(struct ct_touches *touches, const struct ct_access *access, uint32_t lanes)
{
	int err = 0;

	for (; lanes && err == 0; lanes &= lanes - 1) {
		uint32_t i = (uint32_t)__builtin_ctz(lanes);

		if (access->range[i])
			err = put_range(touches, access->address[i], access->range[i]);
	}
	return err;
}

static int add_lanes(struct ct_touches *touches, const struct ct_access *access, uint32_t lanes,
		     uint64_t size)
{
	uint64_t lane[CT_WARP_LANES];
	uint32_t count = 0;

	if (lanes == CT_FULL_MASK) {
		memcpy(lane, access->address, sizeof(lane));
		return put_lanes(touches, lane, CT_WARP_LANES, size);
	}
	for (; lanes; lanes &= lanes - 1)
		lane[count++] = access->address[__builtin_ctz(lanes)];
	return put_lanes(touches, lane, count, size);
}

static int add_touches(struct ct_touches *touches, const struct ct_access *access, uint32_t lanes)
{
	uint64_t size = access->info->bytes;
	uint32_t count = ct_lane_count(lanes);
	uint64_t first = access->address[__builtin_ctz(lanes)];

	begin_touches(touches);
	if (access->range)
		return add_ranges(touches, access, lanes);
	if (!size)
		return 0;
	if (!ct_lanes_are_one_range(access, lanes, size))
		return add_lanes(touches, access, lanes, size);
	if (access->stride == 0)
		return put_elements(touches, first, size, size, count);
	return put_elements(touches, first, size, count * size, 1);
}

static int count_volume(struct ct_touches *touches, const struct ct_access *access, uint32_t touch,
			uint64_t bytes)
{
	struct ct_volume *volume = &touches->volume;
	uint64_t who = (uint64_t)touches->touch.superstep << 32 | access->cta;
	int err = 0;

	if (volume->who != who || volume->sm != access->sm) {
		err = put_volume(touches);
		*volume = (struct ct_volume){.who = who, .sm = access->sm};
	}
	volume->load_bytes += touch & CT_TOUCH_READ ? bytes : 0;
	volume->store_bytes += touch & CT_TOUCH_WRITE ? bytes : 0;
	return err;
}

static int find_superstep(struct ct_touches *touches, const struct ct_access *access)
{
	const struct ct_launch_info *launch = access->launch;
	uint32_t superstep;

	if (launch == touches->launch)
		return 0;
	superstep = ct_order_of_launch(touches->engine->order, launch->part, launch->event->launch);
	if (superstep == CT_NO_SUPERSTEP)
		return -EAGAIN;
	touches->touch.superstep = superstep;
	touches->launch = launch;
	return 0;
}

/* A warp's accesses come in its order. A chunk has a word at least for each, but for those
 * that groups and loops stand for. */
static int number_access(struct ct_touches *touches, const struct ct_access *access)
{
	const struct ct_touch_layout *layout = &touches->engine->layout;
	uint64_t chunk = access->segment >> CT_SEGMENT_IN_CHUNK_BITS, at;

	if (chunk != touches->chunk) {
		touches->chunk = chunk;
		touches->in_chunk = 0;
	}
	at = touches->in_chunk++;
	if (chunk >> (layout->order_bits - layout->in_chunk_bits))
		return -ESTALE; /* the file was longer than it was when it was opened */
	if (at >> layout->in_chunk_bits)
		return touches->engine->is_wide ? -EOVERFLOW : -ERANGE; /* again, with more room */
	touches->touch.order =
	    (uint64_t)access->warp << CT_ORDER_BITS | chunk << layout->in_chunk_bits | at;
	return 0;
}

/* Those of the lanes that access an object which passes the filter. */
static uint32_t passing_lanes(struct ct_touches *touches, const struct ct_access *access,
			      uint32_t lanes)
{
	const struct ct_engine *engine = touches->engine;
	uint32_t passing = 0;

	if (ct_objects_all_pass(engine->objects))
		return lanes;
	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		uint32_t group = ct_objects_find(
		    engine->objects, access->launch->part, access->address[__builtin_ctz(rest)],
		    access->launch->event_index, &touches->object_hint);

		if (ct_objects_passes(engine->objects, group))
			passing |= rest & -rest;
	}
	return passing;
}

/* Reads count, and writes may be read, only of what passes; all writes overwrite. */
static int add_filtered(struct ct_touches *touches, const struct ct_access *access, uint32_t lanes,
			uint32_t passing)
{
	struct ct_touch *touch = &touches->touch;
	int err = 0;

	if (passing) {
		err = count_volume(touches, access, touch->kind, ct_lanes_bytes(access, passing));
		if (err == 0)
			err = add_touches(touches, access, passing);
	}
	if (err < 0 || lanes == passing || !(touch->kind & CT_TOUCH_WRITE))
		return err;
	touch->kind = CT_TOUCH_WRITE;
	touch->site = CT_NO_SITE;
	return add_touches(touches, access, lanes & ~passing);
}

int ct_touches_add(struct ct_touches *touches, const struct ct_access *access)
{
	const struct ct_engine *engine = touches->engine;
	struct ct_touch *touch = &touches->touch;
	uint32_t lanes = ct_lanes_in(access, CT_SPACE_GLOBAL), passing = 0;
	int err = number_access(touches, access);

	if (err == 0)
		err = find_superstep(touches, access);
	if (err < 0 || !lanes)
		return err;
	if (access->cta >= engine->step[touch->superstep].ctas || access->cta > UINT32_MAX) {
		touches->is_invalid = true;
		return 0;
	}
	touch->cta = (uint32_t)access->cta;
	touch->site = engine->first_site[access->unit - touches->units] + access->site;
	touch->kind = engine->site[touch->site].touch;
	if (touches->all_pass || ct_filter_passes(engine->filter, access))
		passing = passing_lanes(touches, access, lanes);
	return add_filtered(touches, access, lanes, passing);
}

int ct_touches_open(struct ct_touches **out, struct ct_engine *engine, uint32_t writer)
{
	struct ct_touches *touches = calloc(1, sizeof(*touches));

	*out = touches;
	if (!touches)
		return -ENOMEM;
	touches->engine = engine;
	touches->writer = writer;
	touches->chunk = UINT64_MAX;
	touches->all_pass = !ct_filter_launches(engine->filter) &&
			    !ct_filter_sites(engine->filter) && !ct_filter_has_ctas(engine->filter);
	ct_trace_units(engine->trace, &touches->units);
	return ct_repeats_open(&touches->repeats);
}

int ct_touches_finish(struct ct_touches *touches)
{
	struct ct_touch touch;
	int err = put_volume(touches);

	while (err == 0 && ct_repeats_take(touches->repeats, &touch))
		err = put_alone(touches, &touch);
	__atomic_add_fetch(&touches->engine->touch_count, touches->count, __ATOMIC_RELAXED);
	return err;
}

void ct_touches_close(struct ct_touches *touches)
{
	if (touches)
		ct_repeats_close(touches->repeats);
	free(touches);
}

bool ct_touches_are_invalid(const struct ct_touches *touches)
{
	return touches->is_invalid;
}

void ct_touches_note_invalid(struct ct_touches *touches)
{
	touches->is_invalid = true;
}

void ct_touches_join(struct ct_touches *touches, const struct ct_touches *from)
{
	touches->is_invalid |= from->is_invalid;
}

struct box {
	uint64_t address, row, slice;
};

/* Address 0 is an array's, which kernels do not address. */
static int touch_box(struct ct_touches *touches, const struct ct_event_transfer *event,
		     const struct box *box, uint8_t kind)
{
	uint64_t rows = event->height * event->depth;
	int err = 0;

	if (!box->address)
		return 0;
	if (!ct_transfer_is_sound(event)) {
		touches->is_invalid = true;
		return 0;
	}
	touches->touch.site = CT_NO_SITE;
	touches->touch.kind = kind;
	begin_touches(touches);
	for (uint64_t row = 0; row < rows && err == 0; row++)
		err = put_touch(touches,
				(box->address + row / event->height * box->slice +
				 row % event->height * box->row) &
				    CT_ADDRESS_MASK,
				event->width, 1);
	return err;
}

int ct_touches_add_transfers(struct ct_engine *engine)
{
	struct ct_touches touches = {.engine = engine, .unseen = UINT64_MAX};
	int err = ct_trace_transfers_work(engine->trace);

	for (size_t i = 0; i < engine->supersteps && err == 0; i++) {
		const struct ct_transfer_info *transfer = engine->superstep[i].transfer;
		struct box target, source;

		if (!transfer)
			continue;
		target = (struct box){transfer->event->target, transfer->event->target_row,
				      transfer->event->target_slice};
		source = (struct box){transfer->event->source, transfer->event->source_row,
				      transfer->event->source_slice};
		touches.touch.superstep = (uint32_t)i;
		touches.touch.order = 0;
		if (transfer->event->kind == CT_TRANSFER_COPY)
			err = touch_box(&touches, transfer->event, &source, CT_TOUCH_READ);
		touches.touch.order = 1;
		if (err == 0)
			err = touch_box(&touches, transfer->event, &target, CT_TOUCH_WRITE);
	}
	engine->has_invalid_transfers = touches.is_invalid;
	engine->touch_count += touches.count;
	return err;
}
