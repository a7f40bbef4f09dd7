/* SPDX-License-Identifier: Apache-2.0 */
/* Bring accesses and their values together. */
#include "trace/read/held.h"
#include "base/map.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define PARKED_MAX 64u /* warps of a class: for all in flight */
#define PARTS_PER_ROLE 4u
#define PIECES_MAX 8192u /* of a range that are kept: 8 MiB of memory */

/* By warp: a list of what is parked for it. */
struct ct_parking {
	struct ct_map warps;
};

enum {
#define CT_OPERATION(id, name, text, class, memtrace) OPERATION_##name = id,
#include <cudatrace/operations.def>
#undef CT_OPERATION
};

static bool is_atomic(uint32_t operation)
{
	enum { LOAD, STORE, ATOMIC, EVENT };

	switch (operation) {
#define CT_OPERATION(id, name, text, class, memtrace)                                              \
	case id:                                                                                   \
		return class == ATOMIC;
#include <cudatrace/operations.def>
#undef CT_OPERATION
	default:
		return false;
	}
}

/* Every part that a value of the site's size has, in each of its roles. */
static uint32_t expected_parts(const struct ct_unit_site *site)
{
	enum { NEVER_COMPLETE = ~0u };
	uint32_t parts = (site->bytes + CT_VALUE_BYTES_MAX - 1) / CT_VALUE_BYTES_MAX;
	uint32_t role = (1u << (parts < PARTS_PER_ROLE ? parts : PARTS_PER_ROLE)) - 1;
	uint32_t expected = role << CT_PART_VALUE;

	if (site->flags & CT_SITE_RANGE)
		return NEVER_COMPLETE;
	if (site->operation == OPERATION_ATOMIC_CAS)
		expected |= role << CT_PART_COMPARE;
	if (is_atomic(site->operation))
		expected |= role << CT_PART_RETURNED;
	return expected;
}

static void hold(struct ct_held *held, const struct ct_access *access)
{
	held->access = *access;
	if (access->range) {
		memcpy(held->range, access->range, sizeof(held->range));
		held->access.range = held->range;
	}
	held->is_reported = false;
	held->content = NULL;
	held->expected = expected_parts(access->info);
	for (uint32_t part = 0; part < CT_VALUE_PARTS; part++)
		held->values[part].mask = 0;
}

void ct_held_row_append(struct ct_held_row *row, const struct ct_access *access)
{
	hold(&row->at[row->end++], access);
}

bool ct_held_row_is_beside(const struct ct_held_row *row, uint32_t mask)
{
	for (uint32_t i = row->begin; i < row->end; i++)
		if (row->at[i].access.mask & mask)
			return false;
	return true;
}

struct ct_held *ct_held_row_find(struct ct_held_row *row, const struct ct_unit *unit, uint32_t site,
				 uint32_t mask)
{
	for (uint32_t i = row->end; i-- > row->begin;) {
		const struct ct_access *access = &row->at[i].access;

		if (access->site == site && access->unit == unit && !(mask & ~access->mask))
			return &row->at[i];
	}
	return NULL;
}

bool ct_held_add(struct ct_held *held, const struct ct_decoded_value *value)
{
	struct ct_decoded_value *place = &held->values[value->part];

	if ((value->mask & ~held->access.mask) || (value->mask & place->mask) ||
	    (place->mask && place->bytes != value->bytes))
		return false;
	if (value->mask == CT_FULL_MASK)
		memcpy(place->data, value->data, sizeof(place->data));
	for (uint32_t rest = value->mask == CT_FULL_MASK ? 0 : value->mask; rest;
	     rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		memcpy(place->data[lane], value->data[lane], CT_VALUE_BYTES_MAX);
	}
	place->part = value->part;
	place->bytes = value->bytes;
	place->mask |= value->mask;
	return true;
}

bool ct_held_keep(struct ct_held *held, const struct ct_decoded_value *piece)
{
	struct ct_held_content *content = held->content;
	uint32_t room = content ? content->room : 0;

	if (content && content->count == PIECES_MAX)
		return false;
	if (!content || content->count == room) {
		room = room ? 2 * room : 8;
		content = realloc(content, sizeof(*content) + room * sizeof(*content->piece));
		if (!content)
			return false;
		if (!held->content)
			content->count = 0;
		content->room = room;
		held->content = content;
	}
	content->piece[content->count++] = *piece;
	return true;
}

void ct_held_drop_content(struct ct_held *held)
{
	free(held->content);
	held->content = NULL;
}

bool ct_held_waits_for(const struct ct_held *held, const struct ct_decoded_value *value)
{
	uint32_t others = 0;

	if (held->access.mask != value->mask || held->expected != 1u << value->part)
		return false;
	for (uint32_t part = 0; part < CT_VALUE_PARTS; part++)
		others |= held->values[part].mask;
	return !others;
}

bool ct_held_is_complete(const struct ct_held *held)
{
	for (uint32_t part = 0; part < CT_VALUE_PARTS; part++)
		if ((held->expected >> part & 1) && held->values[part].mask != held->access.mask)
			return false;
	return true;
}

/* The records of a warp that are held back: each access without its values, and then those that
 * are there. */
struct parked {
	uint32_t accesses;
	unsigned char bytes[];
};

#define BARE_BYTES offsetof(struct ct_held, values)

/* The next of a warp's accesses, at `from`, without its values. */
static size_t read_bare(struct ct_held *held, const unsigned char *from, uint32_t *there)
{
	memcpy(held, from, BARE_BYTES);
	*there = held->expected; /* that are there, of the values; what is expected the site says */
	return BARE_BYTES + (size_t)__builtin_popcount(*there) * sizeof(struct ct_decoded_value);
}

/* NULL is allowed. */
static void free_parked(struct parked *parked)
{
	const unsigned char *from = parked ? parked->bytes : NULL;
	struct ct_held held;
	uint32_t there;

	for (uint32_t i = 0; parked && i < parked->accesses; i++) {
		from += read_bare(&held, from, &there);
		ct_held_drop_content(&held);
	}
	free(parked);
}

int ct_parking_open(struct ct_parking **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : -ENOMEM;
}

void ct_parking_close(struct ct_parking *parking)
{
	struct ct_map_entry *at = NULL;

	if (!parking)
		return;
	while ((at = ct_map_next(&parking->warps, at)))
		free_parked(at->value.pointer);
	ct_map_fini(&parking->warps);
	free(parking);
}

/* First word of a warp's key; the second is CT_SEGMENT_WORD1. */
static uint64_t key_of(const struct ct_launch_info *launch)
{
	return (uint64_t)launch->part << 32 | launch->event->launch;
}

static size_t parked_bytes(const struct ct_held_row *row)
{
	size_t bytes = sizeof(struct parked);

	for (uint32_t i = row->begin; i < row->end; i++) {
		bytes += BARE_BYTES;
		for (uint32_t part = 0; part < CT_VALUE_PARTS; part++)
			if (row->at[i].values[part].mask)
				bytes += sizeof(struct ct_decoded_value);
	}
	return bytes;
}

/* Leaves row empty. */
static void pack(struct parked *parked, struct ct_held_row *row)
{
	unsigned char *to = parked->bytes;

	parked->accesses = row->end - row->begin;
	for (uint32_t i = row->begin; i < row->end; i++) {
		const struct ct_held *held = &row->at[i];
		uint32_t there = 0;

		for (uint32_t part = 0; part < CT_VALUE_PARTS; part++)
			there |= (uint32_t)(held->values[part].mask != 0) << part;
		memcpy(to, held, BARE_BYTES);
		/* The expectation is known again from the site. */
		memcpy(to + offsetof(struct ct_held, expected), &there, sizeof(there));
		to += BARE_BYTES;
		for (; there; there &= there - 1, to += sizeof(struct ct_decoded_value))
			memcpy(to, &held->values[__builtin_ctz(there)],
			       sizeof(struct ct_decoded_value));
	}
	row->begin = row->end = 0;
}

/* Row is empty. Frees parked. */
static void unpack(struct ct_held_row *row, struct parked *parked)
{
	const unsigned char *from = parked->bytes;

	row->begin = row->end = 0;
	for (uint32_t i = 0; i < parked->accesses; i++) {
		struct ct_held *held = &row->at[row->end++];
		uint32_t there;

		read_bare(held, from, &there);
		from += BARE_BYTES;
		held->expected = expected_parts(held->access.info);
		if (held->access.range)
			held->access.range = held->range;
		for (uint32_t part = 0; part < CT_VALUE_PARTS; part++)
			held->values[part].mask = 0;
		for (; there; there &= there - 1, from += sizeof(struct ct_decoded_value))
			memcpy(&held->values[__builtin_ctz(there)], from,
			       sizeof(struct ct_decoded_value));
	}
	free(parked);
}

int ct_parking_put(struct ct_parking *parking, struct ct_held_row *row)
{
	const struct ct_access *access = &row->at[row->begin].access;
	struct parked *parked = malloc(parked_bytes(row));
	union ct_map_value *place;

	if (!parked)
		return -ENOMEM;
	place = ct_map_put(&parking->warps, key_of(access->launch),
			   CT_SEGMENT_WORD1(access->warp, access->cta));
	if (!place) {
		free(parked);
		return -ENOMEM;
	}
	free_parked(place->pointer);
	place->pointer = parked;
	pack(parked, row);
	return 0;
}

void ct_parking_take(struct ct_parking *parking, const struct ct_launch_info *launch, uint64_t cta,
		     uint32_t warp, struct ct_held_row *row)
{
	uint64_t key0 = key_of(launch), key1 = CT_SEGMENT_WORD1(warp, cta);
	union ct_map_value *place = ct_map_find(&parking->warps, key0, key1);
	struct parked *parked;

	if (!place)
		return;
	parked = place->pointer;
	ct_map_remove(&parking->warps, key0, key1);
	unpack(row, parked);
}

void ct_parking_empty(struct ct_parking *parking, struct ct_held_row *row,
		      void (*moved)(void *user), void *user)
{
	struct ct_map_entry *at = NULL;

	while ((at = ct_map_next(&parking->warps, at))) {
		unpack(row, at->value.pointer);
		moved(user);
	}
	ct_map_clear(&parking->warps);
}

bool ct_parking_is_full(const struct ct_parking *parking)
{
	return parking->warps.count >= PARKED_MAX;
}
