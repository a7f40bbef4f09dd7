/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost dump for reading: addresses as "start +stride xlanes" where they are regular. */
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/source_name.h"
#include "postproc/facts/words.h"
#include "postproc/formats/dump/dump.h"
#include <inttypes.h>
#include <string.h>

#define NAME_BYTES 1024

static void write_prefix(struct ct_dump *dump, const struct ct_dump_record *record, uint32_t lanes)
{
	const struct ct_access *access = record->access;
	const struct ct_launch_info *launch = access->launch;
	char location[NAME_BYTES], name[CT_BRIEF_NAME_BYTES];
	uint32_t cta[3];

	ct_words_cta(launch, access->cta, cta);
	if (dump->parts)
		fprintf(dump->out, "%u.", launch->part);
	fprintf(dump->out, "%u %s (%u,%u,%u) ", launch->event->launch,
		ct_source_name_brief(launch->kernel, name), cta[0], cta[1], cta[2]);
	ct_words_location(access->unit, access->info, location, sizeof(location));
	fprintf(dump->out, "warp %u sm %u site %u %s %s ", access->warp, access->sm, access->site,
		location, ct_operation_text(access->info->operation));
	if (!record->is_event) {
		ct_dump_write_bytes(dump->out, access, lanes, ",");
		fprintf(dump->out, " B ");
	} else if (record->phase == CT_PHASE_LEAVE) {
		fprintf(dump->out, "leave ");
	}
}

static void write_address(FILE *out, uint64_t address)
{
	uint32_t space = CT_ADDRESS_SPACE(address);

	if (space != CT_SPACE_GLOBAL)
		fprintf(out, "%s+", ct_words_space(space));
	fprintf(out, "0x%" PRIx64, ct_dump_offset(address));
}

static void write_object(struct ct_dump *dump, const struct ct_access *access, uint64_t address)
{
	const struct ct_object_info *object;
	char name[NAME_BYTES];

	if (CT_ADDRESS_SPACE(address) != CT_SPACE_GLOBAL)
		return;
	object = ct_locate(&dump->locator, access->launch, address);
	if (!object)
		fprintf(dump->out, " no object");
	else
		fprintf(dump->out, " %s+%" PRIu64, ct_words_object(object, name, sizeof(name)),
			address - object->event->address);
}

/* Stride between the active lanes in order; *regular is 0 if there is none. */
static int64_t stride_of(const struct ct_access *access, uint32_t count, int *regular)
{
	uint64_t last = 0, stride = 0;
	uint32_t rank = 0;

	*regular = 1;
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		if (!(access->mask >> lane & 1))
			continue;
		if (rank == 1)
			stride = access->address[lane] - last;
		else if (rank > 1 && access->address[lane] - last != stride)
			*regular = 0;
		last = access->address[lane];
		rank++;
	}
	*regular = *regular && count > 2;
	return (int64_t)stride;
}

static void write_addresses(struct ct_dump *dump, const struct ct_access *access)
{
	uint32_t count = (uint32_t)__builtin_popcount(access->mask);
	uint32_t first = (uint32_t)__builtin_ctz(access->mask);
	int regular, separate = 0;
	int64_t stride = stride_of(access, count, &regular);

	fputc(' ', dump->out);
	if (regular) {
		write_address(dump->out, access->address[first]);
		fprintf(dump->out, " %+" PRId64 " x%u", stride, count);
	}
	for (uint32_t rest = regular ? 0 : access->mask; rest; rest &= rest - 1) {
		if (separate++)
			fputc(',', dump->out);
		write_address(dump->out, access->address[__builtin_ctz(rest)]);
	}
	write_object(dump, access, access->address[first]);
}

/* Whether all of these lanes have the same value, bit by bit. */
static int are_equal(const struct ct_values *values, enum ct_role role, uint32_t lanes)
{
	const uint8_t *first = values->data[role][__builtin_ctz(lanes)];

	if (lanes & ~values->mask[role])
		return 0;
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		if (memcmp(values->data[role][__builtin_ctz(rest)], first, values->bytes[role]))
			return 0;
	return 1;
}

static void write_values(struct ct_dump *dump, const struct ct_dump_record *record, uint32_t lanes)
{
	uint32_t count = (uint32_t)__builtin_popcount(lanes);

	for (int r = 0; record->values && r < CT_ROLES; r++) {
		enum ct_role role = (enum ct_role)r;
		int equal = count > 2 && are_equal(record->values, role, lanes);

		if (!(record->values->mask[role] & lanes))
			continue;
		fprintf(dump->out, " %s ", ct_role_text(role));
		ct_dump_write_values(dump->out, record, role, equal ? lanes & -lanes : lanes, ",");
		if (equal)
			fprintf(dump->out, " x%u", count);
	}
	if (ct_dump_content_lanes(record, lanes)) {
		fprintf(dump->out, " %s ", ct_role_text(CT_ROLE_VALUE));
		ct_dump_write_content(dump->out, record->content, lanes, ",");
	}
}

static void write_place(struct ct_dump *dump, const struct ct_dump_record *record, uint32_t lanes)
{
	const struct ct_dump_place *place = record->place;
	const char *before = " at ";
	bool is_float;

	for (lanes &= place ? place->mask : 0; lanes; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);

		fprintf(dump->out, "%s0x%" PRIx64 "(", before, place->image[lane]);
		for (uint32_t i = 0; i < place->count; i++)
			fprintf(dump->out, "%s%.9g", i ? ":" : "",
				ct_dump_coordinate(record, lane, i, &is_float));
		fputc(')', dump->out);
		before = ",";
	}
}

static void write_rest(struct ct_dump *dump, const struct ct_dump_record *record)
{
	const struct ct_access *access = record->access;
	const char *what = ct_unit_string(access->unit, access->info->reason);

	if (record->is_event && *what)
		fprintf(dump->out, " %s", what);
	if (dump->paths) {
		fprintf(dump->out, " path ");
		ct_dump_write_path(dump->out, dump, access);
	}
	fputc('\n', dump->out);
}

static void text_warp(struct ct_dump *dump, const struct ct_dump_record *record)
{
	const struct ct_access *access = record->access;

	write_prefix(dump, record, access->mask);
	fprintf(dump->out, "mask %08x", access->mask);
	if (record->has_addresses)
		write_addresses(dump, access);
	write_place(dump, record, access->mask);
	write_values(dump, record, access->mask);
	write_rest(dump, record);
}

static void text_lane(struct ct_dump *dump, const struct ct_dump_record *record, uint32_t lane)
{
	const struct ct_access *access = record->access;

	write_prefix(dump, record, 1u << lane);
	fprintf(dump->out, "thread %u", access->warp * CT_WARP_LANES + lane);
	if (record->has_addresses) {
		fputc(' ', dump->out);
		write_address(dump->out, access->address[lane]);
		write_object(dump, access, access->address[lane]);
	}
	write_place(dump, record, 1u << lane);
	write_values(dump, record, 1u << lane);
	write_rest(dump, record);
}

const struct ct_dump_format ct_dump_text = {
    .name = "text",
    .warp = text_warp,
    .lane = text_lane,
};
