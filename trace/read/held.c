/* SPDX-License-Identifier: Apache-2.0 */
/* Bring accesses and their values together. */
#include "trace/read/held.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024u
#define PARKED_MAX 4096u /* 28 MB; one per warp in flight */
#define PARTS_PER_ROLE 4u

struct ct_parking {
	struct ct_held *buckets[BUCKETS];
	size_t used;
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
	uint32_t parts = (site->bytes + CT_VALUE_BYTES_MAX - 1) / CT_VALUE_BYTES_MAX;
	uint32_t role = (1u << (parts < PARTS_PER_ROLE ? parts : PARTS_PER_ROLE)) - 1;
	uint32_t expected = role << CT_PART_VALUE;

	if (site->operation == OPERATION_ATOMIC_CAS)
		expected |= role << CT_PART_COMPARE;
	if (is_atomic(site->operation))
		expected |= role << CT_PART_RETURNED;
	return expected;
}

void ct_held_begin(struct ct_held *held, const struct ct_access *access)
{
	held->access = *access;
	if (access->range) {
		memcpy(held->range, access->range, sizeof(held->range));
		held->access.range = held->range;
	}
	held->expected = expected_parts(access->info);
	for (uint32_t part = 0; part < CT_VALUE_PARTS; part++)
		held->values[part].mask = 0;
}

bool ct_held_add(struct ct_held *held, const struct ct_unit *unit, uint32_t site,
		 const struct ct_decoded_value *value)
{
	struct ct_decoded_value *place = &held->values[value->part];

	if (held->access.unit != unit || held->access.site != site ||
	    (value->mask & ~held->access.mask) || (value->mask & place->mask) ||
	    (place->mask && place->bytes != value->bytes))
		return false;
	for (uint32_t rest = value->mask; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		memcpy(place->data[lane], value->data[lane], CT_VALUE_BYTES_MAX);
	}
	place->part = value->part;
	place->bytes = value->bytes;
	place->mask |= value->mask;
	return true;
}

bool ct_held_is_complete(const struct ct_held *held)
{
	for (uint32_t part = 0; part < CT_VALUE_PARTS; part++)
		if ((held->expected >> part & 1) && held->values[part].mask != held->access.mask)
			return false;
	return true;
}

int ct_parking_open(struct ct_parking **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : -ENOMEM;
}

void ct_parking_close(struct ct_parking *parking)
{
	struct ct_held dropped;

	while (parking && ct_parking_take_any(parking, &dropped))
		;
	free(parking);
}

static struct ct_held **bucket_of(struct ct_parking *parking, const struct ct_launch_info *launch,
				  uint64_t cta, uint32_t warp)
{
	uint64_t hash = ((uint64_t)(uintptr_t)launch ^ (cta * 32 + warp)) * 0x9e3779b97f4a7c15u;

	return &parking->buckets[(hash >> 32) % BUCKETS];
}

/* Copies only the values that are there. */
static void move(struct ct_held *to, struct ct_held *from)
{
	ct_held_begin(to, &from->access);
	for (uint32_t part = 0; part < CT_VALUE_PARTS; part++)
		if (from->values[part].mask)
			to->values[part] = from->values[part];
	from->access.mask = 0;
}

int ct_parking_put(struct ct_parking *parking, struct ct_held *held)
{
	const struct ct_access *access = &held->access;
	struct ct_held **bucket = bucket_of(parking, access->launch, access->cta, access->warp);
	struct ct_held *parked = malloc(sizeof(*parked));

	if (!parked)
		return -ENOMEM;
	move(parked, held);
	parked->next = *bucket;
	*bucket = parked;
	parking->used++;
	return 0;
}

static void take(struct ct_parking *parking, struct ct_held **link, struct ct_held *held)
{
	struct ct_held *parked = *link;

	*link = parked->next;
	parking->used--;
	move(held, parked);
	free(parked);
}

void ct_parking_take(struct ct_parking *parking, const struct ct_launch_info *launch, uint64_t cta,
		     uint32_t warp, struct ct_held *held)
{
	struct ct_held **link;

	if (!parking->used)
		return;
	for (link = bucket_of(parking, launch, cta, warp); *link; link = &(*link)->next) {
		const struct ct_access *access = &(*link)->access;

		if (access->launch != launch || access->cta != cta || access->warp != warp)
			continue;
		take(parking, link, held);
		return;
	}
}

bool ct_parking_take_any(struct ct_parking *parking, struct ct_held *held)
{
	for (size_t i = 0; parking->used && i < BUCKETS; i++) {
		if (!parking->buckets[i])
			continue;
		take(parking, &parking->buckets[i], held);
		return true;
	}
	return false;
}

bool ct_parking_is_full(const struct ct_parking *parking)
{
	return parking->used >= PARKED_MAX;
}
