/* SPDX-License-Identifier: Apache-2.0 */
/* Several processes in one trace, and lifetimes of objects whose frees were not seen. */
#include "tests/unit/trace/one_chunk.h"
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <cudatrace/encode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *directory;
static struct ct_writer *writer;
static struct ct_trace *trace;
static char why[512];

static void make(void)
{
	directory = fixture_directory();
}

static void clean(void)
{
	ct_trace_close(trace);
	fixture_remove(directory);
}

TestSuite(parts, .init = make, .fini = clean);

static void begin_part(uint32_t part)
{
	const struct ct_writer_options options = {.part = part, .level = 1};
	size_t bytes;
	void *unit = fixture_unit(&bytes);

	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_writer_unit(writer, unit, bytes), 0);
	free(unit);
}

static void alloc(uint32_t object, uint64_t address, uint64_t bytes, const char *name)
{
	struct ct_event_alloc event = {
	    .header = {CT_EVENT_ALLOC, 0, sizeof(event), 1},
	    .address = address,
	    .bytes = bytes,
	    .object = object,
	    .kind = CT_OBJECT_VARIABLE,
	};

	ct_writer_string(writer, name, &event.site);
	cr_assert_eq(ct_writer_event(writer, &event.header), 0);
}

static void release(uint32_t object, uint64_t address)
{
	struct ct_event_free event = {
	    .header = {CT_EVENT_FREE, 0, sizeof(event), 1},
	    .address = address,
	    .object = object,
	};

	cr_assert_eq(ct_writer_event(writer, &event.header), 0);
}

static void launch(uint32_t id)
{
	struct ct_event_launch event = {
	    .header = {CT_EVENT_LAUNCH, 0, sizeof(event), 1},
	    .launch = id,
	    .unit_id = FIXTURE_UNIT_ID,
	    .unit_arch = 90,
	    .flags = CT_LAUNCH_TRACED,
	};

	ct_writer_string(writer, "_Z3sumPf", &event.kernel_name);
	cr_assert_eq(ct_writer_event(writer, &event.header), 0);
}

static void record(uint32_t launch_id, uint64_t base)
{
	uint64_t words[40] = {CT_SEGMENT_WORD0(0, 0, launch_id), CT_SEGMENT_WORD1(0, 0)};
	uint64_t address[CT_WARP_LANES];
	uint32_t n;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = base;
	n = 2 + ct_encode_access(words + 2, 0, 4, CT_FULL_MASK, address);
	cr_assert_eq(write_one_chunk(writer, 0, 0, words, 8 * n), 0);
}

static void open_trace(void)
{
	const char *const *warnings;

	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_trace_warnings(trace, &warnings), 0, "%s", warnings[0]);
}

static int check_part(void *user, const struct ct_access *access)
{
	uint32_t *parts = user, part = access->launch->part;
	const struct ct_object_info *object =
	    ct_trace_object_at(trace, access->launch, access->address[0]);
	char expected[16];

	snprintf(expected, sizeof(expected), "of part %u", part);
	cr_assert_not_null(object);
	cr_assert_str_eq(object->name, expected);
	cr_assert_eq(access->launch->event->launch, 1);
	*parts |= 1u << part;
	return 0;
}

Test(parts, each_part_has_its_own_launches_objects_and_strings)
{
	uint32_t parts = 0;
	const struct ct_scan scan = {.access = check_part, .user = &parts};
	const struct ct_unit *units;

	for (uint32_t part = 0; part < 12; part++) {
		char name[16];

		begin_part(part);
		snprintf(name, sizeof(name), "of part %u", part);
		alloc(1, FIXTURE_X, 64, name);
		launch(1);
		record(1, FIXTURE_X + part);
		cr_assert_eq(ct_writer_close(writer), 0);
	}
	open_trace();
	cr_assert_eq(ct_trace_units(trace, &units), 1, "the same unit of 12 processes");
	cr_assert_eq(ct_trace_scan(trace, &scan, NULL), 0);
	cr_assert_eq(parts, 0xfff);
}

static const char *name_at(size_t i, uint64_t address)
{
	const struct ct_launch_info *launches;
	const struct ct_object_info *object;

	cr_assert_lt(i, ct_trace_launches(trace, &launches));
	object = ct_trace_object_at(trace, &launches[i], address);
	return object ? object->name : "none";
}

Test(parts, a_new_object_ends_those_that_it_covers)
{
	begin_part(0);
	alloc(1, 0x1000, 0x100, "first");
	alloc(2, 0x1100, 0x100, "second");
	alloc(3, 0x1200, 0x100, "third");
	launch(1);
	alloc(4, 0x1080, 0x100, "new"); /* the frees of first and second were not seen */
	launch(2);
	release(1, 0x1000); /* comes late: ignored */
	release(9, 0x1200); /* of another object: ignored */
	launch(3);
	release(0, 0x1200); /* whichever is there */
	alloc(5, 0x5000, 0, "empty");
	alloc(6, UINT64_MAX - 15, 64, "to the end");
	launch(4);
	cr_assert_eq(ct_writer_close(writer), 0);
	open_trace();
	for (int pass = 0; pass < 2; pass++) {
		cr_assert_str_eq(name_at(0, 0x1080), "first");
		cr_assert_str_eq(name_at(0, 0x1100), "second");
		cr_assert_str_eq(name_at(3, 0x1200), "none");
		cr_assert_str_eq(name_at(3, 0x5000), "none");
		cr_assert_str_eq(name_at(3, UINT64_MAX - 1), "to the end");
		cr_assert_str_eq(name_at(1, 0x1080), "new");
		cr_assert_str_eq(name_at(1, 0x1000), "none");
		cr_assert_str_eq(name_at(1, 0x11ff), "none");
		cr_assert_str_eq(name_at(2, 0x1200), "third");
	}
}

Test(parts, many_objects_are_found_at_every_launch)
{
	begin_part(0);
	for (uint32_t i = 0; i < 500; i++) {
		char name[16];

		snprintf(name, sizeof(name), "object %u", i);
		alloc(i + 1, 0x100000 + 0x100 * (i * 37 % 500), 0x100, name);
		launch(i + 1);
		if (i % 3 == 2)
			release(i, 0x100000 + 0x100 * ((i - 1) * 37 % 500));
	}
	cr_assert_eq(ct_writer_close(writer), 0);
	open_trace();
	for (uint32_t step = 0; step < 4000; step++) {
		uint32_t at = step * 7919 % 500, i = step * 104729 % 500;
		/* Object i is allocated before launch i, and dies after launch i+1 if i % 3 == 1.
		 */
		bool is_alive = i <= at && (i % 3 != 1 || at <= i + 1 || i + 1 >= 500);
		char expected[16] = "none";

		if (is_alive)
			snprintf(expected, sizeof(expected), "object %u", i);
		cr_assert_str_eq(name_at(at, 0x100000 + 0x100 * (i * 37 % 500) + 0xff), expected);
	}
}
