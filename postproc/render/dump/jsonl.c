/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost dump as one JSON object per line: docs/json-schema.md. */
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/words.h"
#include "postproc/render/base/host_path.h"
#include "postproc/render/base/json.h"
#include "postproc/render/base/number.h"
#include "postproc/render/base/path.h"
#include "postproc/render/dump/dump.h"

#define NAME_BYTES 1024

static json_t *prefix(const struct ct_dump *dump, const struct ct_dump_record *record)
{
	const struct ct_access *access = record->access;
	const struct ct_launch_info *launch = access->launch;
	uint32_t cta[3];
	struct ct_place place = ct_place_of(access->unit, access->info);
	json_t *value = json_object();

	ct_words_cta(launch, access->cta, cta);
	if (dump->parts)
		json_object_set_new(value, "part", json_integer(launch->part));
	json_object_set_new(value, "launch", json_integer(launch->event->launch));
	json_object_set_new(value, "kernel", ct_json_text(launch->kernel));
	json_object_set_new(value, "cta", ct_json_extent(cta));
	json_object_set_new(value, "warp", json_integer(access->warp));
	json_object_set_new(value, "sm", json_integer(access->sm));
	json_object_set_new(value, "site", json_integer(access->site));
	json_object_set_new(value, "file", ct_json_text(place.file));
	json_object_set_new(value, "line", json_integer(place.line));
	json_object_set_new(value, "column", json_integer(place.column));
	json_object_set_new(value, "operation",
			    json_string(ct_operation_text(access->info->operation)));
	json_object_set_new(value, "bytes", json_integer(access->info->bytes));
	if (record->is_event) {
		json_object_set_new(value, "phase", json_string(ct_dump_phase(record)));
		json_object_set_new(
		    value, "what",
		    ct_json_text(ct_unit_string(access->unit, access->info->reason)));
	}
	return value;
}

/* Name and offset of what address lies in, or null and null. */
static void locate(struct ct_dump *dump, const struct ct_access *access, uint64_t address,
		   json_t **name, json_t **offset)
{
	const struct ct_object_info *object = ct_locate(&dump->locator, access->launch, address);
	char buffer[NAME_BYTES];

	if (!object) {
		*name = json_null();
		*offset = json_null();
		return;
	}
	*name = ct_json_text(ct_words_object(object, buffer, sizeof(buffer)));
	*offset = ct_json_number(address - object->event->address);
}

static json_t *space_of(uint64_t address)
{
	return json_string(ct_words_space(CT_ADDRESS_SPACE(address)));
}

static void set_addresses(struct ct_dump *dump, json_t *value, const struct ct_access *access)
{
	json_t *addresses = json_array(), *objects = json_array(), *offsets = json_array();
	json_t *spaces = json_array(), *ranges = json_array();

	for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);
		json_t *name, *offset;

		locate(dump, access, access->address[lane], &name, &offset);
		json_array_append_new(addresses,
				      ct_json_address(ct_dump_offset(access->address[lane])));
		json_array_append_new(objects, name);
		json_array_append_new(offsets, offset);
		json_array_append_new(spaces, space_of(access->address[lane]));
		json_array_append_new(ranges, ct_json_number(ct_lane_bytes(access, lane)));
	}
	json_object_set_new(value, "addresses", addresses);
	json_object_set_new(value, "objects", objects);
	json_object_set_new(value, "offsets", offsets);
	json_object_set_new(value, "spaces", spaces);
	if (access->range)
		json_object_set(value, "ranges", ranges);
	json_decref(ranges);
}

/* What a lane's range moved, null if that is not known. */
static json_t *content_json(const struct ct_range_bytes *content, uint32_t lane)
{
	static const char digit[] = "0123456789abcdef";
	uint64_t count = content->mask >> lane & 1 ? content->count[lane] : 0;
	char *text = count ? malloc(2 * count + 1) : NULL;
	json_t *value;

	if (!text)
		return json_null();
	for (uint64_t i = 0; i < count; i++) {
		text[2 * i] = digit[content->data[lane][i] >> 4];
		text[2 * i + 1] = digit[content->data[lane][i] & 15];
	}
	text[2 * count] = '\0';
	value = json_string(text);
	free(text);
	return value;
}

static void set_content(json_t *value, const struct ct_dump_record *record)
{
	json_t *list = json_array();

	for (uint32_t rest = record->access->mask; rest; rest &= rest - 1)
		json_array_append_new(list,
				      content_json(record->content, (uint32_t)__builtin_ctz(rest)));
	json_object_set_new(value, ct_role_text(CT_ROLE_VALUE), list);
}

static json_t *coordinates_json(const struct ct_dump_record *record, uint32_t lane)
{
	json_t *list = json_array();
	bool is_float;

	for (uint32_t i = 0; i < record->place->count; i++) {
		double value = ct_dump_coordinate(record, lane, i, &is_float);

		json_array_append_new(list, is_float ? json_real(value)
						     : json_integer((json_int_t)value));
	}
	return list;
}

/* Of the lanes, arrays with an element each. */
static void set_place(json_t *value, const struct ct_dump_record *record)
{
	json_t *images = json_array(), *coordinates = json_array();

	for (uint32_t rest = record->access->mask; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);
		bool is_known = record->place->mask >> lane & 1;

		json_array_append_new(images, is_known ? ct_json_address(record->place->image[lane])
						       : json_null());
		json_array_append_new(coordinates,
				      is_known ? coordinates_json(record, lane) : json_null());
	}
	json_object_set_new(value, "images", images);
	json_object_set_new(value, "coordinates", coordinates);
}

/* Arrays of the lanes' values, by the names of the roles that there are. */
static void set_values(json_t *value, const struct ct_dump_record *record)
{
	for (int r = 0; record->values && r < CT_ROLES; r++) {
		enum ct_role role = (enum ct_role)r;
		json_t *list;

		if (!record->values->mask[role])
			continue;
		list = json_array();
		for (uint32_t rest = record->access->mask; rest; rest &= rest - 1)
			json_array_append_new(list,
					      ct_value_json(record->access->info, record->values,
							    role, (uint32_t)__builtin_ctz(rest)));
		json_object_set_new(value, ct_role_text(role), list);
	}
}

static void append_step(void *user, const struct ct_path_step *step)
{
	json_array_append_new(
	    user, json_pack("{s:o,s:o,s:I,s:I,s:b}", "function", ct_json_text(step->function),
			    "file", ct_json_text(step->file), "line", (json_int_t)step->line,
			    "column", (json_int_t)step->column, "inlined", step->is_inlined));
}

static void write_value(struct ct_dump *dump, json_t *value, const struct ct_access *access)
{
	if (dump->paths) {
		json_t *path = json_array();

		ct_path_walk(access, append_step, path);
		if (ct_host_paths_of(dump->host, access->launch))
			json_object_set_new(
			    value, "host_path",
			    ct_host_path_json(dump->host,
					      ct_host_paths_of(dump->host, access->launch)));
		json_object_set_new(value, "path", path);
	}
	ct_json_write(dump->out, value, 0);
}

static void jsonl_warp(struct ct_dump *dump, const struct ct_dump_record *record)
{
	json_t *value = prefix(dump, record);

	json_object_set_new(value, "mask", json_sprintf("0x%08x", record->access->mask));
	if (record->has_addresses)
		set_addresses(dump, value, record->access);
	set_values(value, record);
	if (ct_dump_content_lanes(record, record->access->mask))
		set_content(value, record);
	if (record->place && record->place->mask)
		set_place(value, record);
	write_value(dump, value, record->access);
}

static void jsonl_lane(struct ct_dump *dump, const struct ct_dump_record *record, uint32_t lane)
{
	const struct ct_access *access = record->access;
	json_t *value = prefix(dump, record), *name, *offset;

	json_object_set_new(value, "thread", json_integer(access->warp * CT_WARP_LANES + lane));
	if (record->has_addresses) {
		locate(dump, access, access->address[lane], &name, &offset);
		json_object_set_new(value, "address",
				    ct_json_address(ct_dump_offset(access->address[lane])));
		json_object_set_new(value, "object", name);
		json_object_set_new(value, "offset", offset);
		json_object_set_new(value, "space", space_of(access->address[lane]));
		if (access->range)
			json_object_set_new(value, "bytes", ct_json_number(access->range[lane]));
	}
	for (int r = 0; record->values && r < CT_ROLES; r++)
		if (record->values->mask[r] >> lane & 1)
			json_object_set_new(
			    value, ct_role_text((enum ct_role)r),
			    ct_value_json(access->info, record->values, (enum ct_role)r, lane));
	if (ct_dump_content_lanes(record, 1u << lane))
		json_object_set_new(value, ct_role_text(CT_ROLE_VALUE),
				    content_json(record->content, lane));
	if (record->place && record->place->mask >> lane & 1) {
		json_object_set_new(value, "image", ct_json_address(record->place->image[lane]));
		json_object_set_new(value, "coordinates", coordinates_json(record, lane));
	}
	write_value(dump, value, access);
}

const struct ct_dump_format ct_dump_jsonl = {
    .name = "jsonl",
    .warp = jsonl_warp,
    .lane = jsonl_lane,
};
