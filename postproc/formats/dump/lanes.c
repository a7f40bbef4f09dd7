/* SPDX-License-Identifier: Apache-2.0 */
/* Says what the formats of ctpost dump say of lanes in the same words. */
#include "postproc/facts/lanes.h"
#include "postproc/formats/dump/dump.h"
#include "postproc/render/base/number.h"
#include <inttypes.h>
#include <string.h>

const char *ct_dump_phase(const struct ct_dump_record *record)
{
	return record->phase == CT_PHASE_LEAVE ? "leave" : "happens";
}

uint64_t ct_dump_offset(uint64_t address)
{
	return CT_ADDRESS_SPACE(address) == CT_SPACE_GLOBAL ? address
							    : address & CT_ADDRESS_OFFSET_MASK;
}

static int are_bytes_equal(const struct ct_access *access, uint32_t lanes)
{
	uint64_t first = ct_lane_bytes(access, (uint32_t)__builtin_ctz(lanes));

	for (; lanes; lanes &= lanes - 1)
		if (ct_lane_bytes(access, (uint32_t)__builtin_ctz(lanes)) != first)
			return 0;
	return 1;
}

void ct_dump_write_bytes(FILE *out, const struct ct_access *access, uint32_t lanes,
			 const char *separator)
{
	const char *before = "";

	if (are_bytes_equal(access, lanes))
		lanes &= -lanes;
	for (; lanes; lanes &= lanes - 1) {
		fprintf(out, "%s%" PRIu64, before,
			ct_lane_bytes(access, (uint32_t)__builtin_ctz(lanes)));
		before = separator;
	}
}

void ct_dump_write_values(FILE *out, const struct ct_dump_record *record, enum ct_role role,
			  uint32_t lanes, const char *separator)
{
	char buffer[CT_VALUE_TEXT_BYTES];
	const char *before = "";

	for (; lanes; lanes &= lanes - 1) {
		fprintf(out, "%s%s", before,
			ct_value_text(record->access->info, record->values, role,
				      (uint32_t)__builtin_ctz(lanes), buffer));
		before = separator;
	}
}

uint32_t ct_dump_content_lanes(const struct ct_dump_record *record, uint32_t lanes)
{
	return record->content ? record->content->mask & lanes : 0;
}

void ct_dump_write_content(FILE *out, const struct ct_range_bytes *content, uint32_t lanes,
			   const char *separator)
{
	const char *before = "";

	for (lanes &= content->mask; lanes; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);

		fputs(before, out);
		for (uint64_t i = 0; i < content->count[lane]; i++)
			fprintf(out, "%02x", content->data[lane][i]);
		before = separator;
	}
}

/* The type of coordinates comes last of an instruction's words: tex.2d.v4.f32.s32 {…}. */
double ct_dump_coordinate(const struct ct_dump_record *record, uint32_t lane, uint32_t i,
			  bool *is_float)
{
	const struct ct_access *access = record->access;
	const char *text = ct_unit_string(access->unit, access->info->reason);
	size_t word = strcspn(text, " \t");
	uint32_t bits = record->place->coordinate[lane][i];
	float value;

	*is_float = word >= 4 && !strncmp(text + word - 4, ".f32", 4);
	memcpy(&value, &bits, sizeof(value));
	return *is_float ? (double)value : (double)(int32_t)bits;
}
