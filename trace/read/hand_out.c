/* SPDX-License-Identifier: Apache-2.0 */
/* Hand out a record: whole, or by the call paths of its lanes. */
#include "trace/read/hand_out.h"

#include <string.h>

/* Fill in the path of the lowest lane of lanes; returns those that share it. */
static uint32_t take_group(struct ct_records *records, struct ct_access *access, uint32_t lanes)
{
	access->path = NULL;
	access->depth = 0;
	access->by_path = 1;
	if (!records->paths)
		return lanes;
	return ct_paths_group(records->paths, lanes, &access->path, &access->depth);
}

/* How often, and by which lanes each time, a record is handed out: whole, by path, or both.
 *
 *	for (uint32_t rest = begin_lanes(records, access, lanes); rest && !records->stop;
 *	     rest = next_lanes(records, access, lanes, rest))
 *
 * access->mask: those of this time. rest: of the lanes, those that are not done, or all. */
static uint32_t begin_lanes(struct ct_records *records, struct ct_access *access, uint32_t lanes)
{
	if (records->request->paths == CT_SCAN_BY_PATH) {
		access->mask = take_group(records, access, lanes);
		return lanes;
	}
	access->path = NULL;
	access->depth = 0;
	access->by_path = 0;
	access->mask = lanes;
	return lanes;
}

static uint32_t next_lanes(struct ct_records *records, struct ct_access *access, uint32_t lanes,
			   uint32_t rest)
{
	if (access->by_path)
		rest &= ~access->mask;
	else
		rest = records->request->paths == CT_SCAN_BOTH_WAYS ? lanes : 0;
	if (rest)
		access->mask = take_group(records, access, rest);
	return rest;
}

static void emit_value(struct ct_records *records, const struct ct_access *access,
		       const struct ct_decoded_value *value)
{
	struct ct_access at;
	struct ct_value out;

	if (!(access->mask & value->mask) || records->stop)
		return;
	out.at = access;
	out.part = value->part;
	out.bytes = value->bytes;
	out.offset = value->offset;
	if (access->mask & ~value->mask) {
		at = *access;
		at.mask &= value->mask;
		out.at = &at;
	}
	memcpy(out.data, value->data, sizeof(out.data));
	records->stop = records->request->value(records->request->user, &out);
}

void ct_hand_out_access(struct ct_records *records, struct ct_access *access,
			const struct ct_decoded_value *values, uint32_t count)
{
	uint32_t lanes = access->mask;

	for (uint32_t rest = begin_lanes(records, access, lanes); rest && !records->stop;
	     rest = next_lanes(records, access, lanes, rest)) {
		records->stop = records->request->access(records->request->user, access);
		for (uint32_t i = 0; i < count; i++)
			if (values[i].mask)
				emit_value(records, access, &values[i]);
	}
}

void ct_hand_out_value(struct ct_records *records, struct ct_access *access,
		       const struct ct_decoded_value *value)
{
	for (uint32_t rest = begin_lanes(records, access, value->mask); rest && !records->stop;
	     rest = next_lanes(records, access, value->mask, rest))
		emit_value(records, access, value);
}

void ct_hand_out_event(struct ct_records *records, uint32_t phase, uint32_t mask)
{
	struct ct_access *access = &records->access;
	const struct ct_event event = {.at = access, .phase = phase};

	access->number = records->number++;
	access->range = NULL;
	access->is_linear = 0;
	for (uint32_t rest = begin_lanes(records, access, mask); rest && !records->stop;
	     rest = next_lanes(records, access, mask, rest))
		records->stop = records->request->event(records->request->user, &event);
}
