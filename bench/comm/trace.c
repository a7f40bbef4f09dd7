/* SPDX-License-Identifier: Apache-2.0 */
/* Tables, launches and chunks of a made-up trace. */
#include "trace.h"
#include "trace/write/writer.h"
#include <cudatrace/ring.h>
#include <cudatrace/unit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_ID 0xbe9c4be9c4be9c40ull
#define CHUNK_WORDS (CT_CHUNK_BYTES / 8)
#define SMS 132u
#define CALL 21u

static void check(int err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "bench_comm_trace: %s: error %d\n", what, err);
	exit(1);
}

static uint32_t sites_of(const struct bench_shape *shape)
{
	uint32_t count = 0;

	while (count < BENCH_SITES && shape->site[count].bytes)
		count++;
	return count;
}

static bool has_values(const struct bench_shape *shape)
{
	bool has = false;

	for (uint32_t s = 0; s < BENCH_SITES; s++)
		has |= shape->site[s].operation & BENCH_VALUES;
	return has;
}

static void write_unit(struct ct_writer *writer, const struct bench_shape *shape)
{
	struct {
		struct ct_unit_header header;
		struct ct_unit_kernel kernel;
		struct ct_unit_site site[BENCH_SITES];
		char text[64];
	} blob = {
	    .header = {.magic = CT_UNIT_MAGIC,
		       .version = CT_UNIT_VERSION,
		       .header_bytes = sizeof(blob.header),
		       .unit_id = UNIT_ID,
		       .arch = 90,
		       .kernel_count = 1,
		       .site_count = BENCH_SITES,
		       .string_bytes = sizeof(blob.text),
		       .source = 1,
		       .spaces = 1u << CT_SPACE_GLOBAL,
		       .kinds = CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC,
		       .values = has_values(shape)},
	    .kernel = {.name = 10, .display = 10, .file = 1, .line = 1},
	};

	memcpy(blob.text + 1, "bench.cu", sizeof("bench.cu"));
	snprintf(blob.text + 10, sizeof(blob.text) - 10, "%s", shape->name);
	for (uint32_t s = 0; s < BENCH_SITES; s++)
		blob.site[s] = (struct ct_unit_site){
		    .function = 10,
		    .file = 1,
		    .line = 2 + s,
		    .column = 1,
		    .inlined_at = CT_NONE,
		    .bytes = s < sites_of(shape) ? shape->site[s].bytes : 4,
		    .operation =
			s < sites_of(shape) ? shape->site[s].operation & (BENCH_VALUES - 1) : 1,
		    .space = shape->site[s].operation == CALL ? CT_SPACE_GENERIC : CT_SPACE_GLOBAL,
		    .flags = shape->site[s].operation & BENCH_VALUES ? CT_SITE_VALUES : 0,
		    .verdict = CT_VERDICT_GLOBAL,
		    .scalar = CT_SCALAR_FLOAT,
		    .scalar_bits = 32,
		    .vector_length = 1,
		};
	check(ct_writer_unit(writer, &blob, sizeof(blob)), "unit");
}

static void write_array(struct ct_writer *writer, enum bench_array array)
{
	static const char *const name[BENCH_ARRAYS] = {"a", "b", "c", "index"};
	struct ct_event_alloc event = {
	    .header = {CT_EVENT_ALLOC, 0, sizeof(event), 1},
	    .address = bench_at(array, 0),
	    .bytes = 4ull * BENCH_ELEMENTS,
	    .object = 1 + (uint32_t)array,
	    .kind = CT_OBJECT_DEVICE,
	};
	char site[128];

	snprintf(site, sizeof(site), "A\x1f%s\x1f%d\x1f%d\x1f%s\x1f%s\x1f%s", "bench.cu",
		 10 + (int)array, 1, "main", name[array], "n");
	check(ct_writer_string(writer, site, &event.site), "string");
	check(ct_writer_event(writer, &event.header), "allocation");
}

static void write_tables(struct ct_writer *writer, const struct bench_shape *shape)
{
	struct ct_event_device device = {
	    .header = {CT_EVENT_DEVICE, 0, sizeof(device), 1},
	    .arch = 90,
	    .sm_count = SMS,
	    .memory_bytes = 1ull << 36,
	};

	write_unit(writer, shape);
	check(ct_writer_string(writer, "made up", &device.name), "string");
	check(ct_writer_event(writer, &device.header), "device");
	for (uint32_t i = 0; i < BENCH_ARRAYS; i++)
		write_array(writer, (enum bench_array)i);
}

static void ship(struct bench_output *out)
{
	if (out->used)
		check(
		    ct_writer_stream_records(out->stream, out->ticket++, out->words, 8 * out->used),
		    "records");
	out->used = 0;
}

/* A segment's header, in the chunk at hand if there is room for some records, too. */
static void begin_segment(struct bench_output *out)
{
	bool is_short = out->used && !out->sequence;

	if (out->used + 2 + CT_RECORD_BYTES_MAX / 8 > CHUNK_WORDS) {
		ship(out);
		is_short = false;
	}
	if (is_short) {
		out->words[out->used++] = CT_SEGMENT_SHORT_WORD(out->warp, out->cta);
	} else {
		out->words[out->used++] =
		    CT_SEGMENT_WORD0(out->cta % SMS, out->sequence, out->launch);
		out->words[out->used++] = CT_SEGMENT_WORD1(out->warp, out->cta);
	}
	out->sequence++;
}

/* Room for a record of the warp; was it there already? */
static bool make_room(struct bench_output *out, uint32_t words)
{
	if (out->used + words <= CHUNK_WORDS)
		return true;
	ship(out);
	begin_segment(out);
	return false;
}

void bench_put(struct bench_output *out, uint32_t site, uint32_t bytes, uint32_t mask,
	       const uint64_t address[CT_WARP_LANES])
{
	make_room(out, CT_RECORD_BYTES_MAX / 8);
	out->used += ct_encode_access(out->words + out->used, site, bytes, mask, address);
	out->accesses += (uint32_t)__builtin_popcount(mask);
}

void bench_put_row(struct bench_output *out, uint32_t site, uint64_t first)
{
	make_room(out, 1);
	out->words[out->used++] = (uint64_t)CT_REC_AFFINE << CT_RECORD_KIND_SHIFT |
				  (uint64_t)site << CT_SITE_SHIFT | first;
	out->accesses += CT_WARP_LANES;
}

void bench_put_loop(struct bench_output *out, uint32_t site, uint32_t sites, uint64_t iterations,
		    const struct ct_loop_site *loop)
{
	make_room(out, 2 + 3 * sites);
	out->used += ct_encode_loop(out->words + out->used, site, sites, iterations, loop);
	out->accesses += CT_WARP_LANES * sites * iterations;
}

void bench_put_values(struct bench_output *out, uint32_t site, const uint64_t value[CT_WARP_LANES])
{
	static const uint64_t high[CT_WARP_LANES];

	make_room(out, CT_RECORD_BYTES_MAX / 8);
	out->used += ct_encode_value(out->words + out->used, site, CT_PART_VALUE, 4, CT_FULL_MASK,
				     value, high);
}

void bench_put_call(struct bench_output *out, uint32_t site, enum ct_event_phase phase)
{
	make_room(out, 1);
	out->used += ct_encode_event(out->words + out->used, site, phase, CT_FULL_MASK);
}

static void launch(struct bench_output *out, const struct bench_shape *shape)
{
	struct ct_event_launch event = {
	    .header = {CT_EVENT_LAUNCH, 0, sizeof(event), 1 + out->launch},
	    .launch = ++out->launch,
	    .unit_id = UNIT_ID,
	    .unit_arch = 90,
	    .grid = {shape->grid[0], shape->grid[1], 1},
	    .block = {shape->warps * CT_WARP_LANES, 1, 1},
	    .cluster = {1, 1, 1},
	    .flags = CT_LAUNCH_TRACED,
	};
	struct ct_event_launch_done done = {
	    .header = {CT_EVENT_LAUNCH_DONE, 0, sizeof(done), 2 + out->launch},
	    .launch = out->launch,
	};

	out->in = bench_at(out->launch % 2 ? BENCH_A : BENCH_C, 0);
	out->out = bench_at(out->launch % 2 ? BENCH_C : BENCH_A, 0);
	check(ct_writer_string(out->writer, shape->name, &event.kernel_name), "string");
	check(ct_writer_event(out->writer, &event.header), "launch");
	for (uint32_t cta = 0; cta < shape->grid[0] * shape->grid[1]; cta++)
		for (uint32_t warp = 0; warp < shape->warps; warp++) {
			out->cta = cta;
			out->warp = warp;
			out->sequence = 0;
			begin_segment(out);
			shape->put(out, cta, warp);
		}
	ship(out);
	check(ct_writer_event(out->writer, &done.header), "done");
}

uint64_t bench_write(const struct bench_shape *shape, uint64_t accesses, const char *directory,
		     uint64_t *record_bytes)
{
	const struct ct_writer_options options = {.level = 1};
	uint64_t words[CHUNK_WORDS];
	struct bench_output out = {.words = words};
	char why[256];

	if (ct_writer_open(&out.writer, directory, &options, why, sizeof(why)) < 0) {
		fprintf(stderr, "bench_comm_trace: %s\n", why);
		exit(1);
	}
	check(ct_writer_stream_open(&out.stream, out.writer, 0), "records");
	write_tables(out.writer, shape);
	while (out.accesses < accesses)
		launch(&out, shape);
	check(ct_writer_manifest(out.writer, "{\"version\": 1, \"program\": \"made up\", "
					     "\"complete\": true}"),
	      "manifest");
	check(ct_writer_stream_close(out.stream), "records");
	check(ct_writer_close(out.writer), "close");
	*record_bytes = out.ticket * CT_CHUNK_BYTES;
	return out.accesses;
}
