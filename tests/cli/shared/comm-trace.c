/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write a trace whose communication is known: ctpost-comm-trace DIR VARIANT
 *   shift  docs/communication.md, section 3: four CTAs, each reads what the next one wrote
 *   halo   eight CTAs exchange halos in 24 launches; one CTA adds all up; one launch is
 *          not traced, one is in a stream of its own that nothing orders
 *   arrays four CTAs read three arrays that lie apart or side by side, each without gaps
 *   all    four CTAs, each reads what all of them wrote
 *   parts  shift in two processes, at the same addresses
 *   wide   200 launches of 60000 CTAs, of which the first four store
 */
#include "tests/builder/trace.h"

#include <stdio.h>
#include <string.h>

#define UNIT_ID 0x00c0ffee00c0ffeeull
#define START_NS 1750000000000000000ull
#define THREADS 32u
#define PART_BYTES (4ull * THREADS) /* of an array, by CTA */
#define A 0x7f0000000000ull
#define B 0x7f0000100000ull
#define SUM 0x7f0000200000ull
#define BEHIND_A (A + 4 * PART_BYTES) /* another array, where one of four CTAs ends */
#define HOST 0x550000000000ull

static struct build *b;
static uint64_t time_ns = START_NS; /* of the next part */

/* Kernels put and take of shift; fill, pass and total of halo. */
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
	enum build_operation operation;
} site_facts[SITES] = {
    [PUT] = {KERNEL_PUT, 3, 27, BUILD_STORE},
    [TAKE_LOAD] = {KERNEL_TAKE, 7, 29, BUILD_LOAD},
    [TAKE_STORE] = {KERNEL_TAKE, 7, 27, BUILD_STORE},
    [FILL] = {KERNEL_FILL, 11, 9, BUILD_STORE},
    [PASS_LOAD] = {KERNEL_PASS, 21, 14, BUILD_LOAD},
    [PASS_STORE] = {KERNEL_PASS, 22, 9, BUILD_STORE},
    [TOTAL_LOAD] = {KERNEL_TOTAL, 31, 14, BUILD_LOAD},
    [TOTAL_ADD] = {KERNEL_TOTAL, 32, 9, BUILD_ATOMIC_ADD},
};

static void add_unit(const char *file)
{
	struct build_unit *unit = build_unit(UNIT_ID, 90, file);

	for (uint32_t k = 0; k < KERNELS; k++)
		build_kernel(unit, kernel_names[k].symbol, kernel_names[k].display, 0);
	for (uint32_t s = 0; s < SITES; s++)
		build_site(unit, kernel_names[site_facts[s].kernel].symbol, site_facts[s].line,
			   site_facts[s].operation, 4)
		    ->column = site_facts[s].column;
	build_add_unit(b, unit);
}

#define ACCESS_WORDS (CT_RECORD_BYTES_MAX / 8)

/* A full warp accesses consecutive ints, or one (stride 0); in an order that no launch depends
 * on. */
static void put(uint64_t cta, uint32_t site, uint64_t base, uint64_t stride)
{
	if (!build_fits(b, 2 + ACCESS_WORDS))
		build_chunk(b);
	BUILD_SEGMENT(b, .launch = b->launches, .sm = cta % 2, .cta = cta);
	build_lanes(b, site, 4, CT_FULL_MASK, base, stride);
}

static void begin(int kernel, uint32_t ctas, uint64_t stream, const char *reason)
{
	BUILD_LAUNCH(b, .kernel_name = build_string(b, kernel_names[kernel].symbol), .grid = {ctas},
		     .stream = stream, .reason = build_string(b, reason));
}

static void done(void)
{
	build_chunk(b);
	build_done(b, b->launches);
}

static void transfer_rows(uint32_t id, uint32_t kind, uint64_t target, uint64_t source,
			  uint64_t bytes, uint64_t rows)
{
	BUILD_EVENT(b, transfer, .target = target, .source = source, .width = bytes, .height = rows,
		    .depth = 1, .transfer = id, .kind = kind, .flags = CT_TRANSFER_WAITED,
		    .call = build_string(b, kind == CT_TRANSFER_SET ? "cudaMemset" : "cudaMemcpy"));
}

static void transfer(uint32_t id, uint32_t kind, uint64_t target, uint64_t source, uint64_t bytes)
{
	transfer_rows(id, kind, target, source, bytes, 1);
}

static void alloc(uint32_t object, uint32_t kind, uint64_t address, uint64_t bytes,
		  const char *site)
{
	BUILD_EVENT(b, alloc, .address = address, .bytes = bytes, .object = object, .kind = kind,
		    .site = build_descriptor(b, site));
}

static void add_start(const char *file, uint32_t ctas)
{
	char site[2][256];

	for (int i = 0; i < 2; i++)
		snprintf(site[i], sizeof(site[i]), "A|%s|%d|%d|main|%s|n * sizeof(int)", file,
			 40 + i, 3, i ? "b" : "a");
	BUILD_EVENT(b, device, .name = build_string(b, "Test GPU"), .arch = 90, .sm_count = 2);
	alloc(1, CT_OBJECT_DEVICE, A, ctas * PART_BYTES, site[0]);
	alloc(2, CT_OBJECT_DEVICE, B, ctas * PART_BYTES, site[1]);
}

static void make_shift(void)
{
	add_unit("shift.cu");
	add_start("shift.cu", 4);
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

static void make_arrays(void)
{
	static const uint64_t array[] = {A, BEHIND_A, B};

	add_unit("arrays.cu");
	add_start("arrays.cu", 4);
	alloc(3, CT_OBJECT_DEVICE, BEHIND_A, 4 * PART_BYTES, "A|arrays.cu|42|3|main|c|n");
	begin(KERNEL_PUT, 4, 0, "");
	for (uint64_t cta = 0; cta < 4; cta++)
		for (int i = 0; i < 3; i++)
			put(cta, PUT, array[i] + cta * PART_BYTES, 4);
	done();
	begin(KERNEL_TAKE, 4, 0, "");
	for (uint64_t cta = 0; cta < 4; cta++) {
		put(cta, TAKE_LOAD, A + (3 - cta) * PART_BYTES, 4);
		put(cta, TAKE_LOAD, BEHIND_A + cta * PART_BYTES, 4);
		put(cta, TAKE_LOAD, B + (cta + 1) % 4 * PART_BYTES, 4);
	}
	done();
}

static void make_all(void)
{
	add_unit("all.cu");
	add_start("all.cu", 4);
	begin(KERNEL_PUT, 4, 0, "");
	for (uint64_t cta = 0; cta < 4; cta++)
		put(cta, PUT, A + cta * PART_BYTES, 4);
	done();
	begin(KERNEL_TAKE, 4, 0, "");
	for (uint64_t cta = 0; cta < 4; cta++)
		for (uint64_t other = 0; other < 4; other++)
			put(cta, TAKE_LOAD, A + other * PART_BYTES, 4);
	done();
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
	add_unit("halo.cu");
	add_start("halo.cu", 8);
	alloc(3, CT_OBJECT_VARIABLE, SUM, 4, "d_sum");
	BUILD_EVENT(b, stream, .stream = 7, .flags = CT_STREAM_NON_BLOCKING);
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
	add_unit("wide.cu");
	add_start("wide.cu", 4);
	for (int i = 0; i < 200; i++) {
		begin(KERNEL_PUT, 60000, 0, "");
		for (uint64_t cta = 0; cta < 4; cta++)
			put(cta, PUT, A + cta * PART_BYTES, 4);
		done();
	}
}

static void open_part(const char *directory, uint32_t part)
{
	const struct ct_writer_options options = {.part = part};

	b = build_part(directory, &options);
	b->time_ns = time_ns;
}

/* Returns what the writer's close does. */
static int close_part(const char *program)
{
	char manifest[256];

	snprintf(manifest, sizeof(manifest), "{\"program\": \"/opt/demo/%s\", \"complete\": true}",
		 program);
	time_ns = b->time_ns;
	return build_close(b, manifest);
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
	else if (!strcmp(argv[2], "arrays"))
		make_arrays();
	else if (!strcmp(argv[2], "all"))
		make_all();
	else
		make_shift();
	if (!strcmp(argv[2], "vast")) /* a row for each byte of a terabyte */
		transfer_rows(2, CT_TRANSFER_SET, A, 0, 1, 1ull << 40);
	if (close_part(argv[2]) < 0)
		return 1;
	if (strcmp(argv[2], "parts") != 0)
		return 0;
	open_part(argv[1], 1);
	make_shift();
	return close_part(argv[2]) < 0;
}
