/* SPDX-License-Identifier: Apache-2.0 */
/* Unit blobs are checked before they are used. */
#include "tests/builder/unit.h"
#include "tests/unit/trace/trace_fixture.h"
#include "trace/codec/unit.h"

#include <criterion/criterion.h>
#include <cudatrace/error.h>
#include <stdlib.h>
#include <string.h>

static char *blob;
static size_t bytes;
static struct ct_unit unit;

static void make(void)
{
	blob = fixture_unit(&bytes);
	cr_assert_eq(ct_unit_view(&unit, blob, bytes), 0);
}

static void clean(void)
{
	free(blob);
}

TestSuite(unit, .init = make, .fini = clean);

static int view(void)
{
	struct ct_unit ignored;

	return ct_unit_view(&ignored, blob, bytes);
}

Test(unit, a_sound_blob_gives_its_tables)
{
	cr_assert_eq(unit.header->site_count, FIXTURE_SITES);
	cr_assert_str_eq(ct_unit_string(&unit, unit.header->source), "demo.cu");
	cr_assert_str_eq(ct_unit_string(&unit, unit.kernels[1].display), "sum<float>(float*)");
	cr_assert_str_eq(ct_unit_string(&unit, unit.params[1].name), "src");
	cr_assert_eq(unit.sites[2].inlined_at, 0);
	cr_assert_eq(unit.frames[0].inlined_at, 1);
	cr_assert_str_eq(ct_unit_string(&unit, 0), "");
	cr_assert_str_eq(ct_unit_string(&unit, unit.header->string_bytes), "");
	cr_assert_str_eq(ct_unit_string(&unit, UINT32_MAX), "");
}

Test(unit, any_other_size_is_refused)
{
	for (size_t cut = 0; cut < bytes; cut++) {
		struct ct_unit ignored;
		char *copy = malloc(cut + 1);

		memcpy(copy, blob, cut);
		cr_assert_eq(ct_unit_view(&ignored, copy, cut), -CT_EFORMAT);
		free(copy);
	}
	blob = realloc(blob, bytes + 8);
	bytes += 8;
	cr_assert_eq(view(), -CT_EFORMAT);
}

/* A u32 of the blob that must be below a bound. */
static void refuse_at(const void *field, uint32_t value)
{
	uint32_t *place = (uint32_t *)(blob + ((const char *)field - (const char *)unit.header));
	uint32_t before = *place;

	*place = value;
	cr_assert_eq(view(), -CT_EFORMAT, "at %td: %u", (const char *)field - blob, value);
	*place = before;
	cr_assert_eq(view(), 0);
}

Test(unit, offsets_and_indices_out_of_range_are_refused)
{
	uint32_t end = unit.header->string_bytes;

	refuse_at(&unit.header->source, end);
	refuse_at(&unit.kernels[0].name, end);
	refuse_at(&unit.kernels[0].display, end);
	refuse_at(&unit.kernels[1].file, end);
	refuse_at(&unit.kernels[1].reason, UINT32_MAX);
	refuse_at(&unit.kernels[0].param_count, 4);
	refuse_at(&unit.kernels[0].param_first, UINT32_MAX);
	refuse_at(&unit.params[2].name, end);
	refuse_at(&unit.params[2].type, end);
	refuse_at(&unit.sites[0].function, end);
	refuse_at(&unit.sites[0].file, end);
	refuse_at(&unit.sites[3].variable, end);
	refuse_at(&unit.sites[3].reason, end);
	refuse_at(&unit.sites[2].pattern, end);
	refuse_at(&unit.sites[1].kernel, 2);
	refuse_at(&unit.sites[1].inlined_at, 2);
	refuse_at(&unit.frames[0].function, end);
	refuse_at(&unit.frames[0].file, end);
	refuse_at(&unit.frames[0].inlined_at, 2);
}

/* A kernel of two blocks, the second of which is next of itself, and a device function. */
static void make_blocks(void)
{
	struct build_unit *build = build_unit(7, 90, "demo.cu");

	free(blob);
	build_kernel(build, "_Z4copyPfS_", "copy(float*, float*)", 3);
	build_site(build, "_Z4copyPfS_", 5, BUILD_BLOCK, 0);
	build_block(build, "_Z4copyPfS_", 0);
	build_mix(build, BUILD_IN_FMA32, 3, 0, 0);
	build_next(build, 1);
	build_block(build, "_Z4copyPfS_", CT_NONE);
	build_mix(build, BUILD_IN_LOAD, 2, CT_SPACE_GLOBAL, 4);
	build_step(build,
		   (struct ct_unit_step){BUILD_IN_LOAD, CT_SPACE_GLOBAL, 4, 0, 1, 5, 0, CT_NONE});
	build_next(build, 1);
	build_block(build, "_Z1fv", CT_NONE);
	blob = build_blob(build, &bytes);
	cr_assert_eq(ct_unit_view(&unit, blob, bytes), 0);
}

Test(unit, blocks_have_their_mix_steps_and_arcs)
{
	make_blocks();
	cr_assert_eq(unit.header->block_count, 3);
	cr_assert_eq(unit.blocks[0].site, 0);
	cr_assert_eq(unit.blocks[1].number, 1);
	cr_assert_eq(unit.blocks[2].number, 0);
	cr_assert_eq(unit.blocks[2].kernel, CT_NONE);
	cr_assert_eq(unit.mix[unit.blocks[1].mix_first].count, 2);
	cr_assert_eq(unit.steps[unit.blocks[1].step_first].until, 1);
	cr_assert_eq(unit.next[unit.blocks[1].next_first], 1);
	cr_assert_str_eq(ct_unit_string(&unit, unit.blocks[2].function), "_Z1fv");
}

Test(unit, blocks_out_of_their_tables_are_refused)
{
	make_blocks();
	refuse_at(&unit.blocks[0].function, unit.header->string_bytes);
	refuse_at(&unit.blocks[0].pattern, unit.header->string_bytes);
	refuse_at(&unit.blocks[0].file, unit.header->string_bytes);
	refuse_at(&unit.blocks[0].kernel, 1);
	refuse_at(&unit.blocks[0].site, 1);
	refuse_at(&unit.blocks[0].mix_count, 3);
	refuse_at(&unit.blocks[0].mix_first, UINT32_MAX);
	refuse_at(&unit.blocks[1].step_count, 2);
	refuse_at(&unit.blocks[1].next_count, 2);
	refuse_at(&unit.blocks[0].number, 1); /* further back than there are any */
	refuse_at(&unit.next[0], 2);          /* of another function */
	refuse_at(&unit.next[0], 3);          /* of none */
	refuse_at(&unit.next[1], UINT32_MAX);
}

/* `a.b = f()` in a kernel of one block. */
static void make_blame(void)
{
	struct build_unit *build = build_unit(7, 90, "demo.cu");
	struct ct_unit_statement *statement;
	struct ct_unit_outcome *outcome;
	uint32_t list;

	free(blob);
	build_kernel(build, "_Z1kv", "k()", 3);
	build_block(build, "_Z1kv", CT_NONE);
	build_block(build, "_Z1kv", CT_NONE);
	build_frame(build, "_Z1kv", "demo.cu", 4, 1, CT_NONE);
	build_variable(build, "_Z1kv", "a");
	build_variable(build, "_Z1kv", "b")->parent = 0;
	list = build_list(build, 1);
	statement = build_statement(build, "_Z1kv", 4);
	statement->blamed = list;
	statement->read = build_list(build, 0);
	build_call(build, "_Z1kv", 4, "_Z1fv");
	outcome = build_outcome(build, "return");
	outcome->blamed = list;
	build_share(build, 0, 0, 5);
	build_share(build, 1, 0, 6);
	blob = build_blob(build, &bytes);
	cr_assert_eq(ct_unit_view(&unit, blob, bytes), 0);
}

Test(unit, blame_out_of_its_tables_is_refused)
{
	uint32_t end;

	make_blame();
	end = unit.header->string_bytes;
	cr_assert_eq(unit.list[unit.statements[0].blamed + 1], 1);
	refuse_at(&unit.variables[0].name, end);
	refuse_at(&unit.variables[0].type, end);
	refuse_at(&unit.variables[0].exit, end);
	refuse_at(&unit.variables[1].parent, 1); /* itself */
	refuse_at(&unit.variables[0].parent, 1); /* behind it */
	refuse_at(&unit.statements[0].function, end);
	refuse_at(&unit.statements[0].nearest, unit.header->list_count);
	refuse_at(&unit.statements[0].blamed, UINT32_MAX);
	refuse_at(&unit.list[unit.statements[0].blamed], 9);
	refuse_at(&unit.list[unit.statements[0].read + 1], 2);
	refuse_at(&unit.calls[0].callee, end);
	refuse_at(&unit.calls[0].outcome_count, 2);
	refuse_at(&unit.calls[0].outcome_first, UINT32_MAX);
	refuse_at(&unit.outcomes[0].exit, end);
	refuse_at(&unit.outcomes[0].direct, UINT32_MAX);
	refuse_at(&unit.shares[0].frame, 1);
	refuse_at(&unit.shares[1].block, 2);
	refuse_at(&unit.shares[0].block, 2);
}

/* Without the tables of blame and the header's words about them, and with shorter steps. */
Test(unit, version_3_becomes_that_of_today)
{
	size_t less = sizeof(*unit.header) - CT_UNIT_V3_HEADER_BYTES + sizeof(struct ct_unit_step) -
		      CT_UNIT_V3_STEP_BYTES,
	       converted_bytes, tables;
	struct ct_unit_header *header;
	char *older, *at;
	void *converted;

	make_blocks();
	cr_assert_eq(unit.header->step_count, 1);
	at = older = malloc(bytes - less);
	memcpy(at, blob, CT_UNIT_V3_HEADER_BYTES);
	at += CT_UNIT_V3_HEADER_BYTES;
	tables = (size_t)((const char *)unit.steps - (const char *)unit.kernels);
	memcpy(at, unit.kernels, tables);
	at += tables;
	memcpy(at, unit.steps, CT_UNIT_V3_STEP_BYTES);
	at += CT_UNIT_V3_STEP_BYTES;
	memcpy(at, unit.next, (size_t)(older + bytes - less - at));
	header = (void *)older;
	header->version = 3;
	header->header_bytes = CT_UNIT_V3_HEADER_BYTES;
	cr_assert_eq(ct_unit_convert(older, bytes - less, &converted, &converted_bytes), 0);
	cr_assert_eq(converted_bytes, bytes);
	/* The step's wait is 0, and it is not known what uses it elsewhere. */
	cr_assert_eq(memcmp(converted, blob, bytes), 0);
	free(converted);
	free(older);
}

Test(unit, circles_of_frames_are_refused)
{
	refuse_at(&unit.frames[0].inlined_at, 0);
	refuse_at(&unit.frames[1].inlined_at, 0);
}

Test(unit, counts_that_wrap_around_are_refused)
{
	refuse_at(&unit.header->kernel_count, 0x08000002);
	refuse_at(&unit.header->site_count, 0xffffffff);
	refuse_at(&unit.header->string_bytes, 0);
}

Test(unit, strings_without_an_end_are_refused)
{
	blob[bytes - 1] = 'x';
	cr_assert_eq(view(), -CT_EFORMAT);
}

/* The blob as version 1 had it: shorter header, shorter sites. */
static char *make_first_version(size_t *first_bytes)
{
	const char *rest = (const char *)unit.frames;
	size_t tables = (size_t)((const char *)unit.sites - (const char *)unit.kernels);
	size_t rest_bytes = (size_t)(blob + bytes - rest);
	char *first = malloc(bytes), *at = first;
	struct ct_unit_header *header = (void *)first;

	memcpy(at, blob, CT_UNIT_V1_HEADER_BYTES);
	at += CT_UNIT_V1_HEADER_BYTES;
	memcpy(at, unit.kernels, tables);
	at += tables;
	for (uint32_t i = 0; i < FIXTURE_SITES; i++, at += CT_UNIT_V1_SITE_BYTES)
		memcpy(at, &unit.sites[i], CT_UNIT_V1_SITE_BYTES);
	memcpy(at, rest, rest_bytes);
	header->version = 1;
	header->header_bytes = CT_UNIT_V1_HEADER_BYTES;
	*first_bytes = (size_t)(at - first) + rest_bytes;
	return first;
}

Test(unit, version_1_becomes_that_of_today)
{
	size_t first_bytes, converted_bytes;
	char *first = make_first_version(&first_bytes);
	void *converted;

	cr_assert_eq(ct_unit_convert(first, first_bytes, &converted, &converted_bytes), 0);
	/* The fixture's options are the defaults, and its sites have no pattern. */
	cr_assert_eq(converted_bytes, bytes);
	cr_assert_eq(memcmp(converted, blob, bytes), 0);
	free(converted);
	for (size_t cut = 0; cut < first_bytes; cut++) {
		char *copy = malloc(cut + 1);

		memcpy(copy, first, cut);
		cr_assert_eq(ct_unit_convert(copy, cut, &converted, &converted_bytes), -CT_EFORMAT);
		cr_assert_null(converted);
		free(copy);
	}
	free(first);
}

Test(unit, version_2_becomes_that_of_today)
{
	size_t older_bytes = bytes - (sizeof(*unit.header) - CT_UNIT_V2_HEADER_BYTES),
	       converted_bytes;
	char *older = malloc(older_bytes);
	struct ct_unit_header *header = (void *)older;
	void *converted;

	memcpy(older, blob, CT_UNIT_V2_HEADER_BYTES);
	memcpy(older + CT_UNIT_V2_HEADER_BYTES, unit.kernels,
	       older_bytes - CT_UNIT_V2_HEADER_BYTES);
	header->version = 2;
	header->header_bytes = CT_UNIT_V2_HEADER_BYTES;
	cr_assert_eq(ct_unit_convert(older, older_bytes, &converted, &converted_bytes), 0);
	cr_assert_eq(converted_bytes, bytes);
	cr_assert_eq(memcmp(converted, blob, bytes), 0);
	free(converted);
	free(older);
}

Test(unit, that_of_today_is_not_converted)
{
	size_t converted_bytes;
	void *converted;

	cr_assert_eq(ct_unit_convert(blob, bytes, &converted, &converted_bytes), 0);
	cr_assert_null(converted);
}

Test(unit, a_newer_version_is_distinguished_from_damage)
{
	struct ct_unit_header *header = (void *)blob;

	header->version = CT_UNIT_VERSION + 1;
	cr_assert_eq(view(), -CT_EVERSION);
	header->version = 0;
	cr_assert_eq(view(), -CT_EFORMAT);
}
