/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write a small trace for the tests of ctpost: ctpost-make-trace DIR VARIANT
 *   base       four launches of two kernels on two streams, one not traced
 *   regrouped  the same accesses, but split into half warps, on other SMs, with
 *              objects elsewhere and sites numbered otherwise
 *   changed    as base, but thread 36 of CTA 1 of launch 2 stores elsewhere
 *   object     as base, but thread 36 of CTA 1 of launch 2 loads from another object
 *   site       as base, but CTA 1 of launch 2 loads at another site of the function
 *   shorter    as base, but launch 4 is missing
 *   damaged    as base, with a loss and a launch without an end
 *   calls, calls-value, calls-path, calls-less
 *              all kinds of records: tests/unit/trace/trace_calls.h
 *   counts, counts-mixed
 *              of tier counts: tests/unit/trace/trace_counts.h
 *   transfers  copies, memsets, order: tests/unit/trace/trace_transfers.h
 */
#include "tests/unit/trace/trace_calls.h"
#include "tests/unit/trace/trace_counts.h"
#include "tests/unit/trace/trace_transfers.h"
#include "trace/write/writer.h"
#include <cudatrace/encode.h>
#include <cudatrace/ring.h>
#include <cudatrace/unit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_ID 0x1122334455667788ull
#define START_NS 1750000000000000000ull
#define ATOMIC_ADD 3
#define ATOMIC_NAND 14
#define CHUNK_WORDS (CT_CHUNK_BYTES / 8)

static int regrouped, changed, other_object, other_site, shorter, damaged;
static struct ct_writer *writer;
static struct ct_writer_stream *stream;

static void check(int err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "ctpost-make-trace: %s: error %d\n", what, err);
	exit(1);
}

/* ---- the unit: sites by name, so that their numbers may change */

enum { LOAD_GRAPH, STORE_COST, LOAD_AGAIN, ADD_FLAG, LOAD_STRAY, NAND, SKIPPED, SITES };

static char strings[4096];
static uint32_t string_bytes = 1;
static uint32_t site_number[SITES];

static uint32_t string(const char *text)
{
	uint32_t at = string_bytes;

	memcpy(strings + at, text, strlen(text) + 1);
	string_bytes += (uint32_t)strlen(text) + 1;
	return at;
}

static struct ct_unit_site make_site(uint32_t kernel, const char *function, uint32_t line,
				     uint8_t operation, uint32_t bytes, uint8_t verdict)
{
	return (struct ct_unit_site){
	    .function = string(function),
	    .kernel = kernel,
	    .file = string("src/bfs.cu"),
	    .line = line,
	    .column = 9,
	    .inlined_at = CT_NONE,
	    .bytes = bytes,
	    .operation = operation,
	    .space = CT_SPACE_GLOBAL,
	    .verdict = verdict,
	    .scalar = CT_SCALAR_INTEGER,
	    .scalar_bits = (uint16_t)(bytes == 16 ? 32 : bytes * 8),
	    .vector_length = bytes == 16 ? 4 : 1,
	};
}

static void write_unit(void)
{
	struct ct_unit_kernel kernels[2] = {
	    {.name = string("_Z6expandPKi"), .display = string("expand(int const*)"), .line = 30},
	    {.name = string("_Z5countv"), .display = string("count<2>()"), .line = 50},
	};
	struct ct_unit_site sites[SITES + 1];
	struct ct_unit_frame frames[2] = {
	    {.function = string("atomicAdd"),
	     .file = string("/opt/cuda/include/atomics.hpp"),
	     .line = 112,
	     .inlined_at = 1},
	    {.function = string("count"),
	     .file = string("src/bfs.cu"),
	     .line = 52,
	     .column = 9,
	     .inlined_at = CT_NONE},
	};
	uint32_t count = 0;
	char blob[8192], *at = blob;

	if (regrouped) /* another function comes first */
		sites[count++] = make_site(CT_NONE, "_Z5otherv", 5, 1, 4, CT_VERDICT_GLOBAL);
	for (int s = 0; s < SITES; s++)
		site_number[s] = count + (uint32_t)s;
	sites[count++] = make_site(0, "_Z6expandPKi", 33, 1, 4, CT_VERDICT_GLOBAL);
	sites[count++] = make_site(0, "_Z6expandPKi", 34, 2, 16, CT_VERDICT_CHECKED);
	sites[count++] = make_site(0, "_Z6expandPKi", 35, 1, 4, CT_VERDICT_GLOBAL);
	sites[count] = make_site(1, "_Z5countv", 547, ATOMIC_ADD, 4, CT_VERDICT_GLOBAL);
	sites[count].file = string("/usr/lib/clang/functions.h");
	sites[count++].inlined_at = 0;
	sites[count++] = make_site(1, "_Z5countv", 53, 1, 8, CT_VERDICT_CHECKED);
	sites[count++] = make_site(1, "_Z5countv", 54, ATOMIC_NAND, 4, CT_VERDICT_GLOBAL);
	sites[count] = make_site(1, "_Z5countv", 55, 1, 4, CT_VERDICT_SKIPPED);
	sites[count++].reason = string("texture fetch");

	struct ct_unit_header header = {
	    .magic = CT_UNIT_MAGIC,
	    .version = CT_UNIT_VERSION,
	    .header_bytes = sizeof(header),
	    .unit_id = UNIT_ID,
	    .arch = 90,
	    .kernel_count = 2,
	    .site_count = count,
	    .frame_count = 2,
	    .string_bytes = string_bytes,
	    .source = 0,
	    .spaces = 1u << CT_SPACE_GLOBAL,
	    .kinds = CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC,
	};

	memcpy(at, &header, sizeof(header));
	memcpy(at += sizeof(header), kernels, sizeof(kernels));
	memcpy(at += sizeof(kernels), sites, count * sizeof(*sites));
	memcpy(at += count * sizeof(*sites), frames, sizeof(frames));
	memcpy(at += sizeof(frames), strings, string_bytes);
	check(ct_writer_unit(writer, blob, (size_t)(at + string_bytes - blob)), "unit");
}

/* ---- records */

static uint64_t words[CHUNK_WORDS], ticket;
static uint32_t used, launch_now;
static uint16_t sequence[64];

static void ship(void)
{
	if (used)
		check(ct_writer_stream_records(stream, ticket++, words, used * 8), "records");
	used = 0;
}

static void put_record(uint64_t cta, uint32_t warp, uint32_t sm, int site, uint32_t bytes,
		       uint32_t mask, const uint64_t *address)
{
	uint64_t record[CT_RECORD_BYTES_MAX / 8];
	uint32_t n = ct_encode_access(record, site_number[site], bytes, mask, address);

	if (used + 2 + n > CHUNK_WORDS)
		ship();
	words[used++] = CT_SEGMENT_WORD0(sm, sequence[cta * 2 + warp]++, launch_now);
	words[used++] = CT_SEGMENT_WORD1(warp, cta);
	memcpy(words + used, record, n * 8);
	used += n;
}

/* One access of a warp: a record, or two of its halves, the upper one first. */
static void put(uint64_t cta, uint32_t warp, int site, uint32_t bytes, uint32_t mask,
		const uint64_t *address)
{
	if (!regrouped) {
		put_record(cta, warp, (uint32_t)cta * 3, site, bytes, mask, address);
		return;
	}
	if (mask & 0xffff0000u)
		put_record(cta, warp, 77, site, bytes, mask & 0xffff0000u, address);
	if (mask & 0xffffu)
		put_record(cta, warp, 78, site, bytes, mask & 0xffffu, address);
}

/* ---- launches */

static uint64_t graph, cost, flag;

static uint32_t id_of(const char *text)
{
	uint32_t id;

	check(ct_writer_string(writer, text, &id), "string");
	return id;
}

static void begin(uint32_t launch, const char *kernel, uint32_t grid_y, uint64_t stream,
		  const char *reason)
{
	struct ct_event_launch event = {
	    .header = {CT_EVENT_LAUNCH, 0, sizeof(event), START_NS + launch * 1000},
	    .launch = launch,
	    .unit_id = UNIT_ID,
	    .unit_arch = 90,
	    .kernel_name = id_of(kernel),
	    .grid = {2, grid_y, 1},
	    .block = {64, 1, 1},
	    .cluster = {1, 1, 1},
	    .flags = *reason ? 0 : CT_LAUNCH_TRACED,
	    .stream = stream,
	    .site = id_of("L\x1f"
			  "src/bfs.cu\x1f"
			  "80\x1f"
			  "3\x1f"
			  "main\x1f"
			  "expand\x1f"
			  "d_graph"),
	    .reason = id_of(reason),
	};

	check(ct_writer_event(writer, &event.header), "launch");
	launch_now = launch;
	memset(sequence, 0, sizeof(sequence));
}

static void done(uint32_t launch)
{
	struct ct_event_launch_done event = {
	    .header = {CT_EVENT_LAUNCH_DONE, 0, sizeof(event), START_NS + launch * 1000 + 500},
	    .launch = launch,
	};

	ship();
	check(ct_writer_event(writer, &event.header), "done");
}

/* Every thread loads its element; the even ones store 16 bytes. */
static void run_expand(uint32_t launch, uint64_t stream)
{
	begin(launch, "_Z6expandPKi", 1, stream, "");
	for (uint64_t cta = 0; cta < 2; cta++) {
		for (uint32_t warp = 0; warp < 2; warp++) {
			uint64_t load[CT_WARP_LANES], store[CT_WARP_LANES];

			for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
				uint64_t thread = cta * 64 + warp * 32 + lane;

				load[lane] = graph + thread * 4;
				store[lane] = cost + thread * 32;
				if (changed && launch == 2 && thread == 64 + 36)
					store[lane] += 16;
				if (other_object && launch == 2 && thread == 64 + 36)
					load[lane] = cost + thread * 4;
			}
			put(cta, warp,
			    other_site && launch == 2 && cta == 1 ? LOAD_AGAIN : LOAD_GRAPH, 4,
			    CT_FULL_MASK, load);
			put(cta, warp, STORE_COST, 16, 0x55555555u, store);
		}
	}
	done(launch);
}

static void run_count(uint32_t launch, uint64_t stream)
{
	uint64_t same[CT_WARP_LANES], stray[CT_WARP_LANES];

	begin(launch, "_Z5countv", 2, stream, "");
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		same[lane] = flag;
		stray[lane] = 0x1000 + (uint64_t)lane * lane * 8;
	}
	for (uint64_t cta = 0; cta < 4; cta++) {
		put(cta, 0, ADD_FLAG, 4, CT_FULL_MASK, same);
		put(cta, 1, LOAD_STRAY, 8, 0x000000f1u, stray);
		put(cta, 1, NAND, 4, 0x80000001u, same);
	}
	if (!damaged)
		done(launch);
	ship();
}

/* ---- the rest */

static void alloc(uint32_t object, uint32_t kind, uint64_t address, uint64_t bytes,
		  const char *site)
{
	struct ct_event_alloc event = {
	    .header = {CT_EVENT_ALLOC, 0, sizeof(event), START_NS},
	    .address = address,
	    .bytes = bytes,
	    .object = object,
	    .kind = kind,
	    .site = id_of(site),
	};

	check(ct_writer_event(writer, &event.header), "alloc");
}

static void write_start(void)
{
	struct ct_event_device device = {
	    .header = {CT_EVENT_DEVICE, 0, sizeof(device), START_NS},
	    .name = id_of("Test GPU"),
	    .arch = 90,
	    .sm_count = 132,
	    .memory_bytes = 80000000000ull,
	};
	uint64_t shift = regrouped ? 0x10000000 : 0;

	graph = 0x7f0000000000ull + shift;
	cost = 0x7f0000010000ull + 2 * shift;
	flag = 0x7f0000020000ull + 3 * shift;
	check(ct_writer_event(writer, &device.header), "device");
	alloc(1, CT_OBJECT_VARIABLE, flag, 4, "d_flag");
	alloc(2, CT_OBJECT_DEVICE, graph, 512,
	      "A\x1f"
	      "src/bfs.cu\x1f"
	      "70\x1f"
	      "3\x1f"
	      "main\x1f"
	      "d_graph\x1f"
	      "n * sizeof(int)");
	alloc(3, CT_OBJECT_MANAGED, cost, 4096, "");
}

static void write_loss(void)
{
	struct ct_event_loss loss = {
	    .header = {CT_EVENT_LOSS, 0, sizeof(loss), START_NS},
	    .chunks = 12,
	    .launch = 4,
	    .reason = id_of("the ring was full and the program ended"),
	};

	check(ct_writer_event(writer, &loss.header), "loss");
}

static void write_manifest(void)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "{\"version\": 1, \"program\": \"/opt/demo/bfs\", \"command\": [\"./bfs\", "
		 "\"graph.txt\"], \"host\": \"testhost\", \"start_ns\": %llu, \"complete\": %s}",
		 START_NS, damaged ? "false" : "true");
	check(ct_writer_manifest(writer, text), "manifest");
}

static const struct {
	const char *name;
	unsigned variant;
} calls[] = {
    {"calls", 0},
    {"calls-value", CALLS_OTHER_VALUE},
    {"calls-path", CALLS_OTHER_PATH},
    {"calls-less", CALLS_NO_BARRIERS},
};

int main(int argc, char **argv)
{
	struct ct_writer_options options = {.level = 0};
	char why[256];

	if (argc != 3)
		return 2;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (!strcmp(argv[2], calls[i].name))
			return calls_make(argv[1], 0, calls[i].variant) < 0;
	if (!strncmp(argv[2], "counts", 6))
		return counts_make(argv[1], !strcmp(argv[2], "counts-mixed")) < 0;
	if (!strcmp(argv[2], "transfers"))
		return transfers_make(argv[1], 0) < 0;
	regrouped = !strcmp(argv[2], "regrouped");
	changed = !strcmp(argv[2], "changed");
	other_object = !strcmp(argv[2], "object");
	other_site = !strcmp(argv[2], "site");
	shorter = !strcmp(argv[2], "shorter");
	damaged = !strcmp(argv[2], "damaged");
	if (ct_writer_open(&writer, argv[1], &options, why, sizeof(why)) < 0) {
		fprintf(stderr, "ctpost-make-trace: %s\n", why);
		return 1;
	}
	check(ct_writer_stream_open(&stream, writer, 0), "records");
	write_unit();
	write_start();
	run_expand(1, 0);
	run_expand(2, 5);
	begin(3, "_Z5countv", 1, 0, "kernel not selected");
	done(3);
	if (!shorter)
		run_count(4, 5);
	if (damaged)
		write_loss();
	write_manifest();
	check(ct_writer_stream_close(stream), "records");
	check(ct_writer_close(writer), "close");
	return 0;
}
