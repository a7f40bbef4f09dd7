/* SPDX-License-Identifier: Apache-2.0 */
/* A trace with all that version 2 of the format added. */
#include "tests/unit/trace/trace_calls.h"
#include "tests/builder/trace.h"

#include <stdlib.h>
#include <string.h>

#define FULL CT_FULL_MASK
#define LOW 0x0000ffffu
#define HIGH 0xffff0000u
#define TIME_NS 1800000000000000000u

static struct build *b;
static unsigned variant;

static struct ct_unit_site *add(struct build_unit *unit, const char *function, uint32_t line,
				enum build_operation operation, uint32_t bytes, uint8_t scalar,
				uint16_t bits)
{
	struct ct_unit_site *site = build_site(unit, function, line, operation, bytes);

	site->column = 3;
	if (operation == BUILD_BARRIER || operation == BUILD_CALL)
		site->space = CT_SPACE_GENERIC;
	site->scalar = scalar;
	site->scalar_bits = bits;
	site->vector_length = bits ? (uint16_t)(8 * bytes / bits) : 1;
	return site;
}

static void add_sites(struct build_unit *unit)
{
	const char *kernel = "_Z4walkPi", *leaf = "_Z4leafPfi";
	struct ct_unit_site *site;

	add(unit, kernel, 10, BUILD_LOAD, 4, CT_SCALAR_INTEGER, 32)->flags = CT_SITE_VALUES;
	add(unit, kernel, 11, BUILD_CALL, 0, 0, 0)->reason = build_text(unit, leaf);
	add(unit, kernel, 13, BUILD_CALL, 0, 0, 0)->reason = build_text(unit, leaf);
	site = add(unit, leaf, 3, BUILD_LOAD, 4, CT_SCALAR_FLOAT, 32);
	site->verdict = CT_VERDICT_CHECKED;
	site->inlined_at = 0;
	site->pattern = build_text(unit, "u-");
	add(unit, leaf, 4, BUILD_CALL, 0, 0, 0)->reason = build_text(unit, leaf);
	add(unit, kernel, 14, BUILD_ATOMIC_CAS, 4, CT_SCALAR_INTEGER, 32)->flags = CT_SITE_VALUES;
	add(unit, kernel, 15, BUILD_COPY_BULK_LOAD, 0, 0, 0)->flags =
	    CT_SITE_RANGE | CT_SITE_VALUES;
	add(unit, kernel, 16, BUILD_BARRIER, 0, 0, 0)->reason = build_text(unit, "__syncthreads");
	site = add(unit, kernel, 17, BUILD_LOAD, 2, CT_SCALAR_FLOAT, 16);
	site->space = CT_SPACE_SHARED;
	site->flags = CT_SITE_VALUES;
	add(unit, kernel, 18, BUILD_STORE, 16, CT_SCALAR_FLOAT, 32)->flags = CT_SITE_VALUES;
	add(unit, kernel, 19, BUILD_LOAD, 32, CT_SCALAR_FLOAT, 64)->flags = CT_SITE_VALUES;
	add(unit, kernel, 20, BUILD_ATOMIC_ADD, 4, CT_SCALAR_INTEGER, 32)->flags =
	    CT_SITE_VALUES | CT_SITE_REDUCTION;
	site = add(unit, kernel, 21, BUILD_STORE, 4, CT_SCALAR_INTEGER, 32);
	site->space = CT_SPACE_LOCAL;
	site->verdict = CT_VERDICT_ELSEWHERE;
	site = add(unit, leaf, 5, BUILD_STORE, 4, CT_SCALAR_FLOAT, 32);
	site->verdict = CT_VERDICT_FILTERED;
	site->reason = build_text(unit, "--ct-files=a.cu");
	site = add(unit, kernel, 22, BUILD_LOAD, 8, CT_SCALAR_INTEGER, 64);
	site->space = CT_SPACE_GENERIC;
	site->verdict = CT_VERDICT_SKIPPED;
	site->reason = build_text(unit, "inline assembly: ld.weird");
}

static struct build_unit *begin_unit(uint64_t id, uint32_t arch, const char *source)
{
	struct build_unit *unit = build_unit(id, arch, source);

	unit->header.values = 1;
	if (!(variant & CALLS_NO_BARRIERS)) {
		unit->header.spaces |= 1u << CT_SPACE_SHARED;
		unit->header.events = CT_UNIT_BARRIERS;
	}
	return unit;
}

static void write_unit(struct ct_writer *writer, struct build_unit *unit)
{
	size_t bytes;
	void *blob = build_blob(unit, &bytes);

	ct_writer_unit(writer, blob, bytes);
	free(blob);
}

static void write_units(struct ct_writer *writer)
{
	struct build_unit *unit = begin_unit(CALLS_UNIT_ID, 90, "walk.cu");

	build_kernel(unit, "_Z4walkPi", "walk(int*)", 9);
	build_frame(unit, "_Z4leafPfi", "walk.cu", 7, 5, CT_NONE);
	add_sites(unit);
	write_unit(writer, unit);
	for (uint32_t arch = 80; arch <= 86; arch += 6) {
		unit = begin_unit(CALLS_OTHER_ID, arch, "remote.cu");
		add(unit, "_Z6remotePd", arch, BUILD_STORE, 8, CT_SCALAR_FLOAT, 64);
		write_unit(writer, unit);
	}
}

static void segment(uint32_t warp, uint32_t sequence)
{
	BUILD_SEGMENT(b, .sm = 2, .sequence = sequence, .launch = 1, .warp = warp);
}

static void add_calls(void)
{
	uint64_t too = variant & CALLS_OTHER_PATH ? CALLS_CALL : CALLS_CALL_TOO;

	build_happens(b, CALLS_CALL, LOW);
	build_lanes(b, CALLS_LEAF, 4, LOW, CALLS_DATA, 4);
	build_happens(b, CALLS_AGAIN, 0xff);
	build_lanes(b, CALLS_LEAF, 4, 0xff, CALLS_DATA, 4);
	build_happens(b, CALLS_AGAIN, 0xf);
	build_lanes(b, CALLS_LEAF, 4, 0xf, CALLS_DATA, 4);
	build_leaves(b, CALLS_AGAIN, 0xf);
	build_leaves(b, CALLS_AGAIN, 0xff);
	build_lanes(b, CALLS_LEAF, 4, LOW, CALLS_DATA + 64, 4);
	build_leaves(b, CALLS_CALL, LOW);
	/* Two calls of one function, whose lanes then go together. */
	build_happens(b, CALLS_CALL, HIGH);
	build_happens(b, too, LOW);
	build_lanes(b, CALLS_LEAF, 4, FULL, CALLS_DATA, 4);
	build_leaves(b, too, LOW);
	build_lanes(b, CALLS_LEAF, 4, HIGH, CALLS_DATA, 4);
	build_leaves(b, CALLS_CALL, HIGH);
}

static uint64_t bits_of(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static void add_values(void)
{
	uint64_t address[CT_WARP_LANES], bytes[CT_WARP_LANES];

	build_lanes(b, CALLS_CAS, 4, 0x3, CALLS_DATA + 256, 0);
	build_value(b, CALLS_CAS, CT_PART_VALUE, 4, 0x3, 7, 0, 0);
	build_value(b, CALLS_CAS, CT_PART_COMPARE, 4, 0x3, 0, 0, 0);
	build_value(b, CALLS_CAS, CT_PART_RETURNED, 4, 0x3, 0, UINT64_MAX, 0);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		address[lane] = CALLS_DATA + 4096 * lane;
		bytes[lane] = 100 + lane;
	}
	build_range(b, CALLS_COPY, 0x80000001u, address, bytes);
	if (!(variant & CALLS_NO_BARRIERS)) {
		build_happens(b, CALLS_BARRIER, FULL);
		build_lanes(b, CALLS_SHARED, 2, FULL, CT_ADDRESS_IN(CT_SPACE_SHARED, 64), 2);
		/* 1, 1.25, 1.5, … */
		build_value(b, CALLS_SHARED, CT_PART_VALUE, 2, FULL, 0x3c00, 0x100, 0);
	}
	build_lanes(b, CALLS_VECTOR, 16, 0xf0, CALLS_DATA + 512, 16);
	build_value(b, CALLS_VECTOR, CT_PART_VALUE, 16, 0xf0,
		    variant & CALLS_OTHER_VALUE ? 0x404000003f800000u : 0x400000003f800000u, 0,
		    0xbf800000ff800000u);
	build_lanes(b, CALLS_WIDE, 32, 0x1, CALLS_DATA + 1024, 32);
	build_value(b, CALLS_WIDE, CT_PART_VALUE, 16, 0x1, bits_of(0.1), 0, bits_of(-2));
	build_value(b, CALLS_WIDE, CT_PART_VALUE + 1, 16, 0x1, bits_of(1e300), 0, bits_of(0));
	build_lanes(b, CALLS_REDUCE, 4, FULL, CALLS_DATA + 2048, 0);
	build_value(b, CALLS_REDUCE, CT_PART_VALUE, 4, FULL, 1, 0, 0);
	build_value(b, CALLS_REDUCE, CT_PART_RETURNED, 4, FULL, 5, 1, 0);
	build_lanes(b, (uint64_t)ct_unit_tag(CALLS_OTHER_ID) << 32, 8, 0xff, CALLS_DATA, 8);
}

/* The values of warp 1 come in a later chunk than their access. */
static void add_records(void)
{
	segment(0, 0);
	build_lanes(b, CALLS_LOAD, 4, FULL, CALLS_DATA, 4);
	build_value(b, CALLS_LOAD, CT_PART_VALUE, 4, FULL, (uint64_t)-3, 2, 0);
	add_calls();
	segment(1, 0);
	build_lanes(b, CALLS_LOAD, 4, FULL, CALLS_DATA + 128, 4);
	build_chunk_alone(b, 0);
	segment(0, 1);
	add_values();
	segment(1, 1);
	build_value(b, CALLS_LOAD, CT_PART_VALUE, 4, FULL, 40, 0, 0);
	build_chunk_alone(b, 1);
}

static void add_events(uint32_t ctas)
{
	b->unit_id = CALLS_UNIT_ID;
	b->unit_arch = 90;
	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 4);
	BUILD_EVENT(b, alloc, .address = CALLS_DATA, .bytes = 1 << 18, .object = 1,
		    .kind = CT_OBJECT_DEVICE,
		    .site = build_descriptor(b, "A|walk.cu|40|3|main|data|n"));
	BUILD_LAUNCH(b, .kernel_name = build_string(b, "_Z4walkPi"), .grid = {ctas}, .block = {64});
}

static int make(const char *directory, int level, void (*records)(struct ct_writer *writer))
{
	const struct ct_writer_options options = {.level = level};

	b = build_part(directory, &options);
	b->time_ns = TIME_NS;
	write_units(b->writer);
	add_events(records ? CALLS_CTAS : 1);
	if (records)
		records(b->writer);
	else
		add_records();
	build_done(b, 1);
	return build_close(b, "{\"format\": 2, \"program\": \"walk\", \"complete\": true}\n");
}

void calls_write_units(struct ct_writer *writer)
{
	variant = 0;
	write_units(writer);
}

int calls_make(const char *directory, int level, unsigned wanted)
{
	variant = wanted;
	return make(directory, level, NULL);
}

int calls_make_with(const char *directory, void (*records)(struct ct_writer *writer))
{
	variant = 0;
	return make(directory, 0, records);
}
