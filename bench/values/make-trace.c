/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_values_trace SHAPE ACCESSES TRACE: a trace of about so many thread accesses with values,
 * and how many there are on stdout.
 *
 *   add     c[i] = a[i] + b[i], floats that are all different, in launch after launch
 *   fill    a[i] = 0 and b[i] = i
 *   loop    each warp loads one row of 128 bytes of small integers 64 times
 *   gather  v[index[i]], of 16 MiB of doubles, anywhere
 */
#include "tests/builder/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define A 0x7f0000000000u
#define B 0x7f1000000000u
#define C 0x7f2000000000u
#define OBJECT_BYTES (256u << 20)
#define CTAS 4096u
#define WARPS 8u
#define GATHERED (2u << 20) /* doubles */

enum { LOAD_A, LOAD_B, STORE_C, STORE_I, LOAD_8 };

static uint64_t noise(uint64_t x)
{
	x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
	return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u >> 16;
}

/* A float between 1 and 2, or an integer. */
static void access_row(struct build *b, uint32_t site, uint64_t base, uint64_t first, int way)
{
	uint64_t value[CT_WARP_LANES];

	for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++)
		value[lane] = way == 0   ? 0
			      : way == 1 ? first + lane
			      : way == 2 ? noise(first + lane) % 10
					 : 0x3f800000u | (noise(base + first + lane) & 0x7fffff);
	build_lanes(b, site, 4, CT_FULL_MASK, base + 4 * first, 4);
	build_values(b, site, 0, 4, CT_FULL_MASK, value);
}

static void gather(struct build *b, uint64_t first)
{
	uint64_t address[CT_WARP_LANES], value[CT_WARP_LANES];

	for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t index = noise(first + lane) % GATHERED;

		address[lane] = B + 8 * index;
		value[lane] = 0x3ff0000000000000u | noise(index);
	}
	access_row(b, LOAD_A, A, first, 3);
	build_access(b, LOAD_8, 8, CT_FULL_MASK, address);
	build_values(b, LOAD_8, 0, 8, CT_FULL_MASK, value);
}

/* Adds the records of a warp; thread accesses. */
static uint64_t add_warp(struct build *b, const char *shape, uint64_t first)
{
	uint32_t times = 64;

	if (!strcmp(shape, "add")) {
		access_row(b, LOAD_A, A, first, 3);
		access_row(b, LOAD_B, B, first, 3);
		access_row(b, STORE_C, C, first, 3);
		return 96;
	}
	if (!strcmp(shape, "fill")) {
		access_row(b, STORE_C, A, first, 0);
		access_row(b, STORE_I, B, first, 1);
		return 64;
	}
	if (!strcmp(shape, "gather")) {
		gather(b, first);
		return 64;
	}
	for (uint32_t i = 0; i < times; i++) {
		if (!build_fits(b, 64))
			build_chunk(b);
		if (b->used == 0)
			BUILD_SEGMENT(b, .launch = b->launches, .cta = first / 32 / WARPS,
				      .warp = first / 32 % WARPS, .sequence = 1 + i / 20);
		access_row(b, LOAD_A, A, first, 2);
	}
	return 32ull * times;
}

static uint64_t add_launch(struct build *b, const char *shape, uint64_t wanted)
{
	uint64_t accesses = 0;

	BUILD_LAUNCH(b, .kernel_name = build_string(b, "_Z4workPf"), .grid = {CTAS},
		     .block = {32 * WARPS});
	for (uint64_t cta = 0; cta < CTAS && accesses < wanted; cta++)
		for (uint64_t warp = 0; warp < WARPS; warp++) {
			if (!build_fits(b, 256))
				build_chunk(b);
			BUILD_SEGMENT(b, .launch = b->launches, .cta = cta, .warp = (uint32_t)warp);
			accesses += add_warp(b, shape, 32 * (cta * WARPS + warp));
		}
	build_chunk(b);
	build_done(b, b->launches);
	return accesses;
}

static void add_sites(struct build_unit *unit)
{
	build_site(unit, "_Z4workPf", 4, BUILD_LOAD, 4)->scalar = CT_SCALAR_FLOAT;
	build_site(unit, "_Z4workPf", 5, BUILD_LOAD, 4)->scalar = CT_SCALAR_FLOAT;
	build_site(unit, "_Z4workPf", 6, BUILD_STORE, 4)->scalar = CT_SCALAR_FLOAT;
	build_site(unit, "_Z4workPf", 7, BUILD_STORE, 4);
	build_site(unit, "_Z4workPf", 8, BUILD_LOAD, 8)->scalar = CT_SCALAR_FLOAT;
	for (uint32_t s = 0; s < unit->header.site_count; s++)
		unit->sites[s].flags |= CT_SITE_VALUES;
	unit->header.values = 1;
}

int main(int argc, char **argv)
{
	static const uint64_t base[] = {A, B, C};
	static const char *const site[] = {"A|w.cu|21|3|main|a|n", "A|w.cu|22|3|main|b|n",
					   "A|w.cu|23|3|main|c|n"};
	struct build_unit *unit = build_unit(1, 90, "w.cu");
	uint64_t wanted, accesses = 0;
	struct build *b;

	if (argc != 4)
		return 2;
	wanted = strtoull(argv[2], NULL, 10);
	b = build_part(argv[3], NULL);
	build_kernel(unit, "_Z4workPf", "work(float*)", 2);
	add_sites(unit);
	build_add_unit(b, unit);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo"), .sm_count = 132);
	for (uint32_t i = 0; i < 3; i++)
		BUILD_EVENT(b, alloc, .address = base[i], .bytes = OBJECT_BYTES, .object = i + 1,
			    .kind = CT_OBJECT_DEVICE, .site = build_descriptor(b, site[i]));
	while (accesses < wanted)
		accesses += add_launch(b, argv[1], wanted - accesses);
	printf("%llu\n", (unsigned long long)accesses);
	return build_close(b, "{}") < 0;
}
