/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost dump as one JSON object per line: docs/json-schema.md. */
#include "../model/operation.h"
#include "dump.h"
#include "json.h"
#include "words.h"

#define NAME_BYTES 1024

static json_t *prefix(const struct ct_access *access)
{
	const struct ct_launch_info *launch = access->launch;
	uint32_t cta[3];
	struct ct_place place = ct_words_place(access->unit, access->info);
	json_t *value = json_object();

	ct_words_cta(launch, access->cta, cta);
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

static void jsonl_access(struct ct_dump *dump, const struct ct_access *access)
{
	json_t *value = prefix(access), *addresses = json_array();
	json_t *objects = json_array(), *offsets = json_array();

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		json_t *name, *offset;

		if (!(access->mask >> lane & 1))
			continue;
		locate(dump, access, access->address[lane], &name, &offset);
		json_array_append_new(addresses, ct_json_address(access->address[lane]));
		json_array_append_new(objects, name);
		json_array_append_new(offsets, offset);
	}
	json_object_set_new(value, "mask", json_sprintf("0x%08x", access->mask));
	json_object_set_new(value, "addresses", addresses);
	json_object_set_new(value, "objects", objects);
	json_object_set_new(value, "offsets", offsets);
	ct_json_write(dump->out, value, 0);
}

static void jsonl_lane(struct ct_dump *dump, const struct ct_access *access, uint32_t lane)
{
	json_t *value = prefix(access), *name, *offset;

	locate(dump, access, access->address[lane], &name, &offset);
	json_object_set_new(value, "thread", json_integer(access->warp * CT_WARP_LANES + lane));
	json_object_set_new(value, "address", ct_json_address(access->address[lane]));
	json_object_set_new(value, "object", name);
	json_object_set_new(value, "offset", offset);
	ct_json_write(dump->out, value, 0);
}

const struct ct_dump_format ct_dump_jsonl = {
    .name = "jsonl",
    .access = jsonl_access,
    .lane = jsonl_lane,
};
