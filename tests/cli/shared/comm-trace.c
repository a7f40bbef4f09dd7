/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write a trace whose communication is known: ctpost-comm-trace DIR VARIANT
 *   shift  docs/communication.md, section 3: four CTAs, each reads what the next one wrote
 *   halo   eight CTAs exchange halos in 24 launches; one CTA adds all up; one launch is
 *          not traced, one is in a stream of its own that nothing orders
 *   parts  shift in two processes, at the same addresses
 *   wide   200 launches of 60000 CTAs, of which the first four store
 */
#include "trace/write/writer.h"
#include <cudatrace/encode.h>
#include <cudatrace/ring.h>
#include <cudatrace/unit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_ID 0x00c0ffee00c0ffeeull
#define START_NS 1750000000000000000ull
#define THREADS 32u
#define PART_BYTES (4ull * THREADS) /* of an array, by CTA */
#define A 0x7f0000000000ull
#define B 0x7f0000100000ull
#define SUM 0x7f0000200000ull
#define HOST 0x550000000000ull
#define ATOMIC_ADD 3
#define CHUNK_WORDS (CT_CHUNK_BYTES / 8)

static struct ct_writer *writer;
static struct ct_writer_stream *stream;
static uint64_t words[CHUNK_WORDS], ticket;
static uint32_t used, launch_now, event_now;

static void check(int err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "ctpost-comm-trace: %s: error %d\n", what, err);
	exit(1);
}

static uint32_t id_of(const char *text)
{
	uint32_t id;

	check(ct_writer_string(writer, text, &id), "string");
	return id;
}

/* ---- the unit: put and take of shift; fill, pass and total of halo */

enum { PUT, TAKE_LOAD, TAKE_STORE, FILL, PASS_LOAD, PASS_STORE, TOTAL_LOAD, TOTAL_ADD, SITES };
enum { KERNEL_PUT, KERNEL_TAKE, KERNEL_FILL, KERNEL_PASS, KERNEL_TOTAL, KERNELS };

static const struct {
	const char *symbol, *display;
} kernel_names[KERNELS] = {
    {"_Z3putPi", "put(int*)"},
    {"_Z4takePiPKi", "take(int*, int const*)"},
    {"_Z4fillPi", "fill(int*)"},
    {"_Z4passPiPKi", "pass(int*, int const*)"},
    {"_Z5totalPKi", "total(int const*)"},
};

static const struct {
	uint32_t kernel, line, column;
	uint8_t operation;
} site_facts[SITES] = {
    [PUT] = {KERNEL_PUT, 3, 27, 2},           [TAKE_LOAD] = {KERNEL_TAKE, 7, 29, 1},
    [TAKE_STORE] = {KERNEL_TAKE, 7, 27, 2},   [FILL] = {KERNEL_FILL, 11, 9, 2},
    [PASS_LOAD] = {KERNEL_PASS, 21, 14, 1},   [PASS_STORE] = {KERNEL_PASS, 22, 9, 2},
    [TOTAL_LOAD] = {KERNEL_TOTAL, 31, 14, 1}, [TOTAL_ADD] = {KERNEL_TOTAL, 32, 9, ATOMIC_ADD},
};

static char strings[4096];
static uint32_t string_bytes;

static uint32_t string(const char *text)
{
	uint32_t at = string_bytes;

	memcpy(strings + at, text, strlen(text) + 1);
	string_bytes += (uint32_t)strlen(text) + 1;
	return at;
}

static void write_unit(const char *file)
{
	struct ct_unit_kernel kernels[KERNELS] = {0};
	struct ct_unit_site sites[SITES];
	char blob[8192], *at = blob;

	string_bytes = 1;
	for (uint32_t k = 0; k < KERNELS; k++) {
		kernels[k].name = string(kernel_names[k].symbol);
		kernels[k].display = string(kernel_names[k].display);
	}
	for (uint32_t s = 0; s < SITES; s++)
		sites[s] = (struct ct_unit_site){
		    .function = string(kernel_names[site_facts[s].kernel].symbol),
		    .kernel = site_facts[s].kernel,
		    .file = string(file),
		    .line = site_facts[s].line,
		    .column = site_facts[s].column,
		    .inlined_at = CT_NONE,
		    .bytes = 4,
		    .operation = site_facts[s].operation,
		    .space = CT_SPACE_GLOBAL,
		    .verdict = CT_VERDICT_GLOBAL,
		    .scalar = CT_SCALAR_INTEGER,
		    .scalar_bits = 32,
		    .vector_length = 1,
		};

	struct ct_unit_header header = {
	    .magic = CT_UNIT_MAGIC,
	    .version = CT_UNIT_VERSION,
	    .header_bytes = sizeof(header),
	    .unit_id = UNIT_ID,
	    .arch = 90,
	    .kernel_count = KERNELS,
	    .site_count = SITES,
	    .string_bytes = string_bytes,
	    .spaces = 1u << CT_SPACE_GLOBAL,
	    .kinds = CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC,
	};

	memcpy(at, &header, sizeof(header));
	memcpy(at += sizeof(header), kernels, sizeof(kernels));
	memcpy(at += sizeof(kernels), sites, sizeof(sites));
	memcpy(at += sizeof(sites), strings, string_bytes);
	check(ct_writer_unit(writer, blob, (size_t)(at + string_bytes - blob)), "unit");
}

/* ---- records: all of them of full warps, in an order that no launch depends on */

static void ship(void)
{
	if (used)
		check(ct_writer_stream_records(stream, ticket++, words, used * 8), "records");
	used = 0;
}

/* A warp accesses consecutive ints, or one (stride 0). */
static void put(uint64_t cta, int site, uint64_t base, uint64_t stride)
{
	uint64_t address[CT_WARP_LANES], record[CT_RECORD_BYTES_MAX / 8];
	uint32_t n;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = base + lane * stride;
	n = ct_encode_access(record, (uint32_t)site, 4, CT_FULL_MASK, address);
	if (used + 2 + n > CHUNK_WORDS)
		ship();
	words[used++] = CT_SEGMENT_WORD0(cta % 2, 0, launch_now);
	words[used++] = CT_SEGMENT_WORD1(0, cta);
	memcpy(words + used, record, n * 8);
	used += n;
}

/* ---- events */

static uint64_t now(void)
{
	return START_NS + 1000ull * event_now++;
}

static void begin(int kernel, uint32_t ctas, uint64_t stream, const char *reason)
{
	struct ct_event_launch event = {
	    .header = {CT_EVENT_LAUNCH, 0, sizeof(event), now()},
	    .launch = ++launch_now,
	    .unit_id = UNIT_ID,
	    .unit_arch = 90,
	    .kernel_name = id_of(kernel_names[kernel].symbol),
	    .grid = {ctas, 1, 1},
	    .block = {THREADS, 1, 1},
	    .cluster = {1, 1, 1},
	    .flags = *reason ? 0 : CT_LAUNCH_TRACED,
	    .stream = stream,
	    .reason = id_of(reason),
	};

	check(ct_writer_event(writer, &event.header), "launch");
}

static void done(void)
{
	struct ct_event_launch_done event = {
	    .header = {CT_EVENT_LAUNCH_DONE, 0, sizeof(event), now()},
	    .launch = launch_now,
	};

	ship();
	check(ct_writer_event(writer, &event.header), "done");
}

static void transfer_rows(uint32_t id, uint32_t kind, uint64_t target, uint64_t source,
			  uint64_t bytes, uint64_t rows)
{
	struct ct_event_transfer event = {
	    .header = {CT_EVENT_TRANSFER, 0, sizeof(event), now()},
	    .target = target,
	    .source = source,
	    .width = bytes,
	    .height = rows,
	    .depth = 1,
	    .transfer = id,
	    .kind = kind,
	    .flags = CT_TRANSFER_WAITED,
	    .call = id_of(kind == CT_TRANSFER_SET ? "cudaMemset" : "cudaMemcpy"),
	};

	check(ct_writer_event(writer, &event.header), "transfer");
}

static void transfer(uint32_t id, uint32_t kind, uint64_t target, uint64_t source, uint64_t bytes)
{
	transfer_rows(id, kind, target, source, bytes, 1);
}

static void alloc(uint32_t object, uint32_t kind, uint64_t address, uint64_t bytes,
		  const char *site)
{
	struct ct_event_alloc event = {
	    .header = {CT_EVENT_ALLOC, 0, sizeof(event), now()},
	    .address = address,
	    .bytes = bytes,
	    .object = object,
	    .kind = kind,
	    .site = id_of(site),
	};

	check(ct_writer_event(writer, &event.header), "alloc");
}

static void write_start(const char *file, uint32_t ctas)
{
	struct ct_event_device device = {
	    .header = {CT_EVENT_DEVICE, 0, sizeof(device), now()},
	    .name = id_of("Test GPU"),
	    .arch = 90,
	    .sm_count = 2,
	};
	char site[2][256];

	for (int i = 0; i < 2; i++)
		snprintf(site[i], sizeof(site[i]),
			 "A\x1f%s\x1f%d\x1f%d\x1fmain\x1f%s\x1fn * sizeof(int)", file, 40 + i, 3,
			 i ? "b" : "a");
	check(ct_writer_event(writer, &device.header), "device");
	alloc(1, CT_OBJECT_DEVICE, A, ctas * PART_BYTES, site[0]);
	alloc(2, CT_OBJECT_DEVICE, B, ctas * PART_BYTES, site[1]);
}

/* ---- the programs */

static void make_shift(void)
{
	write_unit("shift.cu");
	write_start("shift.cu", 4);
	begin(KERNEL_PUT, 4, 0, "");
	for (uint64_t cta = 0; cta < 4; cta++)
		put(cta, PUT, A + cta * PART_BYTES, 4);
	done();
	begin(KERNEL_TAKE, 4, 0, "");
	for (uint64_t cta = 0; cta < 4; cta++) {
		put(cta, TAKE_LOAD, A + (cta + 1) % 4 * PART_BYTES, 4);
		put(cta, TAKE_STORE, B + cta * PART_BYTES, 4);
	}
	done();
	transfer(1, CT_TRANSFER_COPY, HOST, B, 4 * PART_BYTES);
}

static void run_pass(uint64_t from, uint64_t to, uint64_t stream)
{
	begin(KERNEL_PASS, 8, stream, "");
	for (uint64_t cta = 0; cta < 8; cta++) {
		for (uint64_t other = cta ? cta - 1 : 0; other <= cta + 1 && other < 8; other++)
			put(cta, PASS_LOAD, from + other * PART_BYTES, 4);
		put(cta, PASS_STORE, to + cta * PART_BYTES, 4);
	}
	done();
}

static void make_halo(void)
{
	struct ct_event_stream stream = {
	    .header = {CT_EVENT_STREAM, 0, sizeof(stream), now()},
	    .stream = 7,
	    .flags = CT_STREAM_NON_BLOCKING,
	};

	write_unit("halo.cu");
	write_start("halo.cu", 8);
	alloc(3, CT_OBJECT_VARIABLE, SUM, 4, "d_sum");
	check(ct_writer_event(writer, &stream.header), "stream");
	transfer(1, CT_TRANSFER_SET, SUM, 0, 4);
	begin(KERNEL_FILL, 8, 0, "");
	for (uint64_t cta = 0; cta < 8; cta++)
		put(cta, FILL, A + cta * PART_BYTES, 4);
	done();
	for (int i = 0; i < 24; i++)
		run_pass(i % 2 ? B : A, i % 2 ? A : B, 0);
	begin(KERNEL_PASS, 8, 0, "kernel not selected");
	done();
	begin(KERNEL_TOTAL, 1, 0, "");
	for (uint64_t part = 0; part < 8; part++)
		put(0, TOTAL_LOAD, A + part * PART_BYTES, 4);
	put(0, TOTAL_ADD, SUM, 0);
	put(0, TOTAL_ADD, SUM, 0);
	done();
	run_pass(A, B, 7);
	transfer(2, CT_TRANSFER_COPY, HOST, SUM, 4);
}

static void make_wide(void)
{
	write_unit("wide.cu");
	write_start("wide.cu", 4);
	for (int i = 0; i < 200; i++) {
		begin(KERNEL_PUT, 60000, 0, "");
		for (uint64_t cta = 0; cta < 4; cta++)
			put(cta, PUT, A + cta * PART_BYTES, 4);
		done();
	}
}

static void open_part(const char *directory, uint32_t part)
{
	struct ct_writer_options options = {.part = part};
	char why[256];

	if (ct_writer_open(&writer, directory, &options, why, sizeof(why)) < 0) {
		fprintf(stderr, "ctpost-comm-trace: %s\n", why);
		exit(1);
	}
	check(ct_writer_stream_open(&stream, writer, 0), "records");
}

static void close_part(const char *program)
{
	char text[256];

	snprintf(text, sizeof(text), "{\"program\": \"/opt/demo/%s\", \"complete\": true}",
		 program);
	check(ct_writer_manifest(writer, text), "manifest");
	check(ct_writer_stream_close(stream), "records");
	check(ct_writer_close(writer), "close");
	launch_now = 0;
	ticket = 0;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	open_part(argv[1], 0);
	if (!strcmp(argv[2], "halo"))
		make_halo();
	else if (!strcmp(argv[2], "wide"))
		make_wide();
	else
		make_shift();
	if (!strcmp(argv[2], "vast")) /* a row for each byte of a terabyte */
		transfer_rows(2, CT_TRANSFER_SET, A, 0, 1, 1ull << 40);
	close_part(argv[2]);
	if (!strcmp(argv[2], "parts")) {
		open_part(argv[1], 1);
		make_shift();
		close_part(argv[2]);
	}
	return 0;
}
