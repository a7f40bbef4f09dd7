/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost dump as CSV (RFC 4180, with line feeds). */
#include "../model/operation.h"
#include "dump.h"
#include "words.h"
#include <inttypes.h>
#include <string.h>

#define NAME_BYTES 1024

static void write_text(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void csv_begin(struct ct_dump *dump)
{
	fprintf(dump->out,
		"launch,kernel,cta_x,cta_y,cta_z,warp,sm,site,file,line,column,operation,bytes,%s,"
		"object,offset\n",
		dump->threads ? "thread,address" : "mask,addresses");
}

static void write_prefix(struct ct_dump *dump, const struct ct_access *access)
{
	const struct ct_launch_info *launch = access->launch;
	struct ct_place place = ct_words_place(access->unit, access->info);
	uint32_t cta[3];

	ct_words_cta(launch, access->cta, cta);
	fprintf(dump->out, "%u,", launch->event->launch);
	write_text(dump->out, launch->kernel);
	fprintf(dump->out, ",%u,%u,%u,%u,%u,%u,", cta[0], cta[1], cta[2], access->warp, access->sm,
		access->site);
	write_text(dump->out, place.file);
	fprintf(dump->out, ",%u,%u,%s,%u,", place.line, place.column,
		ct_operation_text(access->info->operation), access->info->bytes);
}

static void write_object(struct ct_dump *dump, const struct ct_access *access, uint64_t address)
{
	const struct ct_object_info *object = ct_locate(&dump->locator, access->launch, address);
	char name[NAME_BYTES];

	if (!object) {
		fputs(",,\n", dump->out);
		return;
	}
	fputc(',', dump->out);
	write_text(dump->out, ct_words_object(object, name, sizeof(name)));
	fprintf(dump->out, ",%" PRIu64 "\n", address - object->event->address);
}

static void csv_access(struct ct_dump *dump, const struct ct_access *access)
{
	int separate = 0;

	write_prefix(dump, access);
	fprintf(dump->out, "0x%08x,", access->mask);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		if (access->mask >> lane & 1)
			fprintf(dump->out, "%s0x%" PRIx64, separate++ ? " " : "",
				access->address[lane]);
	write_object(dump, access, access->address[__builtin_ctz(access->mask)]);
}

static void csv_lane(struct ct_dump *dump, const struct ct_access *access, uint32_t lane)
{
	write_prefix(dump, access);
	fprintf(dump->out, "%u,0x%" PRIx64, access->warp * CT_WARP_LANES + lane,
		access->address[lane]);
	write_object(dump, access, access->address[lane]);
}

const struct ct_dump_format ct_dump_csv = {
    .name = "csv",
    .begin = csv_begin,
    .access = csv_access,
    .lane = csv_lane,
};
