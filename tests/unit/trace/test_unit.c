/* SPDX-License-Identifier: Apache-2.0 */
/* Unit blobs are checked before they are used. */
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

Test(unit, version_1_becomes_version_2)
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

Test(unit, version_2_is_not_converted)
{
	size_t converted_bytes;
	void *converted;

	cr_assert_eq(ct_unit_convert(blob, bytes, &converted, &converted_bytes), 0);
	cr_assert_null(converted);
}

Test(unit, a_newer_version_is_told_from_damage)
{
	struct ct_unit_header *header = (void *)blob;

	header->version = CT_UNIT_VERSION + 1;
	cr_assert_eq(view(), -CT_EVERSION);
	header->version = 0;
	cr_assert_eq(view(), -CT_EFORMAT);
}
