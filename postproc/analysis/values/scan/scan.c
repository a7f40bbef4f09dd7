/* SPDX-License-Identifier: Apache-2.0 */
/* From records and their values to pieces: lanes of one page and object, with their values. */
#include "postproc/analysis/values/scan/scan.h"
#include "postproc/analysis/values/scan/atomic.h"
#include "postproc/analysis/values/scan/put.h"
#include "postproc/facts/range_bytes.h"
#include "postproc/facts/values.h"
#include "trace/read/work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ct_value_scan {
	struct ct_value_put put;
	const struct ct_unit *units;
	bool is_held; /* the access waits for its values; those that came in parts are here */
	struct ct_access access;
	uint64_t range[CT_WARP_LANES]; /* that of the access, which the reader does not keep */
	struct ct_values values;
	struct ct_range_bytes content; /* of its ranges */
};

/* A float, cut to the bits that are looked at. */
static uint64_t value_mask(const struct ct_value_scan *scan, const struct ct_value_site *site)
{
	return ct_values_precision_mask(site->type, scan->put.engine->precision);
}

/* The lanes' values of one size. */
#define READ_VALUES(type)                                                                          \
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {                                    \
		type own;                                                                          \
                                                                                                   \
		memcpy(&own, data + lane * pitch, sizeof(own));                                    \
		value[lane] = own & mask;                                                          \
	}

static void read_values_of(uint64_t value[CT_WARP_LANES], const uint8_t *data, size_t pitch,
			   size_t bytes, uint64_t mask)
{
	switch (bytes) {
	case 1:
		READ_VALUES(uint8_t)
		break;
	case 2:
		READ_VALUES(uint16_t)
		break;
	case 4:
		READ_VALUES(uint32_t)
		break;
	default:
		READ_VALUES(uint64_t)
	}
}

static uint32_t number_of(const struct ct_value_scan *scan)
{
	const struct ct_access *access = &scan->access;

	return scan->put.engine->first_site[access->unit - scan->units] + access->site;
}

/* data: of lane l at data + l * pitch, inactive ones' may be anything; NULL: not known. */
static int put_access(struct ct_value_scan *scan, enum ct_value_operation operation,
		      uint32_t number, uint32_t lanes, const uint8_t *data, size_t pitch)
{
	const struct ct_access *access = &scan->access;
	const struct ct_value_engine *engine = scan->put.engine;
	const struct ct_value_site *site = &engine->site[number_of(scan)];
	uint64_t address[CT_WARP_LANES], value[CT_WARP_LANES];
	struct ct_value_element element = {.site = site,
					   .number = number,
					   .operation = operation,
					   .is_linear = access->is_linear != 0,
					   .stride = access->stride,
					   .address = access->address,
					   .value = value};
	int err = 0;

	for (uint32_t e = 0; e < site->elements && err == 0; e++) {
		size_t at = (size_t)e * site->element_bytes;

		for (uint32_t lane = 0; lane < CT_WARP_LANES && e; lane++)
			address[lane] = access->address[lane] + at;
		element.address = e ? address : access->address;
		if (data)
			read_values_of(value, data + at, pitch, site->element_bytes,
				       value_mask(scan, site));
		err = ct_value_put_element(&scan->put, &element, lanes);
	}
	return err;
}

static uint32_t passing_of(struct ct_value_scan *scan, uint32_t lanes)
{
	const struct ct_filter *filter = scan->put.engine->filter;

	return filter && lanes ? lanes & ct_filter_lanes(filter, &scan->access, &scan->put.locator)
			       : lanes;
}

/* Lanes that do not pass the filter change memory, too, but nothing counts for them. */
static int put_filtered(struct ct_value_scan *scan, enum ct_value_operation operation,
			uint32_t lanes, const uint8_t *data, size_t pitch)
{
	uint32_t passing = passing_of(scan, lanes);
	int err = passing ? put_access(scan, operation, number_of(scan), passing, data, pitch) : 0;

	if (err == 0 && lanes & ~passing)
		err = put_access(scan, operation, CT_NONE, lanes & ~passing, data, pitch);
	return err;
}

/* Returns the bytes of the lane's range, in whole elements. */
static uint64_t reported_bytes(const struct ct_value_scan *scan, uint32_t lane)
{
	uint64_t count = scan->content.count[lane];

	return count - count % scan->put.engine->site[number_of(scan)].element_bytes;
}

/* How many elements of the lane's range begin in the sector of the one that is so far in. */
static uint32_t sharing_of(const struct ct_value_scan *scan, uint32_t lane, uint64_t at)
{
	const struct ct_value_site *site = &scan->put.engine->site[number_of(scan)];
	uint64_t in = (scan->access.address[lane] + at) % CT_VALUE_SECTOR_BYTES;
	uint64_t before = in < at ? in / site->element_bytes : at / site->element_bytes;
	uint64_t behind = (CT_VALUE_SECTOR_BYTES - 1 - in) / site->element_bytes;
	uint64_t left = (reported_bytes(scan, lane) - at) / site->element_bytes - 1;
	uint64_t sharing = before + 1 + (behind < left ? behind : left);

	if (sharing == site->elements)
		return 0;
	return (uint32_t)(sharing < CT_VALUE_SHARING_MAX ? sharing : CT_VALUE_SHARING_MAX);
}

/* Lanes by lanes that have the same share of a sector. */
static int put_shares(struct ct_value_scan *scan, struct ct_value_element *element, uint64_t at,
		      uint32_t lanes)
{
	uint32_t sharing[CT_WARP_LANES];
	int err = 0;

	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		sharing[lane] = sharing_of(scan, lane, at);
	}
	while (lanes && err == 0) {
		uint32_t same = 0;

		element->sharing = sharing[__builtin_ctz(lanes)];
		for (uint32_t rest = lanes; rest; rest &= rest - 1)
			if (sharing[__builtin_ctz(rest)] == element->sharing)
				same |= rest & -rest;
		err = ct_value_put_element(&scan->put, element, same);
		lanes &= ~same;
	}
	return err;
}

/* Whether ranges of the lanes begin at equal distances, of less than a page, which the reader does
 * not say of ranges. */
static bool is_linear(const struct ct_access *access, uint32_t lanes, int64_t *stride)
{
	uint32_t first = (uint32_t)__builtin_ctz(lanes), rest = lanes & (lanes - 1);
	const uint64_t *address = access->address;
	int64_t steps = rest ? __builtin_ctz(rest) - (int64_t)first : 1;
	int64_t apart = rest ? (int64_t)(address[__builtin_ctz(rest)] - address[first]) : 0;

	*stride = apart / steps;
	if (apart % steps || *stride >= (int64_t)CT_VALUE_PAGE_BYTES ||
	    *stride <= -(int64_t)CT_VALUE_PAGE_BYTES)
		return false;
	for (; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		if (address[lane] != address[first] + (lane - first) * (uint64_t)*stride)
			return false;
	}
	return true;
}

/* The elements whose bytes are reported for the lanes' ranges: the first of all lanes, the second,
 * ...
 */
static int put_content(struct ct_value_scan *scan, enum ct_value_operation operation,
		       uint32_t number, uint32_t lanes)
{
	const struct ct_access *access = &scan->access;
	const struct ct_value_site *site = &scan->put.engine->site[number_of(scan)];
	uint64_t address[CT_WARP_LANES], value[CT_WARP_LANES], mask = value_mask(scan, site);
	struct ct_value_element element = {.site = site,
					   .number = number,
					   .operation = operation,
					   .address = address,
					   .value = value};
	int err = 0;

	element.is_linear = lanes && is_linear(access, lanes, &element.stride);
	for (uint64_t at = 0; lanes && err == 0; at += site->element_bytes) {
		for (uint32_t rest = lanes; rest; rest &= rest - 1) {
			uint32_t lane = (uint32_t)__builtin_ctz(rest);

			if (at >= reported_bytes(scan, lane)) {
				lanes &= ~(1u << lane);
				continue;
			}
			address[lane] = access->address[lane] + at;
			value[lane] = 0;
			memcpy(&value[lane], scan->content.data[lane] + at, site->element_bytes);
			value[lane] &= mask;
		}
		err = put_shares(scan, &element, at, lanes);
	}
	return err;
}

/* Bytes of ranges that are not reported. */
static int put_unreported(struct ct_value_scan *scan, bool is_read)
{
	const struct ct_value_range unseen = {
	    .operation = CT_OPERATION_OVERWRITE, .object = CT_NONE, .is_read = is_read};
	const struct ct_access *access = &scan->access;
	int err = 0;

	for (uint32_t lanes = access->mask; lanes && err == 0; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);
		uint64_t reported = reported_bytes(scan, lane);

		err = ct_value_put_range(&scan->put, access->address[lane] + reported,
					 access->range[lane] - reported, &unseen);
	}
	return err;
}

/* A reduction does not leave what it moves; and a bulk copy within shared memory, which is
 * recorded where it writes, says what was there before. */
static enum ct_class class_of_range(const struct ct_access *access)
{
	uint64_t address = access->address[__builtin_ctz(access->mask)];

	if (access->info->operation == CT_OP_COPY_BULK_LOAD &&
	    CT_ADDRESS_SPACE(address) == CT_SPACE_SHARED)
		return CT_CLASS_ATOMIC;
	return ct_operation_class(access->info->operation);
}

static int put_ranges(struct ct_value_scan *scan)
{
	enum ct_class class = class_of_range(&scan->access);
	enum ct_value_operation operation =
	    class == CT_CLASS_LOAD ? CT_OPERATION_LOAD : CT_OPERATION_STORE;
	uint32_t lanes = scan->content.mask & scan->access.mask, passing = passing_of(scan, lanes);
	int err;

	err = put_content(scan, operation, number_of(scan), passing);
	if (err == 0)
		err = put_content(scan, operation, CT_NONE, lanes & ~passing);
	return err == 0 ? put_unreported(scan, class == CT_CLASS_LOAD) : err;
}

/* Puts an atomic: lanes that left memory as it was, those that left a known value, the others. */
static int put_atomic(struct ct_value_scan *scan)
{
	const struct ct_access *access = &scan->access;
	uint8_t left[CT_WARP_LANES][CT_VALUE_BYTES];
	uint32_t same = 0, known = 0;
	int err;

	ct_atomic_results(access, &scan->values, left, &same, &known);
	err = put_filtered(scan, CT_OPERATION_NO_EXCHANGE, same, left[0], CT_VALUE_BYTES);
	if (err == 0)
		err = put_filtered(scan, CT_OPERATION_EXCHANGE, known & ~same, left[0],
				   CT_VALUE_BYTES);
	return err < 0 ? err
		       : put_filtered(scan, CT_OPERATION_BLIND_STORE,
				      access->mask & ~(same | known), NULL, 0);
}

/* Puts the values of the access at hand, which are all that there are of them. */
static int put_held(struct ct_value_scan *scan)
{
	const struct ct_access *access = &scan->access;
	const struct ct_values *values = &scan->values;
	enum ct_class class = ct_operation_class(access->info->operation);
	bool is_load = class == CT_CLASS_LOAD;
	uint32_t reported = values->bytes[CT_ROLE_VALUE] == access->info->bytes
				? values->mask[CT_ROLE_VALUE] & access->mask
				: 0;
	int err;

	scan->is_held = false;
	if (access->range)
		return put_ranges(scan);
	if (class == CT_CLASS_ATOMIC)
		return put_atomic(scan);
	err = put_filtered(scan, is_load ? CT_OPERATION_LOAD : CT_OPERATION_STORE, reported,
			   values->data[CT_ROLE_VALUE][0], CT_VALUE_BYTES);
	return err < 0 ? err
		       : put_filtered(scan,
				      is_load ? CT_OPERATION_BLIND_LOAD : CT_OPERATION_BLIND_STORE,
				      access->mask & ~reported, NULL, 0);
}

static int find_step(struct ct_value_scan *scan, const struct ct_launch_info *launch)
{
	if (launch == scan->put.launch)
		return 0;
	scan->put.place.step =
	    ct_order_of_launch(scan->put.engine->order, launch->part, launch->event->launch);
	if (scan->put.place.step == CT_NO_SUPERSTEP)
		return -EAGAIN;
	scan->put.launch = launch;
	ct_value_put_move(&scan->put);
	return 0;
}

int ct_value_scan_access(struct ct_value_scan *scan, const struct ct_access *access)
{
	int err = scan->is_held ? put_held(scan) : 0;

	if (err == 0)
		err = find_step(scan, access->launch);
	if (err < 0)
		return err;
	if (scan->put.place.cta != access->cta || scan->put.place.warp != access->warp) {
		scan->put.place.cta = access->cta;
		scan->put.place.warp = access->warp;
		ct_value_put_move(&scan->put);
	}
	scan->access = *access;
	if (access->range) {
		memcpy(scan->range, access->range, sizeof(scan->range));
		scan->access.range = scan->range;
		ct_range_bytes_clear(&scan->content);
	}
	scan->is_held = access->cta >> scan->put.engine->layout.cta_bits == 0;
	ct_values_clear(&scan->values);
	return 0;
}

/* Bytes that ranges have moved, if they are those of the access that waits for them. */
static int take_content(struct ct_value_scan *scan, const struct ct_value *value)
{
	const struct ct_access *access = &scan->access;
	uint32_t first = (uint32_t)__builtin_ctz(value->at->mask);

	if (!access->range || !value->at->range || value->at->mask & ~access->mask ||
	    value->at->address[first] != access->address[first] ||
	    class_of_range(access) == CT_CLASS_ATOMIC)
		return 0;
	return ct_range_bytes_add(&scan->content, value);
}

/* Mostly all lanes have all of their values at once. */
int ct_value_scan_value(struct ct_value_scan *scan, const struct ct_value *value)
{
	const struct ct_access *access = &scan->access;
	enum ct_class class;

	/* Events as fetches have values, too, maybe before there is any access. */
	if (!scan->is_held || value->at->site != access->site || value->at->unit != access->unit)
		return 0;
	if (value->part == CT_PART_CONTENT)
		return take_content(scan, value);
	class = ct_operation_class(access->info->operation);
	if (value->part || value->at->mask != access->mask || value->bytes != access->info->bytes ||
	    access->range || class == CT_CLASS_ATOMIC) {
		ct_values_add(&scan->values, value);
		return 0;
	}
	scan->is_held = false;
	return put_filtered(scan, class == CT_CLASS_LOAD ? CT_OPERATION_LOAD : CT_OPERATION_STORE,
			    access->mask, value->data[0], CT_VALUE_BYTES_MAX);
}

int ct_value_scan_open(struct ct_value_scan **out, struct ct_value_engine *engine,
		       const struct ct_worker *worker)
{
	struct ct_value_scan *scan = calloc(1, sizeof(*scan));

	*out = scan;
	if (!scan)
		return -ENOMEM;
	scan->put.engine = engine;
	scan->put.writer = worker->number;
	scan->put.locator.trace = worker->trace;
	ct_trace_units(engine->trace, &scan->units);
	return ct_value_entries_open(&scan->put.entries, engine->entries, worker->number,
				     engine->entry_slots);
}

void ct_value_scan_close(struct ct_value_scan *scan)
{
	if (!scan)
		return;
	ct_value_entries_close(scan->put.entries);
	ct_range_bytes_fini(&scan->content);
	free(scan);
}

int ct_value_scan_finish(struct ct_value_scan *scan)
{
	int err = scan->is_held ? put_held(scan) : 0;

	return err == 0 ? ct_value_entries_finish(scan->put.entries) : err;
}
