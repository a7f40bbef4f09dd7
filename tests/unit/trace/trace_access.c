/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of access shapes, made by hand. */
#include "tests/unit/trace/trace_access.h"
#include "tests/builder/trace.h"

#define X 0x7f0000100000u
#define X_BYTES 0x100000u
#define LEFT 0x7f0000300000u /* 64 bytes, and right behind it: */
#define RIGHT (LEFT + 64)
#define RIGHT_BYTES 4096u
#define P12 0x7f0000400000u
#define P16 0x7f0000500000u
#define COUNT 0x7f0000600000u
#define WARPS 2u
#define COLUMN 9u

const struct access_shape access_shapes[ACCESS_SHAPES] = {
    {"unit", 4, CT_FULL_MASK, 4, 0, 128, 4, 4, "unit stride"},
    {"misaligned", 4, CT_FULL_MASK, 4, 4, 128, 5, 4, "misaligned by 4 B"},
    {"misaligned_half", 4, CT_FULL_MASK, 4, 16, 128, 5, 4, "misaligned by 16 B"},
    {"every_second", 4, CT_FULL_MASK, 8, 0, 256, 8, 4, "stride 2"},
    {"every_eighth", 4, CT_FULL_MASK, 32, 0, 1024, 32, 4, "stride 8"},
    {"every_33rd", 4, CT_FULL_MASK, 132, 0, 4224, 32, 4, "stride 33"},
    {"downward", 4, CT_FULL_MASK, -4, 124, 128, 4, 4, "unit stride"},
    {"downward_misaligned", 4, CT_FULL_MASK, -4, 128, 128, 5, 4, "misaligned by 4 B"},
    {"downward_strided", 4, CT_FULL_MASK, -32, 992, 1024, 32, 4, "stride -8"},
    {"doubles", 8, CT_FULL_MASK, 8, 0, 256, 8, 8, "unit stride"},
    {"quads", 16, CT_FULL_MASK, 16, 0, 512, 16, 16, "unit stride"},
    {"quads_strided", 16, CT_FULL_MASK, 32, 0, 1024, 32, 16, "stride 2"},
    {"triples", 12, CT_FULL_MASK, 12, 0, 384, 12, 12, "unit stride"},
    {"bytes", 1, CT_FULL_MASK, 1, 0, 32, 1, 1, "unit stride"},
    {"bytes_strided", 1, CT_FULL_MASK, 32, 0, 1024, 32, 1, "stride 32"},
    {"halves", 2, CT_FULL_MASK, 2, 0, 64, 2, 2, "unit stride"},
    {"broadcast", 4, CT_FULL_MASK, 0, 64, 0, 1, 1, "broadcast"},
    {"broadcast_across", 8, CT_FULL_MASK, 0, 28, 0, 2, 1, "broadcast"},
    {"one_lane", 4, 1u << 7, 4, 0, 128, 1, 1, "one lane"},
    {"two_lanes", 4, 0x80000001u, 4096, 0, 128, 2, 1, "gather, 2.0 sectors each"},
    {"even_lanes", 4, 0x55555555u, 4, 0, 128, 4, 2, "unit stride"},
    {"half_warp", 4, 0x0000ffffu, 4, 0, 128, 2, 2, "unit stride"},
    {"all_but_first", 4, 0xfffffffeu, 4, 0, 128, 4, 4, "unit stride"},
    {"overlapping", 8, CT_FULL_MASK, 4, 0, 128, 5, 5, "stride 4 B"},
};

/* Sites behind those of the shapes, all of one kernel. */
enum {
	ROWS = ACCESS_SHAPES,
	SQUARES,
	ACROSS,
	LEFT_UNIT,
	RIGHT_STRIDED,
	MEMBERS_12,
	MEMBERS_16 = MEMBERS_12 + 3,
	ALL_MEET = MEMBERS_16 + 2,
	FOUR_MEET,
	NONE_MEET,
	TILE_COLUMN,
	TILE_ROW,
	SITES
};

#define MORE "_Z4morev"

static const struct {
	uint32_t line, column;
	enum build_operation operation;
} more[SITES] = {
    [ROWS] = {1000, COLUMN, BUILD_LOAD},
    [SQUARES] = {1010, COLUMN, BUILD_LOAD},
    [ACROSS] = {1020, COLUMN, BUILD_LOAD},
    [LEFT_UNIT] = {1030, COLUMN, BUILD_LOAD},
    [RIGHT_STRIDED] = {1030, 16, BUILD_LOAD},
    [MEMBERS_12] = {1040, COLUMN, BUILD_LOAD},
    [MEMBERS_12 + 1] = {1040, 16, BUILD_LOAD},
    [MEMBERS_12 + 2] = {1040, 23, BUILD_LOAD},
    [MEMBERS_16] = {1050, COLUMN, BUILD_STORE},
    [MEMBERS_16 + 1] = {1051, COLUMN, BUILD_STORE},
    [ALL_MEET] = {1060, COLUMN, BUILD_ATOMIC_ADD},
    [FOUR_MEET] = {1070, COLUMN, BUILD_ATOMIC_ADD},
    [NONE_MEET] = {1080, COLUMN, BUILD_ATOMIC_ADD},
    [TILE_COLUMN] = {1090, COLUMN, BUILD_LOAD},
    [TILE_ROW] = {1100, COLUMN, BUILD_STORE},
};

static void add_unit(struct build *b)
{
	struct build_unit *unit = build_unit(1, 90, "shapes.cu");

	unit->header.spaces |= 1u << CT_SPACE_SHARED;
	for (uint32_t i = 0; i < ACCESS_SHAPES; i++) {
		build_kernel(unit, access_shapes[i].name, access_shapes[i].name, 10 * (i + 1) - 1);
		build_site(unit, access_shapes[i].name, 10 * (i + 1), BUILD_LOAD,
			   access_shapes[i].bytes);
	}
	build_kernel(unit, MORE, "more()", 999);
	for (uint32_t i = ACCESS_SHAPES; i < SITES; i++) {
		struct ct_unit_site *site =
		    build_site(unit, MORE, more[i].line, more[i].operation, 4);

		site->column = more[i].column;
		if (i >= TILE_COLUMN)
			site->space = CT_SPACE_SHARED;
	}
	build_add_unit(b, unit);
}

static void add_object(struct build *b, uint32_t object, uint64_t address, uint64_t bytes,
		       const char *site)
{
	BUILD_EVENT(b, alloc, .address = address, .bytes = bytes, .object = object,
		    .kind = CT_OBJECT_DEVICE, .site = build_descriptor(b, site));
}

static void add_shape(struct build *b, uint32_t number)
{
	const struct access_shape *shape = &access_shapes[number];
	uint32_t launch =
	    BUILD_LAUNCH(b, .kernel_name = build_string(b, shape->name), .grid = {WARPS});

	for (uint32_t w = 0; w < WARPS; w++) {
		BUILD_SEGMENT(b, .launch = launch, .cta = w);
		build_lanes(b, number, shape->bytes, shape->mask,
			    X + shape->offset + w * shape->step, (uint64_t)shape->stride);
	}
	build_chunk(b);
	build_done(b, launch);
}

static void add_irregular(struct build *b)
{
	uint64_t address[CT_WARP_LANES];

	for (uint64_t l = 0; l < CT_WARP_LANES; l++)
		address[l] = X + l % 16 * 4 + l / 16 * 4096;
	build_access(b, ROWS, 4, CT_FULL_MASK, address);
	for (uint64_t l = 0; l < CT_WARP_LANES; l++)
		address[l] = X + l * l * 64;
	build_access(b, SQUARES, 4, CT_FULL_MASK, address);
	for (uint64_t l = 0; l < CT_WARP_LANES; l++)
		address[l] = COUNT + l % 4 * 4;
	build_access(b, FOUR_MEET, 4, CT_FULL_MASK, address);
}

static void add_more(struct build *b)
{
	uint32_t launch = BUILD_LAUNCH(b, .kernel_name = build_string(b, MORE));

	BUILD_SEGMENT(b, .launch = launch);
	add_irregular(b);
	build_lanes(b, ACROSS, 4, CT_FULL_MASK, LEFT, 4);
	build_lanes(b, LEFT_UNIT, 4, 0xffff, LEFT, 4);
	build_lanes(b, RIGHT_STRIDED, 4, CT_FULL_MASK, RIGHT, 32);
	for (uint32_t i = 0; i < 3; i++)
		build_lanes(b, MEMBERS_12 + i, 4, CT_FULL_MASK, P12 + (uint64_t)i * 4, 12);
	for (uint32_t i = 0; i < 2; i++)
		build_lanes(b, MEMBERS_16 + i, 4, CT_FULL_MASK, P16 + (uint64_t)i * 8, 16);
	build_lanes(b, ALL_MEET, 4, CT_FULL_MASK, COUNT, 0);
	build_lanes(b, NONE_MEET, 4, CT_FULL_MASK, COUNT, 4);
	build_lanes(b, TILE_COLUMN, 4, CT_FULL_MASK, CT_ADDRESS_IN(CT_SPACE_SHARED, 0), 128);
	build_lanes(b, TILE_ROW, 4, CT_FULL_MASK, CT_ADDRESS_IN(CT_SPACE_SHARED, 0), 4);
	build_chunk(b);
	build_done(b, launch);
}

int access_make(const char *directory)
{
	struct build *b = build_part(directory, NULL);

	add_unit(b);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 1);
	add_object(b, 1, X, X_BYTES, "A|shapes.cu|1200|2|main|x|n");
	add_object(b, 2, LEFT, 64, "A|shapes.cu|1201|2|main|left|64");
	add_object(b, 3, RIGHT, RIGHT_BYTES, "A|shapes.cu|1202|2|main|right|4096");
	add_object(b, 4, P12, 384, "A|shapes.cu|1203|2|main|p12|n * 12");
	add_object(b, 5, P16, 512, "A|shapes.cu|1204|2|main|p16|n * 16");
	add_object(b, 6, COUNT, 128, "A|shapes.cu|1205|2|main|count|128");
	for (uint32_t i = 0; i < ACCESS_SHAPES; i++)
		add_shape(b, i);
	add_more(b);
	return build_close(b, "{}");
}
