/* SPDX-License-Identifier: Apache-2.0 */
/* A trace with values, made by hand. */
#include "tests/unit/trace/trace_values.h"
#include "tests/builder/trace.h"

#define P 0x7f0000001000u
#define Q 0x7f0000002000u
#define X 0x7f0000003000u
#define FLAG 0x7f0000004000u
#define Z 0x7f0000005000u
#define TIMES 10u

enum { READ, GET, PUT, SAME, ALTERNATE, TIMES_GET, TIMES_PUT, FIVE, NUMBER, ZERO, SITES };
static const struct {
	const char *symbol, *display;
	uint32_t line;
	enum build_operation operation;
} sites[SITES] = {
    [READ] = {"_Z5readsPi", "reads(int*)", 4, BUILD_LOAD},
    [GET] = {"_Z10incrementsPi", "increments(int*)", 9, BUILD_LOAD},
    [PUT] = {"_Z10incrementsPi", NULL, 9, BUILD_STORE},
    [SAME] = {"_Z4samePi", "same(int*)", 14, BUILD_STORE},
    [ALTERNATE] = {"_Z9alternatePi", "alternate(int*)", 19, BUILD_STORE},
    [TIMES_GET] = {"_Z9times_onePi", "times_one(int*)", 23, BUILD_LOAD},
    [TIMES_PUT] = {"_Z9times_onePi", NULL, 23, BUILD_STORE},
    [FIVE] = {"_Z4fivePi", "five(int*)", 27, BUILD_STORE},
    [NUMBER] = {"_Z6numberPi", "number(int*)", 31, BUILD_STORE},
    [ZERO] = {"_Z5zerosPi", "zeros(int*)", 35, BUILD_STORE},
};

/* again: a second site at the line of SAME, number SITES. */
static void add_unit(struct build *b, bool again)
{
	struct build_unit *unit = build_unit(1, 90, "truths.cu");

	unit->header.values = 1;
	for (int i = 0; i < SITES; i++) {
		struct ct_unit_site *site;

		if (sites[i].display)
			build_kernel(unit, sites[i].symbol, sites[i].display, sites[i].line - 2);
		site = build_site(unit, sites[i].symbol, sites[i].line, sites[i].operation, 4);
		site->flags |= CT_SITE_VALUES;
	}
	if (again)
		build_site(unit, sites[SAME].symbol, sites[SAME].line, BUILD_STORE, 4)->flags |=
		    CT_SITE_VALUES;
	build_add_unit(b, unit);
}

static void add_object(struct build *b, uint32_t object, uint64_t address, uint64_t bytes,
		       const char *site)
{
	BUILD_EVENT(b, alloc, .address = address, .bytes = bytes, .object = object,
		    .kind = CT_OBJECT_DEVICE, .site = build_descriptor(b, site));
}

static void begin(struct build *b, int site)
{
	uint32_t launch = BUILD_LAUNCH(b, .kernel_name = build_string(b, sites[site].symbol));

	BUILD_SEGMENT(b, .launch = launch);
}

static void end(struct build *b)
{
	build_chunk(b);
	build_done(b, b->launches);
}

/* Thread t accesses base + 4 * stride * t, with the value first + step * t. */
static void access(struct build *b, uint32_t site, uint64_t base, uint64_t stride, uint64_t first,
		   uint64_t step)
{
	build_lanes(b, site, 4, CT_FULL_MASK, base, 4 * stride);
	build_value(b, site, 0, 4, CT_FULL_MASK, first, step, 0);
}

static void add_loops(struct build *b)
{
	begin(b, READ);
	for (uint32_t i = 0; i < TIMES; i++)
		access(b, READ, P, 1, 0, 1);
	end(b);
	begin(b, GET);
	for (uint32_t i = 0; i < TIMES; i++) {
		access(b, GET, P, 1, i, 1);
		access(b, PUT, P, 1, i + 1, 1);
	}
	end(b);
	begin(b, SAME);
	for (uint32_t i = 0; i < TIMES; i++)
		access(b, SAME, Q, 1, 7, 0);
	end(b);
	begin(b, ALTERNATE);
	for (uint32_t i = 0; i < TIMES; i++)
		access(b, ALTERNATE, Q, 1, i & 1, 0);
	end(b);
}

static void add_single(struct build *b, uint32_t site, uint64_t base, uint64_t stride,
		       uint64_t first, uint64_t step)
{
	begin(b, (int)site);
	access(b, site, base, stride, first, step);
	end(b);
}

int values_make(const char *directory, bool is_mixed)
{
	struct build *b = build_part(directory, NULL);

	add_unit(b, false);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 1);
	add_object(b, 1, P, 128, "A|truths.cu|40|2|main|p|n * 4");
	add_object(b, 2, Q, 128, "A|truths.cu|41|2|main|q|n * 4");
	add_object(b, 3, X, 128, "A|truths.cu|42|2|main|x|n * 4");
	add_object(b, 4, FLAG, 4, "A|truths.cu|43|2|main|flag|4");
	add_object(b, 5, Z, 128, "A|truths.cu|44|2|main|z|n * 4");
	add_loops(b);
	begin(b, TIMES_GET);
	access(b, TIMES_GET, X, 1, 0, 1);
	access(b, TIMES_PUT, X, 1, 0, 1);
	end(b);
	add_single(b, FIVE, FLAG, 0, 5, 0);
	add_single(b, FIVE, FLAG, 0, 5, 0);
	add_single(b, NUMBER, FLAG, 0, 0, 1);
	add_single(b, ZERO, Z, 1, 0, 0);
	BUILD_EVENT(b, transfer, .target = Z, .width = 128, .height = 1, .depth = 1, .transfer = 1,
		    .kind = CT_TRANSFER_SET, .flags = CT_TRANSFER_WAITED,
		    .call = build_string(b, "cudaMemset"));
	add_single(b, ZERO, Z, 1, 0, 0);
	if (is_mixed) {
		begin(b, SAME);
		build_lanes(b, SAME, 4, CT_FULL_MASK, Q, 4);
		end(b);
	}
	return build_close(b, "{}");
}

#define MATRIX_BYTES 0x100000u
#define MATRICES 0x7f0010000000u
#define SMALL 0x7f0020000000u
#define HOST 0x55550000a000u

enum { A, B, C, D, E, F, G };

static uint64_t matrix_at(uint32_t matrix)
{
	return MATRICES + (uint64_t)matrix * MATRIX_BYTES;
}

/* One warp loads of two matrices and stores to a third. */
static void multiply(struct build *b, uint32_t x, uint32_t y, uint32_t product)
{
	uint32_t launch = BUILD_LAUNCH(b, .kernel_name = build_string(b, "_Z8multiplyPfS_S_"));

	BUILD_SEGMENT(b, .launch = launch);
	build_lanes(b, 0, 4, CT_FULL_MASK, matrix_at(x), 4);
	build_lanes(b, 1, 4, CT_FULL_MASK, matrix_at(y), 4);
	build_lanes(b, 2, 4, CT_FULL_MASK, matrix_at(product), 4);
	end(b);
}

/* source 0: a memset. */
static void transfer(struct build *b, uint64_t target, uint64_t source, uint64_t bytes)
{
	static uint32_t number;

	BUILD_EVENT(b, transfer, .target = target, .source = source, .width = bytes, .height = 1,
		    .depth = 1, .transfer = ++number,
		    .kind = source ? CT_TRANSFER_COPY : CT_TRANSFER_SET,
		    .flags = CT_TRANSFER_WAITED,
		    .call = build_string(b, source ? "cudaMemcpy" : "cudaMemset"));
}

static void add_matrices(struct build *b)
{
	static const char *const site[] = {
	    "A|mm.cu|20|2|main|a|n", "A|mm.cu|21|2|main|b|n", "A|mm.cu|22|2|main|c|n",
	    "A|mm.cu|23|2|main|d|n", "A|mm.cu|24|2|main|e|n", "A|mm.cu|25|2|main|f|n",
	    "A|mm.cu|26|2|main|g|n",
	};

	for (uint32_t m = A; m <= G; m++)
		add_object(b, m + 1, matrix_at(m), MATRIX_BYTES, site[m]);
	multiply(b, A, B, E);
	multiply(b, C, D, F);
	multiply(b, E, F, G);
	transfer(b, HOST, matrix_at(G), MATRIX_BYTES);
	for (uint32_t m = A; m <= G; m++)
		BUILD_EVENT(b, free, .address = matrix_at(m), .object = m + 1);
}

static void add_buffers(struct build *b)
{
	static const char *const site[] = {
	    "A|mm.cu|30|2|main|over|n",  "A|mm.cu|31|2|main|there|n", "A|mm.cu|32|2|main|halves|n",
	    "A|mm.cu|33|2|main|never|n", "A|mm.cu|34|2|main|lost|n",
	};

	for (uint32_t i = 0; i < 5; i++)
		add_object(b, 8 + i, SMALL + 8192 * i, 4096, site[i]);
	transfer(b, SMALL, 0, 4096);
	transfer(b, SMALL, HOST, 4096);
	transfer(b, HOST, SMALL, 4096);
	transfer(b, SMALL + 8192, HOST, 4096);
	transfer(b, HOST, SMALL + 8192, 4096);
	transfer(b, SMALL + 2 * 8192, 0, 4096);
	transfer(b, SMALL + 2 * 8192, 0, 2048);
	transfer(b, HOST, SMALL + 2 * 8192, 4096);
	transfer(b, SMALL + 4 * 8192, HOST, 4096);
	transfer(b, HOST, SMALL + 4 * 8192, 4096);
	for (uint32_t i = 0; i < 4; i++)
		BUILD_EVENT(b, free, .address = SMALL + 8192 * i, .object = 8 + i);
}

int lives_make(const char *directory)
{
	struct build *b = build_part(directory, NULL);
	struct build_unit *unit = build_unit(1, 90, "mm.cu");

	build_kernel(unit, "_Z8multiplyPfS_S_", "multiply(float*, float*, float*)", 3);
	build_site(unit, "_Z8multiplyPfS_S_", 5, BUILD_LOAD, 4);
	build_site(unit, "_Z8multiplyPfS_S_", 6, BUILD_LOAD, 4);
	build_site(unit, "_Z8multiplyPfS_S_", 7, BUILD_STORE, 4);
	build_add_unit(b, unit);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 1);
	BUILD_EVENT(b, alloc, .address = HOST, .bytes = MATRIX_BYTES, .object = 13,
		    .kind = CT_OBJECT_HOST,
		    .site = build_descriptor(b, "A|mm.cu|19|2|main|staging|n"));
	add_matrices(b);
	add_buffers(b);
	BUILD_EVENT(b, free, .address = HOST, .object = 13);
	return build_close(b, "{}");
}

static void begin_summaries(struct build *b, int site)
{
	build_done(b, BUILD_LAUNCH(b, .kernel_name = build_string(b, sites[site].symbol),
				   .grid = {1}, .block = {32}, .tier = CT_TIER_VALUES));
}

/* 32 integers from least to greatest. */
static void add_summary(struct build *b, uint32_t site, uint32_t object, uint32_t least,
			uint32_t greatest, uint64_t zeros, uint64_t same)
{
	BUILD_EVENT(b, summary, .launch = b->launches, .site = site, .unit_id = 1, .warps = 1,
		    .elements = 32, .zeros = zeros, .same = same, .high = greatest ^ 0x80000000u,
		    .low = (uint32_t) ~(least ^ 0x80000000u), .object = object);
}

int summaries_make(const char *directory)
{
	struct build *b = build_part(directory, NULL);

	add_unit(b, true);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 1);
	add_object(b, 1, P, 128, "A|truths.cu|40|2|main|p|n * 4");
	add_object(b, 2, Q, 128, "A|truths.cu|41|2|main|q|n * 4");
	begin_summaries(b, SAME);
	add_summary(b, SAME, 2, 7, 7, 0, 0);
	add_summary(b, SITES, 2, 7, 7, 0, 32);
	begin_summaries(b, SAME);
	add_summary(b, SAME, 2, 7, 7, 0, 32);
	begin_summaries(b, READ);
	add_summary(b, READ, 1, 0, 1, 16, 16);
	return build_close(b, "{}");
}

enum { FETCH, WHOLE, WORDS, HALVES, MIXED, BULK, COPY_SITES };

/* Thread t of mask copies bytes[t] zeros from X + first + t * stride. */
static void copy(struct build *b, uint32_t site, uint32_t mask, uint64_t first, uint64_t stride,
		 const uint64_t bytes[CT_WARP_LANES], uint32_t *sequence)
{
	static const uint8_t zeros[64];
	uint64_t address[CT_WARP_LANES];
	const void *from[CT_WARP_LANES];

	for (uint32_t t = 0; t < CT_WARP_LANES; t++) {
		address[t] = X + first + t * stride;
		from[t] = zeros;
	}
	build_range(b, site, mask, address, bytes);
	build_content(b, site, mask, bytes, from, UINT32_MAX);
	build_chunk(b);
	BUILD_SEGMENT(b, .launch = b->launches, .sequence = ++*sequence);
}

static void add_copies(struct build *b)
{
	uint64_t whole[CT_WARP_LANES], word[CT_WARP_LANES], half[CT_WARP_LANES];
	uint64_t mixed[CT_WARP_LANES], bulk[CT_WARP_LANES];
	uint32_t sequence = 0;

	for (uint32_t t = 0; t < CT_WARP_LANES; t++) {
		whole[t] = 16;
		word[t] = 4;
		half[t] = 8;
		mixed[t] = t % 2 ? 4 : 16;
		bulk[t] = 48;
	}
	for (uint32_t i = 0; i < 2; i++) {
		copy(b, WHOLE, CT_FULL_MASK, 0, 16, whole, &sequence);
		copy(b, WORDS, CT_FULL_MASK, 512, 4, word, &sequence);
		copy(b, HALVES, CT_FULL_MASK, 1024, 16, half, &sequence);
		copy(b, MIXED, CT_FULL_MASK, 2048, 32, mixed, &sequence);
		copy(b, BULK, 1, 3088, 0, bulk, &sequence);
	}
}

int copies_make(const char *directory)
{
	static const char *const symbol = "_Z6copiesPi";
	struct build *b = build_part(directory, NULL);
	struct build_unit *unit = build_unit(1, 90, "copies.cu");

	unit->header.values = 1;
	build_kernel(unit, symbol, "copies(int*)", 3);
	for (uint32_t i = FETCH; i < COPY_SITES; i++) {
		enum build_operation operation = i == FETCH  ? BUILD_TEXTURE_LOAD
						 : i == BULK ? BUILD_COPY_BULK_LOAD
							     : BUILD_COPY_ASYNC;
		struct ct_unit_site *site = build_site(unit, symbol, 5 + i, operation, 4);

		site->flags |= CT_SITE_VALUES | (i == FETCH ? 0 : CT_SITE_RANGE);
		site->scalar = CT_SCALAR_UNKNOWN;
	}
	build_add_unit(b, unit);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 1);
	add_object(b, 1, X, 4096, "A|copies.cu|40|2|main|x|n");
	BUILD_LAUNCH(b, .kernel_name = build_string(b, symbol));
	BUILD_SEGMENT(b, .launch = b->launches);
	build_happens(b, FETCH, CT_FULL_MASK);
	build_value(b, FETCH, CT_PART_COORDINATES, 4, CT_FULL_MASK, 0, 1, 0);
	build_value(b, FETCH, 0, 4, CT_FULL_MASK, 7, 0, 0);
	add_copies(b);
	end(b);
	return build_close(b, "{}");
}

int times_make(const char *directory)
{
	static const struct {
		int site;
		uint64_t duration_ns;
	} runs[] = {{READ, 4000}, {READ, 6000}, {SAME, 9000}};
	struct build *b = build_part(directory, NULL);
	uint64_t begin_ns = 1750000000000000000u;

	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 1);
	BUILD_EVENT(b, calls, .source = build_string(b, "CUPTI 13.0"));
	BUILD_EVENT(b, clock, .device_ns = 1000, .host_ns = begin_ns, .error_ns = 50);
	for (uint32_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		uint32_t name = build_string(b, sites[runs[i].site].symbol);
		const struct ct_row_activity row = {
		    .begin_ns = begin_ns,
		    .duration_ns = runs[i].duration_ns,
		    .name = name,
		    .kind = CT_ACTIVITY_KERNEL,
		    .launch = BUILD_LAUNCH(b, .kernel_name = name,
					   .reason = build_string(b, "calls only")),
		};

		begin_ns += 2 * runs[i].duration_ns;
		ct_writer_rows(b->writer, CT_TABLE_ACTIVITY, &row, 1, NULL);
	}
	return build_close(b, NULL);
}
