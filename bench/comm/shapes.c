/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shapes of bench/trace-cost, and some that are hot in one place: what a warp of
 * each accesses. Launches swap what they load and store, so that they communicate.
 */
#include "trace.h"

#define LOAD 1u
#define STORE 2u
#define ADD 3u
#define CALL 21u
#define WARP CT_WARP_LANES
#define FULL CT_FULL_MASK
#define RESIDENT (132u * 8u)
#define TILE 16u
#define CHASE_STEPS 64u
#define DIVERGENT_ROW 64u
#define BINS 256u
#define MANY_BINS (1u << 20)

static uint32_t hash(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

static uint64_t in_at(const struct bench_output *out, uint64_t element)
{
	return out->in + 4 * element;
}

static uint64_t out_at(const struct bench_output *out, uint64_t element)
{
	return out->out + 4 * element;
}

/* First thread of the warp, in grids and CTAs of one dimension. */
static uint32_t first_of(uint32_t cta, uint32_t warp, uint32_t warps)
{
	return (cta * warps + warp) * WARP;
}

static void put_stream(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	uint32_t i = first_of(cta, warp, 8);

	bench_put_row(out, 0, in_at(out, i));
	bench_put_row(out, 1, bench_at(BENCH_B, i));
	bench_put_row(out, 2, out_at(out, i));
}

/* CTAs of 32 times 8 threads. */
static void put_stencil(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	uint32_t n = BENCH_SIDE, x = cta % (n / WARP) * WARP, y = cta / (n / WARP) * 8 + warp;
	static const int32_t offset[] = {0, -1, 1, -(int32_t)BENCH_SIDE, (int32_t)BENCH_SIDE};
	uint32_t mask = FULL, at = y * n + x;
	uint64_t address[WARP];

	if (y == 0 || y == n - 1)
		return;
	mask &= x == 0 ? ~1u : FULL;
	mask &= x + WARP == n ? FULL >> 1 : FULL;
	for (uint32_t s = 0; s <= 5; s++) {
		uint64_t first =
		    s < 5 ? in_at(out, at + (uint64_t)(int64_t)offset[s]) : out_at(out, at);

		for (uint32_t lane = 0; lane < WARP; lane++)
			address[lane] = first + 4 * lane;
		bench_put(out, s, 4, mask, address);
	}
}

/* Elements i, i + 1, … of INDEX lead anywhere. */
static void random_elements(uint64_t *address, uint64_t array, uint32_t i)
{
	for (uint32_t lane = 0; lane < WARP; lane++)
		address[lane] = array + 4 * (uint64_t)(hash(i + lane) & (BENCH_ELEMENTS - 1));
}

static void put_gather(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	uint32_t i = first_of(cta, warp, 8);
	uint64_t address[WARP];

	bench_put_row(out, 0, bench_at(BENCH_INDEX, i));
	random_elements(address, out->in, i);
	bench_put(out, 1, 4, FULL, address);
	bench_put_row(out, 2, out_at(out, i));
}

static void put_scatter(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	uint32_t i = first_of(cta, warp, 8);
	uint64_t address[WARP];

	bench_put_row(out, 0, bench_at(BENCH_INDEX, i));
	bench_put_row(out, 1, in_at(out, i));
	random_elements(address, out->out, i);
	bench_put(out, 2, 4, FULL, address);
}

/* Tiles of 16 times 16: a warp has two rows. */
static void put_matmul(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	uint32_t n = BENCH_MATRIX, column = cta % (n / TILE) * TILE, y = 2 * warp;
	uint32_t row = cta / (n / TILE) * TILE + y;
	const struct ct_loop_site loop[] = {
	    {.base = in_at(out, (uint64_t)row * n),
	     .log2_width = 4,
	     .inner = 4,
	     .outer = (int32_t)(4 * n),
	     .step = 4 * TILE},
	    {.base = bench_at(BENCH_B, (uint64_t)y * n + column),
	     .log2_width = 4,
	     .inner = 4,
	     .outer = (int32_t)(4 * n),
	     .step = (int64_t)4 * TILE * n},
	};
	uint64_t address[WARP];

	bench_put_loop(out, 0, 2, n / TILE, loop);
	for (uint32_t lane = 0; lane < WARP; lane++)
		address[lane] =
		    out_at(out, (uint64_t)(row + lane / TILE) * n + column + lane % TILE);
	bench_put(out, 2, 4, FULL, address);
}

static void put_bins(struct bench_output *out, uint32_t cta, uint32_t warp, uint32_t bins)
{
	uint64_t address[WARP];

	for (uint32_t i = first_of(cta, warp, 8); i < BENCH_ELEMENTS; i += RESIDENT * 8 * WARP) {
		for (uint32_t lane = 0; lane < WARP; lane++)
			address[lane] = bench_at(BENCH_INDEX, 0) + i + lane;
		bench_put(out, 0, 1, FULL, address);
		for (uint32_t lane = 0; lane < WARP; lane++)
			address[lane] = bench_at(BENCH_C, hash(i + lane) & (bins - 1));
		bench_put(out, 1, 4, FULL, address);
	}
}

static void put_hist(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	put_bins(out, cta, warp, BINS);
}

static void put_manybins(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	put_bins(out, cta, warp, MANY_BINS);
}

/* A lane has a row, or a column, of BENCH_MATRIX elements. */
static void put_sum(struct bench_output *out, uint32_t cta, uint32_t warp, bool is_row)
{
	uint32_t n = BENCH_MATRIX, i = first_of(cta, warp, 8);
	const struct ct_loop_site loop = {
	    .base = in_at(out, (uint64_t)i * (is_row ? n : 1)),
	    .log2_width = 5,
	    .inner = (int32_t)(is_row ? 4 * n : 4),
	    .step = is_row ? 4 : (int64_t)4 * n,
	};

	bench_put_loop(out, 0, 1, n, &loop);
	bench_put_row(out, 1, out_at(out, i));
}

static void put_rowsum(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	put_sum(out, cta, warp, true);
}

static void put_columnsum(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	put_sum(out, cta, warp, false);
}

static void put_divergent(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	uint32_t i = first_of(cta, warp, 8), left = FULL, odd, even;
	uint64_t address[WARP];

	for (uint32_t k = 0; left; k++) {
		uint32_t gone = 0;

		odd = even = 0;
		for (uint32_t lane = 0; lane < WARP; lane++) {
			uint32_t h = hash(i + lane), g = hash(h + k);

			if (!(left >> lane & 1))
				continue;
			if (k >= h % 37) {
				left &= ~(1u << lane);
				continue;
			}
			address[lane] =
			    in_at(out, (uint64_t)(i + lane) * DIVERGENT_ROW + k + (g & 1 ? 0 : 1));
			*(g & 1 ? &odd : &even) |= 1u << lane;
			gone |= (uint32_t)((g & 0x3f0) == 0x110) << lane;
		}
		if (odd)
			bench_put(out, 0, 4, odd, address);
		if (even)
			bench_put(out, 1, 4, even, address);
		left &= ~gone;
	}
	bench_put_row(out, 2, out_at(out, i));
}

static void put_reduction(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	uint32_t i = cta * 512 + warp * WARP;
	uint64_t address[WARP] = {out_at(out, cta)};

	bench_put_row(out, 0, in_at(out, i));
	bench_put_row(out, 1, in_at(out, i + 256));
	if (warp == 0)
		bench_put(out, 2, 4, 1, address);
}

static void put_chase(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	uint32_t i = first_of(cta, warp, 8), at[WARP];
	uint64_t address[WARP];

	for (uint32_t lane = 0; lane < WARP; lane++)
		at[lane] = hash(i + lane) & (BENCH_ELEMENTS - 1);
	for (uint32_t step = 0; step < CHASE_STEPS; step++) {
		for (uint32_t lane = 0; lane < WARP; lane++) {
			address[lane] = in_at(out, at[lane]);
			at[lane] = (at[lane] * 0x915f77f5u + 0x5851f42du) & (BENCH_ELEMENTS - 1);
		}
		bench_put(out, 0, 4, FULL, address);
	}
	bench_put_row(out, 1, out_at(out, i));
}

static void put_copy(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	for (uint32_t i = first_of(cta, warp, 8); i < BENCH_ELEMENTS; i += RESIDENT * 8 * WARP) {
		bench_put_row(out, 0, in_at(out, i));
		bench_put_row(out, 1, out_at(out, i));
	}
}

/* One lane of each warp adds to one of a few counters. */
static void put_counter(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	uint64_t address[WARP] = {bench_at(BENCH_C, (cta + warp) % 4)};

	bench_put(out, 0, 4, 1, address);
}

/* As copy, with what is loaded, which is anything, and what is stored, which counts; every other
 * row in a call of a function. */
static void put_values(struct bench_output *out, uint32_t cta, uint32_t warp)
{
	uint64_t value[WARP];

	for (uint32_t i = first_of(cta, warp, 8); i < BENCH_ELEMENTS; i += RESIDENT * 8 * WARP) {
		bool calls = i / (RESIDENT * 8 * WARP) % 2;

		if (calls)
			bench_put_call(out, 2, CT_PHASE_HAPPENS);
		bench_put_row(out, 0, in_at(out, i));
		for (uint32_t lane = 0; lane < WARP; lane++)
			value[lane] = hash(i + lane) & 0xffffff;
		bench_put_values(out, 0, value);
		if (calls)
			bench_put_call(out, 2, CT_PHASE_LEAVE);
		bench_put_row(out, 1, out_at(out, i));
		for (uint32_t lane = 0; lane < WARP; lane++)
			value[lane] = i + lane;
		bench_put_values(out, 1, value);
	}
}

#define PER_ELEMENT                                                                                \
	{                                                                                          \
		BENCH_ELEMENTS / 256, 1                                                            \
	}

const struct bench_shape bench_shapes[] = {
    {"stream", {{LOAD, 4}, {LOAD, 4}, {STORE, 4}}, PER_ELEMENT, 8, put_stream},
    {"stencil",
     {{LOAD, 4}, {LOAD, 4}, {LOAD, 4}, {LOAD, 4}, {LOAD, 4}, {STORE, 4}},
     {BENCH_SIDE / WARP, BENCH_SIDE / 8},
     8,
     put_stencil},
    {"gather", {{LOAD, 4}, {LOAD, 4}, {STORE, 4}}, PER_ELEMENT, 8, put_gather},
    {"scatter", {{LOAD, 4}, {LOAD, 4}, {STORE, 4}}, PER_ELEMENT, 8, put_scatter},
    {"matmul",
     {{LOAD, 4}, {LOAD, 4}, {STORE, 4}},
     {BENCH_MATRIX / TILE, BENCH_MATRIX / TILE},
     8,
     put_matmul},
    {"hist", {{LOAD, 1}, {ADD, 4}}, {RESIDENT, 1}, 8, put_hist},
    {"manybins", {{LOAD, 1}, {ADD, 4}}, {RESIDENT, 1}, 8, put_manybins},
    {"counter", {{ADD, 4}}, {65536, 1}, 8, put_counter},
    {"rowsum", {{LOAD, 4}, {STORE, 4}}, {BENCH_MATRIX / 256, 1}, 8, put_rowsum},
    {"columnsum", {{LOAD, 4}, {STORE, 4}}, {BENCH_MATRIX / 256, 1}, 8, put_columnsum},
    {"divergent",
     {{LOAD, 4}, {LOAD, 4}, {STORE, 4}},
     {BENCH_ELEMENTS / DIVERGENT_ROW / 256, 1},
     8,
     put_divergent},
    {"reduction", {{LOAD, 4}, {LOAD, 4}, {STORE, 4}}, {BENCH_ELEMENTS / 512, 1}, 8, put_reduction},
    {"chase", {{LOAD, 4}, {STORE, 4}}, {BENCH_ELEMENTS / CHASE_STEPS / 256, 1}, 8, put_chase},
    {"copy", {{LOAD, 4}, {STORE, 4}}, {RESIDENT, 1}, 8, put_copy},
    {"values",
     {{LOAD | BENCH_VALUES, 4}, {STORE | BENCH_VALUES, 4}, {CALL, 1}},
     {RESIDENT, 1},
     8,
     put_values},
    {0},
};
