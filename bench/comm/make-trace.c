/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_comm_trace PATTERN ACCESSES DIR: a large trace, as fast as it can be written.
 *   regular  launches that load one array and store another, turn about; every
 *            CTA loads what its neighbour stored: whole warps, consecutive addresses
 *   stencil  a five-point stencil in two dimensions, likewise
 *   random   every thread loads four bytes from anywhere, then stores its own
 * ACCESSES are those of threads, at least. Prints how many there are, and the
 * bytes of records.
 */
#include "trace/write/writer.h"
#include <cudatrace/encode.h>
#include <cudatrace/ring.h>
#include <cudatrace/unit.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_ID 0xbe9c4be9c4be9c40ull
#define ARRAY_A 0x7f0000000000ull
#define ARRAY_B 0x7f8000000000ull
#define ELEMENTS (1ull << 25) /* of four bytes, in each array */
#define CTAS 1024ull
#define WARPS 8ull
#define ROW (1ull << 12) /* elements of a row of the stencil */
#define CHUNK_WORDS (CT_CHUNK_BYTES / 8)
#define WARP_ELEMENTS ((uint64_t)CT_WARP_LANES)

enum site { LOAD, STORE, SITES };

struct output {
	struct ct_writer *writer;
	struct ct_writer_stream *stream;
	uint64_t words[CHUNK_WORDS];
	uint32_t used;
	uint64_t ticket, accesses;
	uint32_t launch;
	uint64_t cta, warp, sequence;
	uint64_t random;
};

static void check(int err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "bench_comm_trace: %s: error %d\n", what, err);
	exit(1);
}

/* ---- tables */

static void write_unit(struct ct_writer *writer)
{
	static const char text[64] = "\0bench.cu\0_Z4stepPKfPf\0step(float const*, float*)";
	struct {
		struct ct_unit_header header;
		struct ct_unit_kernel kernel;
		struct ct_unit_site site[SITES];
		char text[sizeof(text)];
	} blob = {
	    .header = {.magic = CT_UNIT_MAGIC,
		       .version = CT_UNIT_VERSION,
		       .header_bytes = sizeof(blob.header),
		       .unit_id = UNIT_ID,
		       .arch = 90,
		       .kernel_count = 1,
		       .site_count = SITES,
		       .string_bytes = sizeof(text),
		       .source = 1,
		       .spaces = 1u << CT_SPACE_GLOBAL,
		       .kinds = CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC},
	    .kernel = {.name = 10, .display = 25, .file = 1, .line = 1},
	};

	memcpy(blob.text, text, sizeof(text));
	for (uint32_t s = 0; s < SITES; s++)
		blob.site[s] = (struct ct_unit_site){
		    .function = 10,
		    .file = 1,
		    .line = 2 + s,
		    .column = 1,
		    .inlined_at = CT_NONE,
		    .bytes = 4,
		    .operation = s == LOAD ? 1 : 2,
		    .space = CT_SPACE_GLOBAL,
		    .verdict = CT_VERDICT_GLOBAL,
		    .scalar = CT_SCALAR_FLOAT,
		    .scalar_bits = 32,
		    .vector_length = 1,
		};
	check(ct_writer_unit(writer, &blob, sizeof(blob)), "unit");
}

static void write_array(struct ct_writer *writer, uint32_t object, uint64_t address,
			const char *site)
{
	struct ct_event_alloc event = {
	    .header = {CT_EVENT_ALLOC, 0, sizeof(event), 1},
	    .address = address,
	    .bytes = 4 * ELEMENTS,
	    .object = object,
	    .kind = CT_OBJECT_DEVICE,
	};

	check(ct_writer_string(writer, site, &event.site), "string");
	check(ct_writer_event(writer, &event.header), "allocation");
}

static void write_tables(struct ct_writer *writer)
{
	struct ct_event_device device = {
	    .header = {CT_EVENT_DEVICE, 0, sizeof(device), 1},
	    .arch = 90,
	    .sm_count = 132,
	    .memory_bytes = 1ull << 36,
	};

	write_unit(writer);
	check(ct_writer_string(writer, "made up", &device.name), "string");
	check(ct_writer_event(writer, &device.header), "device");
	write_array(writer, 1, ARRAY_A,
		    "A\x1f"
		    "bench.cu\x1f"
		    "10\x1f"
		    "1\x1fmain\x1fx\x1fn");
	write_array(writer, 2, ARRAY_B,
		    "A\x1f"
		    "bench.cu\x1f"
		    "11\x1f"
		    "1\x1fmain\x1fy\x1fn");
}

/* ---- records */

static void ship(struct output *out)
{
	if (out->used)
		check(
		    ct_writer_stream_records(out->stream, out->ticket++, out->words, 8 * out->used),
		    "records");
	out->used = 0;
}

static void begin_segment(struct output *out)
{
	ship(out);
	out->words[0] = CT_SEGMENT_WORD0(out->cta % 132, out->sequence, out->launch);
	out->words[1] = CT_SEGMENT_WORD1(out->warp, out->cta);
	out->sequence++;
	out->used = 2;
}

static void begin_warp(struct output *out, uint64_t cta, uint64_t warp)
{
	out->cta = cta;
	out->warp = warp;
	out->sequence = 0;
	begin_segment(out);
}

/* The whole warp, consecutive elements. */
static inline void put_row(struct output *out, enum site site, uint64_t address)
{
	if (out->used == CHUNK_WORDS)
		begin_segment(out);
	out->words[out->used++] = (uint64_t)CT_REC_AFFINE << CT_RECORD_KIND_SHIFT |
				  (uint64_t)site << CT_SITE_SHIFT | address;
	out->accesses += CT_WARP_LANES;
}

static inline uint64_t next_random(struct output *out)
{
	out->random ^= out->random << 13;
	out->random ^= out->random >> 7;
	out->random ^= out->random << 17;
	return out->random;
}

static void put_gather(struct output *out, uint64_t array)
{
	uint64_t address[CT_WARP_LANES];

	if (out->used + CT_RECORD_BYTES_MAX / 8 > CHUNK_WORDS)
		begin_segment(out);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = array + 4 * (next_random(out) % ELEMENTS);
	out->used += ct_encode_access(out->words + out->used, LOAD, 4, CT_FULL_MASK, address);
	out->accesses += CT_WARP_LANES;
}

/* ---- launches */

static void put_regular(struct output *out, uint64_t element, uint64_t in, uint64_t to)
{
	uint64_t beside = (element + WARPS * WARP_ELEMENTS) % ELEMENTS;

	put_row(out, LOAD, in + 4 * beside);
	put_row(out, STORE, to + 4 * element);
}

static void put_stencil(struct output *out, uint64_t element, uint64_t in, uint64_t to)
{
	static const int64_t offset[] = {0, -1, 1, -(int64_t)ROW, (int64_t)ROW};

	for (int i = 0; i < 5; i++) {
		uint64_t at = element + (uint64_t)offset[i];

		if (at < ELEMENTS - WARP_ELEMENTS)
			put_row(out, LOAD, in + 4 * at);
	}
	put_row(out, STORE, to + 4 * element);
}

static void put_random(struct output *out, uint64_t element, uint64_t in, uint64_t to)
{
	put_gather(out, in);
	put_row(out, STORE, to + 4 * element);
}

typedef void put_function(struct output *out, uint64_t element, uint64_t in, uint64_t to);

/* Warps stride over the grid: warp w of CTA c takes rows (j * CTAS + c) * WARPS + w. */
static void write_launch(struct output *out, put_function *put)
{
	struct ct_event_launch launch = {
	    .header = {CT_EVENT_LAUNCH, 0, sizeof(launch), 1 + out->launch},
	    .launch = ++out->launch,
	    .unit_id = UNIT_ID,
	    .unit_arch = 90,
	    .grid = {CTAS, 1, 1},
	    .block = {WARPS * CT_WARP_LANES, 1, 1},
	    .cluster = {1, 1, 1},
	    .flags = CT_LAUNCH_TRACED,
	};
	struct ct_event_launch_done done = {
	    .header = {CT_EVENT_LAUNCH_DONE, 0, sizeof(done), 2 + out->launch},
	    .launch = out->launch,
	};
	uint64_t in = out->launch % 2 ? ARRAY_A : ARRAY_B;
	uint64_t to = out->launch % 2 ? ARRAY_B : ARRAY_A;

	check(ct_writer_string(out->writer, "_Z4stepPKfPf", &launch.kernel_name), "string");
	check(ct_writer_event(out->writer, &launch.header), "launch");
	for (uint64_t cta = 0; cta < CTAS; cta++)
		for (uint64_t warp = 0; warp < WARPS; warp++) {
			begin_warp(out, cta, warp);
			for (uint64_t row = cta * WARPS + warp; row < ELEMENTS / WARP_ELEMENTS;
			     row += CTAS * WARPS)
				put(out, row * WARP_ELEMENTS, in, to);
		}
	ship(out);
	check(ct_writer_event(out->writer, &done.header), "done");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		put_function *put;
	} patterns[] = {{"regular", put_regular}, {"stencil", put_stencil}, {"random", put_random}};
	const struct ct_writer_options options = {.level = 1};
	struct output *out = calloc(1, sizeof(*out));
	put_function *put = NULL;
	uint64_t wanted = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
	char why[256];

	for (size_t i = 0; wanted && i < sizeof(patterns) / sizeof(*patterns); i++)
		if (!strcmp(argv[1], patterns[i].name))
			put = patterns[i].put;
	if (!out || !put) {
		fprintf(stderr, "usage: bench_comm_trace regular|stencil|random ACCESSES DIR\n");
		return 2;
	}
	out->random = 0x2545f4914f6cdd1dull;
	if (ct_writer_open(&out->writer, argv[3], &options, why, sizeof(why)) < 0) {
		fprintf(stderr, "bench_comm_trace: %s\n", why);
		return 1;
	}
	check(ct_writer_stream_open(&out->stream, out->writer, 0), "records");
	write_tables(out->writer);
	while (out->accesses < wanted)
		write_launch(out, put);
	check(ct_writer_manifest(out->writer, "{\"version\": 1, \"program\": \"made up\", "
					      "\"complete\": true}"),
	      "manifest");
	check(ct_writer_stream_close(out->stream), "records");
	check(ct_writer_close(out->writer), "close");
	printf("%" PRIu64 " %" PRIu64 "\n", out->accesses, out->ticket * CT_CHUNK_BYTES);
	free(out);
	return 0;
}
