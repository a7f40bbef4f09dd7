/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates: reads of what is not written, until somebody turns up who may have written it. */
#include "postproc/analysis/check/unwritten.h"
#include "postproc/analysis/check/bits.h"
#include "postproc/analysis/check/memory.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/locate.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/unseen.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES_MAX ((size_t)1 << 20)
#define CHAIN_MAX 16u /* candidates of the same bytes */

struct candidate {
	const struct ct_launch_info *launch;
	const struct ct_unit *unit;
	uint64_t cta, address;
	uint64_t count; /* reads by the warp at the site */
	uint32_t object, site, warp, step;
	uint32_t before; /* the one before it of the same bytes, from 1; 0: none */
	uint8_t lane, bytes;
	bool is_gone;
	bool is_ahead;  /* its record may stand before that of a store of its own warp */
	bool is_atomic; /* atomics of others do not make it a read of what is written */
};

/* The last candidate by byte of a page, from 1. */
struct page {
	uint32_t candidate[CT_CHECK_PAGE_BYTES];
};

struct ct_check_unwritten {
	const struct ct_trace *trace;
	const struct ct_object_info *object;
	size_t objects;
	uint64_t *bytes; /* by object, 0: not looked at */
	struct ct_check_causes *causes;
	struct ct_check_steps *steps;
	struct ct_check_owners *owners;
	struct ct_check_bits *bits;
	struct ct_locator locator;
	struct ct_map pages; /* key: object, number of the page */
	struct candidate *candidate;
	size_t candidates, room;
	const struct ct_launch_info *launch; /* of the last access, */
	uint32_t step;
	bool is_known;
};

/* Who writes: a warp of a launch, or a transfer. */
struct writer {
	uint32_t step;
	const struct ct_access *access; /* NULL: a transfer */
	bool is_atomic;
};

/* Bytes of those objects that the host and others cannot write unseen. */
static int find_objects(struct ct_check_unwritten *unwritten, uint64_t unseen_parts)
{
	unwritten->objects = ct_trace_objects(unwritten->trace, &unwritten->object);
	unwritten->bytes = calloc(unwritten->objects + 1, sizeof(*unwritten->bytes));
	for (size_t i = 0; unwritten->bytes && i < unwritten->objects; i++)
		if (unwritten->object[i].event->kind == CT_OBJECT_DEVICE &&
		    !ct_unseen_is(unseen_parts, unwritten->object[i].part))
			unwritten->bytes[i] = unwritten->object[i].event->bytes;
	return unwritten->bytes ? 0 : -ENOMEM;
}

int ct_check_unwritten_open(struct ct_check_unwritten **out, struct ct_trace *trace,
			    struct ct_check_owners *owners, struct ct_check_causes *causes,
			    uint64_t unseen_parts, uint64_t limit_bytes)
{
	struct ct_check_unwritten *unwritten = calloc(1, sizeof(*unwritten));
	int err;

	*out = unwritten;
	if (!unwritten)
		return -ENOMEM;
	unwritten->trace = unwritten->locator.trace = trace;
	unwritten->owners = owners;
	unwritten->causes = causes;
	err = find_objects(unwritten, unseen_parts);
	if (err == 0)
		err = ct_check_steps_open(&unwritten->steps, trace);
	if (err == 0)
		err = ct_check_bits_open(&unwritten->bits, unwritten->bytes, unwritten->objects,
					 limit_bytes);
	unwritten->is_known = err == 0 && ct_check_steps_are_known(unwritten->steps);
	return err;
}

void ct_check_unwritten_close(struct ct_check_unwritten *unwritten)
{
	struct ct_map_entry *entry = NULL;

	if (!unwritten)
		return;
	while ((entry = ct_map_next(&unwritten->pages, entry)))
		free(entry->value.pointer);
	ct_map_fini(&unwritten->pages);
	ct_check_bits_close(unwritten->bits);
	ct_check_steps_close(unwritten->steps);
	free(unwritten->candidate);
	free(unwritten->bytes);
	free(unwritten);
}

const struct ct_check_steps *ct_check_unwritten_steps(const struct ct_check_unwritten *unwritten)
{
	return unwritten->steps;
}

bool ct_check_unwritten_is_known(const struct ct_check_unwritten *unwritten)
{
	return unwritten->is_known;
}

/* The limit of memory ends the search, not the pass. */
static int take(struct ct_check_unwritten *unwritten, int err)
{
	if (err != -EDQUOT)
		return err;
	unwritten->is_known = false;
	return 0;
}

/* Whether the writer may have come before the read. */
static bool may_precede(const struct ct_check_unwritten *unwritten,
			const struct candidate *candidate, const struct writer *writer)
{
	if (writer->step != candidate->step)
		return !ct_check_steps_before(unwritten->steps, candidate->step, writer->step);
	if (writer->access->cta == candidate->cta && writer->access->warp == candidate->warp)
		return candidate->is_ahead;
	return !(candidate->is_atomic && writer->is_atomic);
}

static void drop_candidates(struct ct_check_unwritten *unwritten, size_t object, uint64_t offset,
			    uint64_t bytes, const struct writer *writer)
{
	const union ct_map_value *found = NULL;
	uint64_t last = UINT64_MAX;

	for (; bytes && unwritten->candidates; offset++, bytes--) {
		uint64_t number = offset / CT_CHECK_PAGE_BYTES;
		uint32_t at;

		if (number != last)
			found = ct_map_find(&unwritten->pages, object, number);
		last = number;
		if (!found) {
			uint64_t left = CT_CHECK_PAGE_BYTES - offset % CT_CHECK_PAGE_BYTES - 1;

			offset += left < bytes - 1 ? left : bytes - 1;
			bytes -= left < bytes - 1 ? left : bytes - 1;
			continue;
		}
		at = ((const struct page *)found->pointer)->candidate[offset % CT_CHECK_PAGE_BYTES];
		for (; at; at = unwritten->candidate[at - 1].before)
			if (may_precede(unwritten, &unwritten->candidate[at - 1], writer))
				unwritten->candidate[at - 1].is_gone = true;
	}
}

static int write_bytes(struct ct_check_unwritten *unwritten, size_t object, uint64_t offset,
		       uint64_t bytes, const struct writer *writer)
{
	if (!unwritten->bytes[object])
		return 0;
	drop_candidates(unwritten, object, offset, bytes, writer);
	return take(unwritten, ct_check_bits_set(unwritten->bits, object, offset, bytes, true));
}

static int note_bytes(struct ct_check_unwritten *unwritten, const struct candidate *candidate,
		      uint64_t offset)
{
	for (uint32_t i = 0; i < candidate->bytes; i++) {
		union ct_map_value *page = ct_map_put(&unwritten->pages, candidate->object,
						      (offset + i) / CT_CHECK_PAGE_BYTES);
		struct page *own;

		if (!page)
			return -ENOMEM;
		if (!page->pointer)
			page->pointer = calloc(1, sizeof(struct page));
		own = page->pointer;
		if (!own)
			return -ENOMEM;
		own->candidate[(offset + i) % CT_CHECK_PAGE_BYTES] =
		    (uint32_t)unwritten->candidates;
	}
	return 0;
}

/* The last candidate of a byte, from 1; 0: none. */
static uint32_t last_of(const struct ct_check_unwritten *unwritten, size_t object, uint64_t offset)
{
	const union ct_map_value *page =
	    ct_map_find(&unwritten->pages, object, offset / CT_CHECK_PAGE_BYTES);

	return page ? ((const struct page *)page->pointer)->candidate[offset % CT_CHECK_PAGE_BYTES]
		    : 0;
}

/* Counts the candidate with one like it, or leaves it out, as where others have some of its bytes
 * alone: false. Else it comes behind those of its bytes. */
static bool is_new(struct ct_check_unwritten *unwritten, struct candidate *candidate,
		   uint64_t offset)
{
	uint32_t last = last_of(unwritten, candidate->object, offset), length = 0;

	for (uint32_t i = 1; i < candidate->bytes; i++)
		if (last_of(unwritten, candidate->object, offset + i) != last)
			return false;
	for (uint32_t at = last; at; at = unwritten->candidate[at - 1].before) {
		struct candidate *known = &unwritten->candidate[at - 1];

		if (known->address != candidate->address || known->bytes != candidate->bytes ||
		    ++length == CHAIN_MAX)
			return false;
		if (known->unit != candidate->unit || known->site != candidate->site ||
		    known->step != candidate->step || known->cta != candidate->cta ||
		    known->warp != candidate->warp || known->is_ahead != candidate->is_ahead)
			continue;
		known->count++;
		return false;
	}
	candidate->before = last;
	return true;
}

/* Keeps what a lane reads, none of which is written. */
static int add_candidate(struct ct_check_unwritten *unwritten, const struct ct_access *access,
			 uint32_t lane, size_t object, bool is_atomic)
{
	const struct ct_object_info *info = &unwritten->object[object];
	struct candidate candidate = {
	    .launch = access->launch,
	    .unit = access->unit,
	    .cta = access->cta,
	    .address = access->address[lane],
	    .object = (uint32_t)object,
	    .site = access->site,
	    .warp = access->warp,
	    .step = unwritten->step,
	    .count = 1,
	    .lane = (uint8_t)lane,
	    .bytes = (uint8_t)ct_lane_bytes(access, lane),
	    .is_ahead = access->is_ahead,
	    .is_atomic = is_atomic,
	};
	int err;

	if (unwritten->candidates >= CANDIDATES_MAX ||
	    !ct_check_steps_can_tell(unwritten->steps, access->launch, info->allocated_at) ||
	    !is_new(unwritten, &candidate, access->address[lane] - info->event->address))
		return 0;
	err = ct_array_reserve(&unwritten->candidate, &unwritten->room, unwritten->candidates + 1,
			       sizeof(candidate));
	if (err < 0)
		return err;
	unwritten->candidate[unwritten->candidates++] = candidate;
	return note_bytes(unwritten, &candidate, access->address[lane] - info->event->address);
}

/* Copies read and write, and what they read is not used. */
static bool is_read(uint32_t operation)
{
	return operation == CT_OP_LOAD ||
	       (ct_operation_class(operation) == CT_CLASS_ATOMIC &&
		operation != CT_OP_ATOMIC_EXCH && operation != CT_OP_COPY_BULK_REDUCE);
}

static int add_lane(struct ct_check_unwritten *unwritten, const struct ct_access *access,
		    uint32_t lane)
{
	uint32_t operation = access->info->operation;
	uint64_t address = access->address[lane], bytes = ct_lane_bytes(access, lane), offset;
	const struct ct_object_info *info = ct_locate(&unwritten->locator, access->launch, address);
	bool is_atomic =
	    ct_operation_class(operation) == CT_CLASS_ATOMIC && operation != CT_OP_ATOMIC_EXCH;
	size_t object = info ? (size_t)(info - unwritten->object) : 0;
	int err = 0;

	if (!info || !unwritten->bytes[object])
		return 0;
	offset = address - info->event->address;
	if (is_read(operation) && bytes <= CT_VALUE_BYTES_MAX &&
	    ct_check_bits_are_clear(unwritten->bits, object, offset, bytes))
		err = add_candidate(unwritten, access, lane, object, is_atomic);
	if (err == 0 && ct_operation_class(operation) != CT_CLASS_LOAD)
		err = write_bytes(unwritten, object, offset, bytes,
				  &(struct writer){unwritten->step, access, is_atomic});
	return err;
}

/* The object that holds an address when a transfer is asked for; SIZE_MAX: none. */
static size_t object_at(const struct ct_check_unwritten *unwritten, uint32_t part, uint64_t address,
			uint64_t index)
{
	const struct ct_object_info *object =
	    ct_check_object_at(unwritten->owners, part, address, index);

	return ct_check_lives(object, index) ? (size_t)(object - unwritten->object) : SIZE_MAX;
}

/* A row from offset `from` of its source's first byte to offset `to` of its target's. */
static int copy_row(struct ct_check_unwritten *unwritten, size_t target, uint64_t to, size_t source,
		    uint64_t from, uint64_t width, uint32_t step)
{
	const struct writer writer = {.step = step};

	if (source == SIZE_MAX || !unwritten->bytes[source])
		return write_bytes(unwritten, target, to, width, &writer);
	drop_candidates(unwritten, target, to, width, &writer);
	return take(unwritten,
		    ct_check_bits_copy(unwritten->bits, target, to, source, from, width));
}

static int add_transfer(void *user, const struct ct_transfer_info *transfer, uint32_t step)
{
	struct ct_check_unwritten *unwritten = user;
	const struct ct_event_transfer *event = transfer->event;
	size_t target = object_at(unwritten, transfer->part, event->target, transfer->event_index);
	size_t source =
	    event->kind == CT_TRANSFER_COPY
		? object_at(unwritten, transfer->part, event->source, transfer->event_index)
		: SIZE_MAX;
	uint64_t to, from;
	int err = 0;

	if (target == SIZE_MAX || !unwritten->bytes[target])
		return 0;
	to = event->target - unwritten->object[target].event->address;
	from = source == SIZE_MAX ? 0 : event->source - unwritten->object[source].event->address;
	for (uint64_t z = 0; z < event->depth && err == 0; z++)
		for (uint64_t y = 0; y < event->height && err == 0; y++)
			err = copy_row(unwritten, target,
				       to + z * event->target_slice + y * event->target_row, source,
				       from + z * event->source_slice + y * event->source_row,
				       event->width, step);
	return err;
}

int ct_check_unwritten_add(struct ct_check_unwritten *unwritten, const struct ct_access *access)
{
	uint32_t lanes;
	int err = 0;

	if (!unwritten->is_known)
		return 0;
	if (unwritten->launch != access->launch) {
		unwritten->launch = access->launch;
		unwritten->step = ct_check_steps_of(unwritten->steps, access->launch);
		err =
		    ct_check_steps_until(unwritten->steps, access->launch, add_transfer, unwritten);
	}
	lanes = ct_lanes_in(access, CT_SPACE_GLOBAL);
	for (; lanes && err == 0; lanes &= lanes - 1)
		err = add_lane(unwritten, access, (uint32_t)__builtin_ctz(lanes));
	return err;
}

int ct_check_unwritten_end(struct ct_check_unwritten *unwritten)
{
	int err = unwritten->is_known
		      ? ct_check_steps_until(unwritten->steps, NULL, add_transfer, unwritten)
		      : 0;

	for (size_t i = 0; i < unwritten->candidates && err == 0 && unwritten->is_known; i++) {
		const struct candidate *candidate = &unwritten->candidate[i];
		const struct ct_check_cause cause = {.kind = CT_CHECK_UNINITIALIZED_READ,
						     .unit = candidate->unit,
						     .site = candidate->site,
						     .launch = candidate->launch,
						     .cta = candidate->cta,
						     .warp = candidate->warp,
						     .lane = candidate->lane,
						     .address = candidate->address,
						     .bytes = candidate->bytes,
						     .object =
							 &unwritten->object[candidate->object],
						     .count = candidate->count};

		if (!candidate->is_gone)
			err = ct_check_causes_add(unwritten->causes, &cause);
	}
	return err;
}
