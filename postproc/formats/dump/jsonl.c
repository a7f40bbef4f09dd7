/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost dump as one JSON object per line: docs/json-schema.md. */
#include "base/json.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/words.h"
#include "postproc/formats/dump/dump.h"
#include "postproc/formats/dump/value.h"
#include "postproc/render/base/path.h"

#define NAME_BYTES 1024
#define REAL_DIGITS 17

/* A line of a warp's lanes, or of one. */
struct line {
	struct ct_json json;
	struct ct_dump *dump;
	const struct ct_dump_record *record;
	uint32_t lanes;
	bool is_of_warp; /* what lanes have is an array with an element for each */
};

static void put_prefix(struct line *line)
{
	const struct ct_dump_record *record = line->record;
	const struct ct_access *access = record->access;
	const struct ct_launch_info *launch = access->launch;
	struct ct_place place = ct_place_of(access->unit, access->info);
	struct ct_json *json = &line->json;
	uint32_t cta[3];

	ct_words_cta(launch, access->cta, cta);
	if (line->dump->parts)
		ct_json_put_number(json, "part", launch->part);
	ct_json_put_number(json, "launch", launch->event->launch);
	ct_json_put_text(json, "kernel", launch->kernel);
	ct_json_open_array(json, "cta", CT_JSON_COMPACT);
	for (int d = 0; d < 3; d++)
		ct_json_put_number(json, NULL, cta[d]);
	ct_json_close(json);
	ct_json_put_number(json, "warp", access->warp);
	ct_json_put_number(json, "sm", access->sm);
	ct_json_put_number(json, "site", access->site);
	ct_json_put_text(json, "file", place.file);
	ct_json_put_number(json, "line", place.line);
	ct_json_put_number(json, "column", place.column);
	ct_json_put_text(json, "operation", ct_operation_text(access->info->operation));
	ct_json_put_number(json, "bytes",
			   !line->is_of_warp && record->has_addresses && access->range
			       ? access->range[__builtin_ctz(line->lanes)]
			       : access->info->bytes);
	if (!record->is_event)
		return;
	ct_json_put_text(json, "phase", ct_dump_phase(record));
	ct_json_put_text(json, "what", ct_unit_string(access->unit, access->info->reason));
}

/* Writes what a lane has, as a field or an element of an array (key NULL). */
typedef void lane_writer(struct line *line, const char *key, uint32_t lane);

static void put_lanes(struct line *line, const char *one, const char *several, lane_writer *put)
{
	if (!line->is_of_warp) {
		put(line, one, (uint32_t)__builtin_ctz(line->lanes));
		return;
	}
	ct_json_open_array(&line->json, several, CT_JSON_COMPACT);
	for (uint32_t rest = line->lanes; rest; rest &= rest - 1)
		put(line, NULL, (uint32_t)__builtin_ctz(rest));
	ct_json_close(&line->json);
}

static void put_address(struct line *line, const char *key, uint32_t lane)
{
	ct_json_put_address(&line->json, key, ct_dump_offset(line->record->access->address[lane]));
}

static const struct ct_object_info *object_of(struct line *line, uint32_t lane)
{
	const struct ct_access *access = line->record->access;

	return ct_locate(&line->dump->locator, access->launch, access->address[lane]);
}

static void put_object(struct line *line, const char *key, uint32_t lane)
{
	const struct ct_object_info *object = object_of(line, lane);
	char buffer[NAME_BYTES];

	if (object)
		ct_json_put_text(&line->json, key, ct_words_object(object, buffer, sizeof(buffer)));
	else
		ct_json_put_null(&line->json, key);
}

static void put_offset(struct line *line, const char *key, uint32_t lane)
{
	const struct ct_object_info *object = object_of(line, lane);

	if (object)
		ct_json_put_number(&line->json, key,
				   line->record->access->address[lane] - object->event->address);
	else
		ct_json_put_null(&line->json, key);
}

static void put_space(struct line *line, const char *key, uint32_t lane)
{
	ct_json_put_text(&line->json, key,
			 ct_words_space(CT_ADDRESS_SPACE(line->record->access->address[lane])));
}

static void put_range(struct line *line, const char *key, uint32_t lane)
{
	ct_json_put_number(&line->json, key, ct_lane_bytes(line->record->access, lane));
}

static void put_addresses(struct line *line)
{
	put_lanes(line, "address", "addresses", put_address);
	put_lanes(line, "object", "objects", put_object);
	put_lanes(line, "offset", "offsets", put_offset);
	put_lanes(line, "space", "spaces", put_space);
	if (line->record->access->range && line->is_of_warp)
		put_lanes(line, NULL, "ranges", put_range);
}

/* Puts the values of the lanes, under the names of those roles that there are. */
static void put_values(struct line *line)
{
	const struct ct_dump_record *record = line->record;

	for (int r = 0; record->values && r < CT_ROLES; r++) {
		enum ct_role role = (enum ct_role)r;

		if (!(record->values->mask[role] & line->lanes))
			continue;
		if (line->is_of_warp)
			ct_json_open_array(&line->json, ct_role_text(role), CT_JSON_COMPACT);
		for (uint32_t rest = line->lanes; rest; rest &= rest - 1)
			ct_value_put(&line->json, line->is_of_warp ? NULL : ct_role_text(role),
				     record->access->info, record->values, role,
				     (uint32_t)__builtin_ctz(rest));
		if (line->is_of_warp)
			ct_json_close(&line->json);
	}
}

/* Puts what a lane's range moved, null if that is not known. */
static void put_content(struct line *line, const char *key, uint32_t lane)
{
	const struct ct_range_bytes *content = line->record->content;

	if (!(content->mask >> lane & 1) || !content->count[lane]) {
		ct_json_put_null(&line->json, key);
		return;
	}
	ct_json_put_key(&line->json, key);
	fputc('"', line->json.out);
	ct_dump_write_content(line->json.out, content, 1u << lane, "");
	fputc('"', line->json.out);
}

static bool has_place(const struct line *line, uint32_t lanes)
{
	return line->record->place && line->record->place->mask & lanes;
}

static void put_image(struct line *line, const char *key, uint32_t lane)
{
	if (has_place(line, 1u << lane))
		ct_json_put_address(&line->json, key, line->record->place->image[lane]);
	else
		ct_json_put_null(&line->json, key);
}

static void put_coordinates(struct line *line, const char *key, uint32_t lane)
{
	struct ct_json *json = &line->json;
	bool is_float;

	if (!has_place(line, 1u << lane)) {
		ct_json_put_null(json, key);
		return;
	}
	ct_json_open_array(json, key, CT_JSON_COMPACT);
	for (uint32_t i = 0; i < line->record->place->count; i++)
		ct_json_put_real(json, NULL, ct_dump_coordinate(line->record, lane, i, &is_float),
				 REAL_DIGITS);
	ct_json_close(json);
}

static void put_step(void *user, const struct ct_path_step *step)
{
	struct ct_json *json = user;

	ct_json_open_object(json, NULL, CT_JSON_COMPACT);
	ct_json_put_text(json, "function", step->function);
	ct_json_put_text(json, "file", step->file);
	ct_json_put_number(json, "line", step->line);
	ct_json_put_number(json, "column", step->column);
	ct_json_put_bool(json, "inlined", step->is_inlined);
	ct_json_close(json);
}

/* Puts the path of the host, outermost first. */
static void put_host_path(struct line *line, uint32_t path)
{
	const struct ct_code_frame *const *frame;
	size_t count = ct_host_paths_frames(line->dump->host, path, &frame);
	struct ct_json *json = &line->json;

	ct_json_open_array(json, "host_path", CT_JSON_COMPACT);
	for (size_t i = 0; i < count; i++) {
		ct_json_open_object(json, NULL, CT_JSON_COMPACT);
		ct_json_put_text(json, "function", frame[i]->function);
		ct_json_put_text(json, "file", frame[i]->file);
		ct_json_put_number(json, "line", frame[i]->line);
		ct_json_put_text(json, "module", frame[i]->module);
		ct_json_put_bool(json, "inlined", frame[i]->is_inlined);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_paths(struct line *line)
{
	const struct ct_access *access = line->record->access;
	uint32_t path = ct_host_paths_of(line->dump->host, access->launch);

	if (path)
		put_host_path(line, path);
	ct_json_open_array(&line->json, "path", CT_JSON_COMPACT);
	ct_path_walk(access, put_step, &line->json);
	ct_json_close(&line->json);
}

static void write_line(struct line *line)
{
	const struct ct_dump_record *record = line->record;
	struct ct_json *json = &line->json;

	ct_json_init(json, line->dump->out, 0, CT_JSON_UTF8);
	ct_json_open_object(json, NULL, CT_JSON_COMPACT);
	put_prefix(line);
	if (!line->is_of_warp) {
		ct_json_put_number(json, "thread",
				   record->access->warp * CT_WARP_LANES +
				       (uint32_t)__builtin_ctz(line->lanes));
	} else {
		ct_json_put_key(json, "mask");
		fprintf(json->out, "\"0x%08x\"", record->access->mask);
	}
	if (record->has_addresses)
		put_addresses(line);
	put_values(line);
	if (ct_dump_content_lanes(record, line->lanes))
		put_lanes(line, ct_role_text(CT_ROLE_VALUE), ct_role_text(CT_ROLE_VALUE),
			  put_content);
	if (has_place(line, line->lanes)) {
		put_lanes(line, "image", "images", put_image);
		put_lanes(line, "coordinates", "coordinates", put_coordinates);
	}
	if (line->dump->paths)
		put_paths(line);
	ct_json_close(json);
	fputc('\n', json->out);
}

static void jsonl_warp(struct ct_dump *dump, const struct ct_dump_record *record)
{
	write_line(&(struct line){
	    .dump = dump, .record = record, .lanes = record->access->mask, .is_of_warp = true});
}

static void jsonl_lane(struct ct_dump *dump, const struct ct_dump_record *record, uint32_t lane)
{
	write_line(&(struct line){.dump = dump, .record = record, .lanes = 1u << lane});
}

const struct ct_dump_format ct_dump_jsonl = {
    .name = "jsonl",
    .warp = jsonl_warp,
    .lane = jsonl_lane,
};
