/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values-random-trace TRACE SEED: a small random trace with values. Loads, stores and atomics of
 * all sizes and of vectors, of floats as well, of all lanes or some, with values of all lanes or
 * some, in parts; objects that cross pages, one of managed memory, one that is allocated again;
 * shared and local memory; ranges, whose bytes are reported or not, or in part; lanes that are
 * alone in their page; memsets, launches that are not traced; of every fourth seed a stream without
 * order, of every third a grid that leaves keys little room. SEED 0: more values than a table in
 * little memory holds, stored and, all but one, loaded twice.
 */
#include "tests/builder/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE 0x7f0000000000u
#define OBJECTS 6u
#define WIDE 5u /* eight pages, of which each has a few places that are accessed */
#define KERNELS 3u
#define CALLS 24u

static uint64_t state;

static uint32_t draw(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % below;
}

/* A site accesses this: objects have elements of one size, that loads keep to. */
struct site {
	uint32_t kernel, operation, bytes, vector, object;
	uint32_t space;
	bool is_reduction;
	uint32_t range_bits; /* 0: no range; else of its type's elements, 8: none */
};

static const struct site sites[] = {
    {0, BUILD_LOAD, 4, 1, 0, 0, false, 0},
    {0, BUILD_STORE, 4, 1, 0, 0, false, 0},
    {0, BUILD_LOAD, 8, 2, 0, 0, false, 0},
    {0, BUILD_STORE, 16, 4, 0, 0, false, 0},
    {0, BUILD_LOAD, 8, 1, 1, 0, false, 0},
    {0, BUILD_STORE, 8, 1, 1, 0, false, 0},
    {0, BUILD_STORE, 4, 1, 1, 0, false, 0},
    {1, BUILD_LOAD, 1, 1, 2, 0, false, 0},
    {1, BUILD_STORE, 1, 1, 2, 0, false, 0},
    {1, BUILD_STORE, 2, 1, 2, 0, false, 0},
    {1, BUILD_ATOMIC_ADD, 4, 1, 0, 0, false, 0},
    {1, BUILD_ATOMIC_ADD, 4, 1, 0, 0, true, 0},
    {1, BUILD_ATOMIC_EXCH, 4, 1, 0, 0, false, 0},
    {1, BUILD_ATOMIC_CAS, 4, 1, 0, 0, false, 0},
    {1, BUILD_STORE, 4, 1, 0, 0, false, 0},
    {1, BUILD_LOAD, 4, 1, 0, 0, false, 0},
    {2, BUILD_LOAD, 4, 1, 3, 0, false, 0},
    {2, BUILD_STORE, 4, 1, 3, 0, false, 0},
    {2, BUILD_LOAD, 2, 1, 4, 0, false, 0},
    {2, BUILD_STORE, 2, 1, 4, 0, false, 0},
    {2, BUILD_LOAD, 4, 1, 0, CT_SPACE_SHARED, false, 0},
    {2, BUILD_STORE, 4, 1, 0, CT_SPACE_SHARED, false, 0},
    {2, BUILD_LOAD, 4, 1, 0, CT_SPACE_LOCAL, false, 0},
    {2, BUILD_STORE, 4, 1, 0, CT_SPACE_LOCAL, false, 0},
    {2, BUILD_STORE, 8, 2, 0, 0, false, 0},
    {0, BUILD_LOAD, 8, 1, WIDE, 0, false, 0},
    {0, BUILD_STORE, 8, 1, WIDE, 0, false, 0},
    {1, BUILD_LOAD, 4, 1, WIDE, 0, false, 0},
    {1, BUILD_STORE, 4, 1, WIDE, 0, false, 0},
    {2, BUILD_LOAD, 8, 2, WIDE, 0, false, 0},
    {2, BUILD_LOAD, 2, 1, WIDE, 0, false, 0},
    {0, BUILD_COPY_BULK_LOAD, 4, 1, 0, 0, false, 8},
    {0, BUILD_COPY_BULK_STORE, 4, 1, 1, 0, false, 8},
    {1, BUILD_COPY_ASYNC, 4, 1, 0, 0, false, 8},
    {1, BUILD_COPY_BULK_STORE, 4, 1, 0, 0, false, 8},
    {1, BUILD_COPY_BULK_REDUCE, 4, 1, 0, 0, false, 8},
    {2, BUILD_MATRIX_LOAD, 2, 1, 4, 0, false, 16},
    {2, BUILD_MATRIX_STORE, 2, 1, 4, 0, false, 16},
    {2, BUILD_COPY_BULK_LOAD, 4, 1, 0, CT_SPACE_SHARED, false, 8},
    {2, BUILD_MATRIX_LOAD, 4, 1, 0, CT_SPACE_SHARED, false, 32},
    {2, BUILD_MATRIX_STORE, 4, 1, 0, CT_SPACE_SHARED, false, 32},
    {2, BUILD_COPY_BULK_STORE, 4, 1, 3, 0, false, 8},
};
#define SITES (sizeof(sites) / sizeof(*sites))

/* Whether it is of the one object of float, not of the one of double. */
static bool is_float(const struct site *site)
{
	return !site->space && !site->range_bits &&
	       (site->object == 3 ||
		(site->object == WIDE && site->bytes == 8 && site->vector == 1));
}

static const char *const kernels[KERNELS] = {"_Z1av", "_Z1bv", "_Z1cv"};
static const struct {
	uint64_t offset, bytes;
	const char *site;
	uint32_t kind;
} objects[OBJECTS] = {
    {0x0f80, 512, "A|r.cu|1|1|main|x|n", CT_OBJECT_DEVICE},
    {0x3f00, 1024, "A|r.cu|2|1|main|y|n", CT_OBJECT_DEVICE},
    {0x6000, 64, "A|r.cu|3|1|main|z|n", CT_OBJECT_DEVICE},
    {0x8ff0, 96, "A|r.cu|4|1|main|m|n", CT_OBJECT_MANAGED},
    {0xaff8, 128, "A|r.cu|5|1|main|again|n", CT_OBJECT_DEVICE},
    {0x10000, 0x8000, "A|r.cu|7|1|main|wide|n", CT_OBJECT_DEVICE},
};

static void add_object(struct build *b, uint32_t number)
{
	static uint32_t ids;

	BUILD_EVENT(b, alloc, .address = BASE + objects[number].offset,
		    .bytes = objects[number].bytes, .object = ++ids, .kind = objects[number].kind,
		    .site = build_descriptor(b, objects[number].site));
}

static void add_unit(struct build *b)
{
	struct build_unit *unit = build_unit(1, 90, "r.cu");

	unit->header.values = 1;
	unit->header.spaces = 1u << CT_SPACE_GLOBAL | 1u << CT_SPACE_SHARED | 1u << CT_SPACE_LOCAL;
	for (uint32_t k = 0; k < KERNELS; k++)
		build_kernel(unit, kernels[k], kernels[k] + 3, 1);
	for (uint32_t s = 0; s < SITES; s++) {
		struct ct_unit_site *site =
		    build_site(unit, kernels[sites[s].kernel], 100 + s,
			       (enum build_operation)sites[s].operation, sites[s].bytes);

		site->vector_length = (uint16_t)sites[s].vector;
		site->scalar_bits = (uint16_t)(8 * sites[s].bytes / sites[s].vector);
		site->flags |= CT_SITE_VALUES | (sites[s].is_reduction ? CT_SITE_REDUCTION : 0);
		if (is_float(&sites[s]))
			site->scalar = CT_SCALAR_FLOAT;
		if (sites[s].range_bits) {
			site->flags |= CT_SITE_RANGE;
			site->scalar_bits = (uint16_t)sites[s].range_bits;
			site->bytes = 0;
		}
		site->space = (uint8_t)(sites[s].space ? sites[s].space : CT_SPACE_GLOBAL);
	}
	build_add_unit(b, unit);
}

/* All lanes, any, or a few, which are no row. */
static uint32_t draw_mask(void)
{
	uint32_t few = 1u << draw(32) | (draw(2) ? 1u << draw(32) : 0);
	uint32_t mask = draw(2) ? CT_FULL_MASK : draw(65536) * 65537u ^ draw(65536);

	return mask && draw(3) ? mask : few;
}

/* Where a record of each object, or space, was last, and of which bytes. */
static struct {
	uint64_t address[CT_WARP_LANES];
	uint32_t bytes;
	uint64_t seed; /* of what was drawn for it */
} last[OBJECTS + 8];

static uint32_t where_of(const struct site *site)
{
	return site->space ? OBJECTS + site->space : site->object;
}

/* Near each other, so that threads and launches meet: all in a row, at one place, or anywhere; or
 * where the last ones were, so that the same threads meet what they have loaded or stored. */
static void draw_addresses(const struct site *site, uint64_t address[CT_WARP_LANES])
{
	uint32_t where = where_of(site);
	uint32_t scalar = site->bytes / site->vector;
	uint64_t size = site->space ? 256 : objects[site->object].bytes;
	uint64_t places = (size - site->bytes) / scalar + 1, first = draw((uint32_t)places);
	uint32_t way = draw(4), step = draw(2) ? site->vector : 1;

	if (last[where].bytes == site->bytes && draw(2)) {
		memcpy(address, last[where].address, sizeof(last[where].address));
		return;
	}
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t place = way == 0 ? first
				 : site->object == WIDE && !site->space
				     ? draw(8) * (4096 / scalar) + draw(6)
				 : way == 1 ? draw((uint32_t)places)
					    : (first + (uint64_t)lane * step) % places;
		uint64_t at = place * scalar;

		at -= at % scalar;
		address[lane] = site->space ? CT_ADDRESS_IN(site->space, at)
					    : BASE + objects[site->object].offset + at;
	}
	memcpy(last[where].address, address, sizeof(last[where].address));
	last[where].bytes = site->bytes;
}

/* 1 and a bit, of the higher ones less often. */
static uint64_t draw_float(uint32_t bytes)
{
	uint32_t bits = draw(draw(20) ? 12 : 23);

	return bytes == 4 ? 0x3f800000u | 1u << bits
			  : 0x3ff0000000000000u | (uint64_t)1 << (bits + draw(2) * 20);
}

/* Values of a few, so that they meet; some lanes may have none. */
static void add_values(struct build *b, uint32_t number, uint32_t role, uint32_t mask)
{
	uint32_t bytes = sites[number].bytes;

	while (mask) {
		uint32_t lanes = draw(2) ? mask : mask & (draw(65536) * 65537u);

		lanes = lanes ? lanes : mask;
		mask &= ~lanes;
		if (draw(12) && is_float(&sites[number]))
			build_value(b, number, role * 4, bytes, lanes, draw_float(bytes), 0, 0);
		else if (draw(12))
			build_value(b, number, role * 4, bytes, lanes, draw(3),
				    draw(2) && bytes <= 8 ? draw(2) : 0, draw(2));
	}
}

/* A few bytes, some of which are no whole element, within the object. */
#define RANGE_MAX 48u

static void draw_range(struct build *b, uint32_t number, const uint64_t address[CT_WARP_LANES])
{
	const struct site *site = &sites[number];
	uint64_t end = site->space
			   ? CT_ADDRESS_IN(site->space, 256)
			   : BASE + objects[site->object].offset + objects[site->object].bytes;
	uint64_t bytes[CT_WARP_LANES];
	const void *from[CT_WARP_LANES];
	static uint8_t moved[CT_WARP_LANES][RANGE_MAX];
	uint32_t mask = draw(2)   ? 1u << draw(32)
			: draw(3) ? 0x80402001u
			: draw(3) ? 0xfu << draw(28)
				  : 0x5555aaaau;
	uint32_t how = draw(8), unlike = draw(4);

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t most = end - address[lane] < RANGE_MAX ? end - address[lane] : RANGE_MAX;

		bytes[lane] = draw(2) ? most - most % 8 : 1 + draw((uint32_t)most);
		bytes[lane] = bytes[lane] ? bytes[lane] : most;
		for (uint32_t i = 0; i < RANGE_MAX; i++)
			moved[lane][i] = i % 4 ? 0 : draw(2) * (unlike ? 1 : lane);
		from[lane] = moved[lane];
	}
	build_range(b, number, mask, address, bytes);
	if (how)
		build_content(b, number, how > 1 ? mask : mask & -mask, bytes, from,
			      how > 2 ? UINT32_MAX : 1);
}

static void draw_values(struct build *b, uint32_t number, const uint64_t address[CT_WARP_LANES])
{
	const struct site *site = &sites[number];
	uint32_t mask;

	if (site->range_bits) {
		draw_range(b, number, address);
		return;
	}
	mask = draw_mask();
	build_access(b, number, site->bytes, mask, address);
	if (!draw(15))
		return;
	add_values(b, number, 0, mask);
	if (site->operation == BUILD_ATOMIC_CAS)
		add_values(b, number, 1, mask);
	if (site->operation >= BUILD_ATOMIC_ADD && !site->is_reduction)
		add_values(b, number, 2, mask);
}

/* Some do what the last one there did: load what was stored, store it again, in the same launch or
 * a later one. So what they draw for that has a seed of its own. */
static void add_record(struct build *b, uint32_t number)
{
	uint32_t where = where_of(&sites[number]);
	bool is_again = last[where].bytes == sites[number].bytes && !draw(3);
	uint64_t address[CT_WARP_LANES], outer;

	if (is_again)
		memcpy(address, last[where].address, sizeof(address));
	else
		draw_addresses(&sites[number], address);
	if (!is_again)
		last[where].seed = (uint64_t)draw(UINT32_MAX) << 32 | draw(UINT32_MAX);
	outer = state;
	state = last[where].seed;
	draw_values(b, number, address);
	state = outer;
}

static void add_warp(struct build *b, uint32_t kernel, uint32_t cta, uint32_t warp)
{
	BUILD_SEGMENT(b, .launch = b->launches, .cta = cta, .warp = warp);
	for (uint32_t i = draw(7); i > 0; i--) {
		uint32_t site = draw(SITES);

		while (sites[site].kernel != kernel)
			site = (site + 1) % SITES;
		if (!build_fits(b, 200))
			return;
		for (uint32_t times = draw(3) ? 1 : 3; times > 0 && build_fits(b, 200); times--)
			add_record(b, site);
	}
	build_chunk(b);
}

/* One thread of each CTA loads shared memory, and nothing does anything else. */
static void add_leaders(struct build *b, uint32_t ctas)
{
	uint32_t site = 0;

	while (sites[site].operation != BUILD_LOAD || sites[site].space != CT_SPACE_SHARED)
		site++;
	for (uint32_t cta = 0; cta < ctas; cta++) {
		uint64_t address[CT_WARP_LANES] = {CT_ADDRESS_IN(CT_SPACE_SHARED, 4 * draw(2))};

		BUILD_SEGMENT(b, .launch = b->launches, .cta = cta);
		for (uint32_t times = 1 + draw(2); times > 0; times--) {
			build_access(b, site, sites[site].bytes, 1, address);
			build_value(b, site, 0, sites[site].bytes, 1, draw(2), 0, 0);
		}
		build_chunk(b);
	}
}

/* CTAs that are numbered and do nothing. */
#define LARGE_GRID (1u << 30)
static bool has_large_grid;

static void add_launch(struct build *b, bool is_traced, uint64_t stream)
{
	uint32_t kernel = draw(KERNELS), warps = 1 + draw(2);
	uint32_t ctas = 1 + draw(has_large_grid ? 2 : 4); /* as many as can be reported apart */

	BUILD_LAUNCH(b, .kernel_name = build_string(b, kernels[kernel]),
		     .grid = {ctas, has_large_grid ? LARGE_GRID : 1, has_large_grid ? 4096 : 1},
		     .block = {32 * warps}, .stream = stream,
		     .reason = is_traced ? 0 : build_string(b, "not traced"));
	if (is_traced && kernel == 2 && draw(2))
		add_leaders(b, ctas);
	else
		for (uint32_t cta = 0; cta < ctas && is_traced; cta++)
			for (uint32_t warp = 0; warp < warps; warp++)
				add_warp(b, kernel, cta, warp);
	if (draw(20))
		build_done(b, b->launches);
}

static void add_memset(struct build *b)
{
	static uint32_t ids;
	uint32_t object = draw(OBJECTS);
	uint64_t first = draw((uint32_t)objects[object].bytes - 1);

	BUILD_EVENT(b, transfer, .target = BASE + objects[object].offset + first,
		    .width = 1 + draw((uint32_t)(objects[object].bytes - first)), .height = 1,
		    .depth = 1, .transfer = ++ids, .kind = CT_TRANSFER_SET,
		    .value = draw(2) * 0x01000001u, .value_bytes = draw(4) ? 1u << draw(3) : 0,
		    .flags = CT_TRANSFER_WAITED, .call = build_string(b, "cudaMemset"));
}

static void add_call(struct build *b, bool has_streams)
{
	switch (draw(9)) {
	case 0:
		add_memset(b);
		break;
	case 1:
		BUILD_EVENT(b, free, .address = BASE + objects[4].offset);
		add_object(b, 4);
		break;
	case 2:
		add_launch(b, draw(4) != 0, has_streams && draw(2) ? 7 : 0);
		if (draw(2))
			BUILD_EVENT(b, order, .kind = CT_ORDER_DEVICE);
		break;
	default:
		add_launch(b, true, 0);
	}
}

#define MANY_WARPS 8192u
#define MANY (BASE + 0x100000)

/* A warp each; all values differ. */
static void add_many_launch(struct build *b, uint32_t site, uint32_t warps)
{
	BUILD_LAUNCH(b, .kernel_name = build_string(b, kernels[0]), .grid = {MANY_WARPS},
		     .block = {32});
	for (uint32_t w = 0; w < warps; w++) {
		uint64_t value[CT_WARP_LANES];

		if (!build_fits(b, 100))
			build_chunk(b);
		BUILD_SEGMENT(b, .launch = b->launches, .cta = w, .warp = 0);
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			value[lane] = (32 * w + lane) * 2654435761u;
		build_lanes(b, site, 4, CT_FULL_MASK, MANY + 128 * w, 4);
		build_values(b, site, 0, 4, CT_FULL_MASK, value);
	}
	build_chunk(b);
	build_done(b, b->launches);
}

static void add_many(struct build *b)
{
	BUILD_EVENT(b, alloc, .address = MANY, .bytes = 128 * MANY_WARPS, .object = 99,
		    .kind = CT_OBJECT_DEVICE,
		    .site = build_descriptor(b, "A|r.cu|6|1|main|many|n"));
	add_many_launch(b, 1, MANY_WARPS);
	add_many_launch(b, 0, MANY_WARPS - 1);
	add_many_launch(b, 0, MANY_WARPS - 1);
}

int main(int argc, char **argv)
{
	struct build *b;

	if (argc != 3)
		return 2;
	state = (uint64_t)atoi(argv[2]) * 0x9e3779b97f4a7c15u + 1;
	has_large_grid = atoi(argv[2]) % 3 == 0;
	b = build_part(argv[1], NULL);
	add_unit(b);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo"), .sm_count = 2);
	BUILD_EVENT(b, stream, .stream = 7, .flags = CT_STREAM_NON_BLOCKING);
	for (uint32_t i = 0; i < OBJECTS; i++)
		add_object(b, i);
	if (!atoi(argv[2]))
		add_many(b);
	for (uint32_t i = 0; i < CALLS && atoi(argv[2]); i++)
		add_call(b, atoi(argv[2]) % 4 == 0);
	return build_close(b, "{}") < 0;
}
