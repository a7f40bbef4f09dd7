/* SPDX-License-Identifier: Apache-2.0 */
/* A trace with all that version 2 of the format added. */
#include "tests/unit/trace/trace_calls.h"
#include "tests/unit/trace/one_chunk.h"

#include "trace/write/writer.h"

#include <cudatrace/encode.h>
#include <cudatrace/unit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FULL CT_FULL_MASK
#define LOW 0x0000ffffu
#define HIGH 0xffff0000u
#define TIME_NS 1800000000000000000u

enum { LOAD = 1, STORE = 2, ADD = 3, CAS = 10, BARRIER = 19, CALL = 21, BULK_LOAD = 27 };

static struct ct_writer *writer;
static unsigned variant;

/* ---- units */

struct blob {
	struct ct_unit_header header;
	struct ct_unit_kernel kernels[1];
	struct ct_unit_site sites[CALLS_SITES];
	struct ct_unit_frame frames[1];
	char strings[1024];
};

static uint32_t put(struct blob *blob, const char *text)
{
	uint32_t at = blob->header.string_bytes;

	memcpy(blob->strings + at, text, strlen(text) + 1);
	blob->header.string_bytes += (uint32_t)strlen(text) + 1;
	return at;
}

static struct ct_unit_site *add(struct blob *blob, const char *function, uint32_t line,
				uint8_t operation, uint32_t bytes, uint8_t scalar, uint16_t bits)
{
	struct ct_unit_site *site = &blob->sites[blob->header.site_count++];

	*site = (struct ct_unit_site){
	    .function = put(blob, function),
	    .kernel = blob->header.kernel_count && !strcmp(function, "_Z4walkPi") ? 0 : CT_NONE,
	    .file = put(blob, "walk.cu"),
	    .line = line,
	    .column = 3,
	    .inlined_at = CT_NONE,
	    .bytes = bytes,
	    .operation = operation,
	    .space = operation == BARRIER || operation == CALL ? CT_SPACE_GENERIC : CT_SPACE_GLOBAL,
	    .verdict = CT_VERDICT_GLOBAL,
	    .scalar = scalar,
	    .scalar_bits = bits,
	    .vector_length = bits ? (uint16_t)(8 * bytes / bits) : 1,
	};
	return site;
}

static void add_sites(struct blob *blob)
{
	const char *kernel = "_Z4walkPi", *leaf = "_Z4leafPfi";
	struct ct_unit_site *site;

	add(blob, kernel, 10, LOAD, 4, CT_SCALAR_INTEGER, 32)->flags = CT_SITE_VALUES;
	add(blob, kernel, 11, CALL, 0, 0, 0)->reason = put(blob, leaf);
	add(blob, kernel, 13, CALL, 0, 0, 0)->reason = put(blob, leaf);
	site = add(blob, leaf, 3, LOAD, 4, CT_SCALAR_FLOAT, 32);
	site->verdict = CT_VERDICT_CHECKED;
	site->inlined_at = 0;
	site->pattern = put(blob, "u-");
	add(blob, leaf, 4, CALL, 0, 0, 0)->reason = put(blob, leaf);
	add(blob, kernel, 14, CAS, 4, CT_SCALAR_INTEGER, 32)->flags = CT_SITE_VALUES;
	add(blob, kernel, 15, BULK_LOAD, 0, 0, 0)->flags = CT_SITE_RANGE;
	add(blob, kernel, 16, BARRIER, 0, 0, 0)->reason = put(blob, "__syncthreads");
	site = add(blob, kernel, 17, LOAD, 2, CT_SCALAR_FLOAT, 16);
	site->space = CT_SPACE_SHARED;
	site->flags = CT_SITE_VALUES;
	add(blob, kernel, 18, STORE, 16, CT_SCALAR_FLOAT, 32)->flags = CT_SITE_VALUES;
	add(blob, kernel, 19, LOAD, 32, CT_SCALAR_FLOAT, 64)->flags = CT_SITE_VALUES;
	add(blob, kernel, 20, ADD, 4, CT_SCALAR_INTEGER, 32)->flags =
	    CT_SITE_VALUES | CT_SITE_REDUCTION;
	site = add(blob, kernel, 21, STORE, 4, CT_SCALAR_INTEGER, 32);
	site->space = CT_SPACE_LOCAL;
	site->verdict = CT_VERDICT_ELSEWHERE;
	site = add(blob, leaf, 5, STORE, 4, CT_SCALAR_FLOAT, 32);
	site->verdict = CT_VERDICT_FILTERED;
	site->reason = put(blob, "--ct-files=a.cu");
	site = add(blob, kernel, 22, LOAD, 8, CT_SCALAR_INTEGER, 64);
	site->space = CT_SPACE_GENERIC;
	site->verdict = CT_VERDICT_SKIPPED;
	site->reason = put(blob, "inline assembly: ld.weird");
}

static struct blob *make_blob(uint64_t id, uint32_t arch, const char *source)
{
	struct blob *blob = calloc(1, sizeof(*blob));

	blob->header = (struct ct_unit_header){
	    .magic = CT_UNIT_MAGIC,
	    .version = CT_UNIT_VERSION,
	    .header_bytes = sizeof(blob->header),
	    .unit_id = id,
	    .arch = arch,
	    .string_bytes = 1,
	    .spaces =
		1u << CT_SPACE_GLOBAL | (variant & CALLS_NO_BARRIERS ? 0 : 1u << CT_SPACE_SHARED),
	    .kinds = CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC,
	    .events = variant & CALLS_NO_BARRIERS ? 0 : CT_UNIT_BARRIERS,
	    .values = 1,
	};
	blob->header.source = put(blob, source);
	return blob;
}

/* The tables close up to what is used of them. */
static void write_blob(struct blob *blob)
{
	const struct ct_unit_header *header = &blob->header;
	char packed[sizeof(*blob)], *at = packed;

	memcpy(at, header, sizeof(*header));
	at += sizeof(*header);
	memcpy(at, blob->kernels, header->kernel_count * sizeof(*blob->kernels));
	at += header->kernel_count * sizeof(*blob->kernels);
	memcpy(at, blob->sites, header->site_count * sizeof(*blob->sites));
	at += header->site_count * sizeof(*blob->sites);
	memcpy(at, blob->frames, header->frame_count * sizeof(*blob->frames));
	at += header->frame_count * sizeof(*blob->frames);
	memcpy(at, blob->strings, header->string_bytes);
	ct_writer_unit(writer, packed, (size_t)(at + header->string_bytes - packed));
	free(blob);
}

static void write_units(void)
{
	struct blob *blob = make_blob(CALLS_UNIT_ID, 90, "walk.cu");

	blob->header.kernel_count = 1;
	blob->kernels[0] = (struct ct_unit_kernel){
	    .name = put(blob, "_Z4walkPi"),
	    .display = put(blob, "walk(int*)"),
	    .file = put(blob, "walk.cu"),
	    .line = 9,
	};
	blob->header.frame_count = 1;
	blob->frames[0] =
	    (struct ct_unit_frame){put(blob, "_Z4leafPfi"), put(blob, "walk.cu"), 7, 5, CT_NONE};
	add_sites(blob);
	write_blob(blob);
	for (uint32_t arch = 80; arch <= 86; arch += 6) {
		blob = make_blob(CALLS_OTHER_ID, arch, "remote.cu");
		add(blob, "_Z6remotePd", arch, STORE, 8, CT_SCALAR_FLOAT, 64);
		write_blob(blob);
	}
}

/* ---- records */

static uint64_t words[4096];
static uint32_t used;

static void segment(uint32_t warp, uint32_t sequence)
{
	words[used++] = CT_SEGMENT_WORD0(2, sequence, 1);
	words[used++] = CT_SEGMENT_WORD1(warp, 0);
}

static void ship(uint64_t ticket)
{
	write_one_chunk(writer, 0, ticket, words, 8 * used);
	used = 0;
}

/* Lane l accesses base + l * stride. */
static void access(uint64_t site, uint32_t bytes, uint32_t mask, uint64_t base, uint64_t stride)
{
	uint64_t address[CT_WARP_LANES];

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = base + lane * stride;
	used += ct_encode_access(words + used, site, bytes, mask, address);
}

/* Lane l has first + l * step. */
static void value(uint64_t site, uint32_t part, uint32_t bytes, uint32_t mask, uint64_t first,
		  uint64_t step, uint64_t high)
{
	uint64_t low[CT_WARP_LANES], highs[CT_WARP_LANES];

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		low[lane] = first + lane * step;
		highs[lane] = high;
	}
	used += ct_encode_value(words + used, site, part, bytes, mask, low, highs);
}

static void event(uint64_t site, uint32_t phase, uint32_t mask)
{
	used += ct_encode_event(words + used, site, phase, mask);
}

static void write_calls(void)
{
	uint64_t too = variant & CALLS_OTHER_PATH ? CALLS_CALL : CALLS_CALL_TOO;

	event(CALLS_CALL, CT_PHASE_HAPPENS, LOW);
	access(CALLS_LEAF, 4, LOW, CALLS_DATA, 4);
	event(CALLS_AGAIN, CT_PHASE_HAPPENS, 0xff);
	access(CALLS_LEAF, 4, 0xff, CALLS_DATA, 4);
	event(CALLS_AGAIN, CT_PHASE_HAPPENS, 0xf);
	access(CALLS_LEAF, 4, 0xf, CALLS_DATA, 4);
	event(CALLS_AGAIN, CT_PHASE_LEAVE, 0xf);
	event(CALLS_AGAIN, CT_PHASE_LEAVE, 0xff);
	access(CALLS_LEAF, 4, LOW, CALLS_DATA + 64, 4);
	event(CALLS_CALL, CT_PHASE_LEAVE, LOW);
	/* Two calls of one function, whose lanes then go together. */
	event(CALLS_CALL, CT_PHASE_HAPPENS, HIGH);
	event(too, CT_PHASE_HAPPENS, LOW);
	access(CALLS_LEAF, 4, FULL, CALLS_DATA, 4);
	event(too, CT_PHASE_LEAVE, LOW);
	access(CALLS_LEAF, 4, HIGH, CALLS_DATA, 4);
	event(CALLS_CALL, CT_PHASE_LEAVE, HIGH);
}

static uint64_t bits_of(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static void write_values(void)
{
	uint64_t address[CT_WARP_LANES], bytes[CT_WARP_LANES];

	access(CALLS_CAS, 4, 0x3, CALLS_DATA + 256, 0);
	value(CALLS_CAS, CT_PART_VALUE, 4, 0x3, 7, 0, 0);
	value(CALLS_CAS, CT_PART_COMPARE, 4, 0x3, 0, 0, 0);
	value(CALLS_CAS, CT_PART_RETURNED, 4, 0x3, 0, UINT64_MAX, 0);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		address[lane] = CALLS_DATA + 4096 * lane;
		bytes[lane] = 100 + lane;
	}
	used += ct_encode_range(words + used, CALLS_COPY, 0x80000001u, address, bytes);
	if (!(variant & CALLS_NO_BARRIERS)) {
		event(CALLS_BARRIER, CT_PHASE_HAPPENS, FULL);
		access(CALLS_SHARED, 2, FULL, CT_ADDRESS_IN(CT_SPACE_SHARED, 64), 2);
		/* 1, 1.25, 1.5, … */
		value(CALLS_SHARED, CT_PART_VALUE, 2, FULL, 0x3c00, 0x100, 0);
	}
	access(CALLS_VECTOR, 16, 0xf0, CALLS_DATA + 512, 16);
	value(CALLS_VECTOR, CT_PART_VALUE, 16, 0xf0,
	      variant & CALLS_OTHER_VALUE ? 0x404000003f800000u : 0x400000003f800000u, 0,
	      0xbf800000ff800000u);
	access(CALLS_WIDE, 32, 0x1, CALLS_DATA + 1024, 32);
	value(CALLS_WIDE, CT_PART_VALUE, 16, 0x1, bits_of(0.1), 0, bits_of(-2));
	value(CALLS_WIDE, CT_PART_VALUE + 1, 16, 0x1, bits_of(1e300), 0, bits_of(0));
	access(CALLS_REDUCE, 4, FULL, CALLS_DATA + 2048, 0);
	value(CALLS_REDUCE, CT_PART_VALUE, 4, FULL, 1, 0, 0);
	value(CALLS_REDUCE, CT_PART_RETURNED, 4, FULL, 5, 1, 0);
	access((uint64_t)ct_unit_tag(CALLS_OTHER_ID) << 32, 8, 0xff, CALLS_DATA, 8);
}

/* The values of warp 1 come in a later chunk than their access. */
static void write_records(void)
{
	segment(0, 0);
	access(CALLS_LOAD, 4, FULL, CALLS_DATA, 4);
	value(CALLS_LOAD, CT_PART_VALUE, 4, FULL, (uint64_t)-3, 2, 0);
	write_calls();
	segment(1, 0);
	access(CALLS_LOAD, 4, FULL, CALLS_DATA + 128, 4);
	ship(0);
	segment(0, 1);
	write_values();
	segment(1, 1);
	value(CALLS_LOAD, CT_PART_VALUE, 4, FULL, 40, 0, 0);
	ship(1);
}

/* ---- events */

static uint32_t string_id(const char *string)
{
	uint32_t id = 0;

	ct_writer_string(writer, string, &id);
	return id;
}

static void write_events(uint32_t ctas)
{
	struct ct_event_device device = {
	    .header = {CT_EVENT_DEVICE, 0, sizeof(device), TIME_NS},
	    .name = string_id("Demo device"),
	    .arch = 90,
	    .sm_count = 4,
	};
	struct ct_event_alloc alloc = {
	    .header = {CT_EVENT_ALLOC, 0, sizeof(alloc), TIME_NS},
	    .address = CALLS_DATA,
	    .bytes = 1 << 18,
	    .object = 1,
	    .kind = CT_OBJECT_DEVICE,
	    .site = string_id("A\x1fwalk.cu\x1f"
			      "40\x1f"
			      "3\x1fmain\x1f"
			      "data\x1f"
			      "n"),
	};
	struct ct_event_launch launch = {
	    .header = {CT_EVENT_LAUNCH, 0, sizeof(launch), TIME_NS},
	    .launch = 1,
	    .unit_id = CALLS_UNIT_ID,
	    .unit_arch = 90,
	    .kernel_name = string_id("_Z4walkPi"),
	    .grid = {ctas, 1, 1},
	    .block = {64, 1, 1},
	    .cluster = {1, 1, 1},
	    .flags = CT_LAUNCH_TRACED,
	};

	ct_writer_event(writer, &device.header);
	ct_writer_event(writer, &alloc.header);
	ct_writer_event(writer, &launch.header);
}

static int make(const char *directory, int level, void (*records)(struct ct_writer *writer))
{
	const struct ct_writer_options options = {.level = level};
	struct ct_event_launch_done done = {
	    .header = {CT_EVENT_LAUNCH_DONE, 0, sizeof(done), TIME_NS},
	    .launch = 1,
	};
	char why[256];
	int err = ct_writer_open(&writer, directory, &options, why, sizeof(why));

	if (err < 0)
		return err;
	write_units();
	write_events(records ? CALLS_CTAS : 1);
	if (records)
		records(writer);
	else
		write_records();
	ct_writer_event(writer, &done.header);
	ct_writer_manifest(writer, "{\"format\": 2, \"program\": \"walk\", \"complete\": true}\n");
	return ct_writer_close(writer);
}

void calls_write_units(struct ct_writer *to)
{
	writer = to;
	variant = 0;
	write_units();
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
