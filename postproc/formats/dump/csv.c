/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost dump as CSV (RFC 4180, with line feeds). */
#include "base/csv.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/words.h"
#include "postproc/formats/dump/dump.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 1024

static void csv_begin(struct ct_dump *dump)
{
	fprintf(
	    dump->out,
	    "%slaunch,kernel,cta_x,cta_y,cta_z,warp,sm,site,file,line,column,operation,bytes,%s,"
	    "object,offset,space%s%s%s\n",
	    dump->parts ? "part," : "", dump->lanes ? "thread,address" : "mask,addresses",
	    dump->values ? ",value,compare,returned" : "", dump->events ? ",phase,what" : "",
	    dump->paths ? ",path" : "");
}

static void write_prefix(struct ct_dump *dump, const struct ct_dump_record *record, uint32_t lanes)
{
	const struct ct_access *access = record->access;
	const struct ct_launch_info *launch = access->launch;
	struct ct_place place = ct_place_of(access->unit, access->info);
	uint32_t cta[3];

	ct_words_cta(launch, access->cta, cta);
	if (dump->parts)
		fprintf(dump->out, "%u,", launch->part);
	fprintf(dump->out, "%u,", launch->event->launch);
	ct_csv_text(dump->out, launch->kernel);
	fprintf(dump->out, ",%u,%u,%u,%u,%u,%u,", cta[0], cta[1], cta[2], access->warp, access->sm,
		access->site);
	ct_csv_text(dump->out, place.file);
	fprintf(dump->out, ",%u,%u,%s,", place.line, place.column,
		ct_operation_text(access->info->operation));
	if (record->is_event)
		fputc('0', dump->out);
	else
		ct_dump_write_bytes(dump->out, access, lanes, " ");
	fputc(',', dump->out);
}

/* Spaces of the lanes: one word if they are the same. */
static void write_spaces(FILE *out, const struct ct_access *access, uint32_t lanes)
{
	uint32_t first = CT_ADDRESS_SPACE(access->address[__builtin_ctz(lanes)]);
	int separate = 0;

	if (!(lanes & ~ct_lanes_in(access, first)))
		lanes &= -lanes;
	for (; lanes; lanes &= lanes - 1)
		fprintf(out, "%s%s", separate++ ? " " : "",
			ct_words_space(CT_ADDRESS_SPACE(access->address[__builtin_ctz(lanes)])));
}

/* Object, offset and space. */
static void write_object(struct ct_dump *dump, const struct ct_access *access, uint32_t lanes)
{
	uint64_t address = access->address[__builtin_ctz(lanes)];
	const struct ct_object_info *object = ct_locate(&dump->locator, access->launch, address);
	char name[NAME_BYTES];

	if (object) {
		ct_csv_text(dump->out, ct_words_object(object, name, sizeof(name)));
		fprintf(dump->out, ",%" PRIu64 ",", address - object->event->address);
	} else {
		fputs(",,", dump->out);
	}
	write_spaces(dump->out, access, lanes);
}

static void write_values(struct ct_dump *dump, const struct ct_dump_record *record, uint32_t lanes)
{
	for (int role = 0; dump->values && role < CT_ROLES; role++) {
		fputc(',', dump->out);
		if (record->values && record->values->mask[role] & lanes)
			ct_dump_write_values(dump->out, record, (enum ct_role)role, lanes, " ");
		else if (role == CT_ROLE_VALUE && ct_dump_content_lanes(record, lanes))
			ct_dump_write_content(dump->out, record->content, lanes, " ");
	}
}

static void write_path(const struct ct_dump *dump, const struct ct_access *access)
{
	char *text = NULL;
	size_t bytes;
	FILE *buffer = open_memstream(&text, &bytes);

	fputc(',', dump->out);
	if (!buffer)
		return;
	ct_dump_write_path(buffer, dump, access);
	if (fclose(buffer) == 0)
		ct_csv_text(dump->out, text);
	free(text);
}

static void write_rest(struct ct_dump *dump, const struct ct_dump_record *record)
{
	const struct ct_access *access = record->access;

	if (dump->events && record->is_event) {
		fprintf(dump->out, ",%s,", ct_dump_phase(record));
		ct_csv_text(dump->out, ct_unit_string(access->unit, access->info->reason));
	} else if (dump->events) {
		fputs(",,", dump->out);
	}
	if (dump->paths)
		write_path(dump, access);
	fputc('\n', dump->out);
}

static void csv_warp(struct ct_dump *dump, const struct ct_dump_record *record)
{
	const struct ct_access *access = record->access;
	int separate = 0;

	write_prefix(dump, record, access->mask);
	fprintf(dump->out, "0x%08x,", access->mask);
	for (uint32_t rest = record->has_addresses ? access->mask : 0; rest; rest &= rest - 1)
		fprintf(dump->out, "%s0x%" PRIx64, separate++ ? " " : "",
			ct_dump_offset(access->address[__builtin_ctz(rest)]));
	fputc(',', dump->out);
	if (record->has_addresses)
		write_object(dump, access, access->mask);
	else
		fputs(",,", dump->out);
	write_values(dump, record, access->mask);
	write_rest(dump, record);
}

static void csv_lane(struct ct_dump *dump, const struct ct_dump_record *record, uint32_t lane)
{
	const struct ct_access *access = record->access;

	write_prefix(dump, record, 1u << lane);
	fprintf(dump->out, "%u,", access->warp * CT_WARP_LANES + lane);
	if (record->has_addresses) {
		fprintf(dump->out, "0x%" PRIx64 ",", ct_dump_offset(access->address[lane]));
		write_object(dump, access, 1u << lane);
	} else {
		fputs(",,,", dump->out);
	}
	write_values(dump, record, 1u << lane);
	write_rest(dump, record);
}

const struct ct_dump_format ct_dump_csv = {
    .name = "csv",
    .begin = csv_begin,
    .warp = csv_warp,
    .lane = csv_lane,
};
