/* SPDX-License-Identifier: Apache-2.0 */
/* The reader shows what the writer was given. */
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <cudatrace/error.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *directory;
static struct ct_trace *trace;
static char why[512];

static void make_and_open(void)
{
	directory = fixture_directory();
	cr_assert_eq(fixture_make(directory, 1, false), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
}

static void close_and_remove(void)
{
	ct_trace_close(trace);
	fixture_remove(directory);
}

TestSuite(reader, .init = make_and_open, .fini = close_and_remove);

Test(reader, has_no_warning_for_a_sound_trace)
{
	const char *const *warnings;

	cr_assert_eq(ct_trace_warnings(trace, &warnings), 0);
	cr_assert_str_eq(ct_trace_manifest(trace),
			 "{\"format\": 1, \"program\": \"demo\", \"complete\": true}\n");
	cr_assert_gt(ct_trace_bytes(trace), 500);
}

Test(reader, joins_launches_with_their_kernels)
{
	const struct ct_launch_info *launches;

	cr_assert_eq(ct_trace_launches(trace, &launches), FIXTURE_LAUNCHES);
	cr_assert_str_eq(launches[0].kernel_name, "_Z4copyPfS_");
	cr_assert_str_eq(launches[0].kernel, "copy(float*, float*)");
	cr_assert_str_eq(launches[1].kernel, "sum<float>(float*)");
	cr_assert_eq(launches[1].kernel_index, 1);
	cr_assert_eq(launches[0].unit->header->unit_id, FIXTURE_UNIT_ID);
	cr_assert_str_eq(launches[1].reason, "kernel is not selected");
	cr_assert_str_eq(launches[0].reason, "");
	cr_assert(launches[0].done && launches[2].done);
	cr_assert_not(launches[1].done);
	cr_assert_eq(launches[2].event->shared_bytes, 128);
	cr_assert_eq(launches[0].event_index, 4);
}

Test(reader, knows_devices_and_losses)
{
	const struct ct_device_info *devices;
	const struct ct_loss_info *losses;

	cr_assert_eq(ct_trace_devices(trace, &devices), 1);
	cr_assert_str_eq(devices[0].name, "Demo device");
	cr_assert_eq(ct_trace_losses(trace, &losses), 1);
	cr_assert_eq(losses[0].event->chunks, 7);
	cr_assert_str_eq(losses[0].reason, "the ring was full when the program ended");
}

Test(reader, names_objects_and_their_lifetimes)
{
	const struct ct_object_info *objects;

	cr_assert_eq(ct_trace_objects(trace, &objects), FIXTURE_OBJECTS);
	cr_assert_str_eq(objects[0].name, "counter");
	cr_assert_str_eq(objects[0].site, "");
	cr_assert_str_eq(objects[1].name, "x");
	cr_assert_eq(strncmp(objects[1].site, "A\x1f", 2), 0);
	cr_assert_eq(objects[1].allocated_at, 2);
	cr_assert_eq(objects[1].freed_at, 7);
	cr_assert_eq(objects[3].freed_at, UINT64_MAX);
}

static const char *object_name_at(const struct ct_launch_info *launch, uint64_t address)
{
	const struct ct_object_info *object = ct_trace_object_at(trace, launch, address);

	return object ? object->name : "none";
}

Test(reader, finds_the_object_of_an_address_at_the_time_of_the_launch)
{
	const struct ct_launch_info *launches;

	ct_trace_launches(trace, &launches);
	for (int pass = 0; pass < 2; pass++) { /* forth and back in time */
		cr_assert_str_eq(object_name_at(&launches[0], FIXTURE_X), "x");
		cr_assert_str_eq(object_name_at(&launches[0], FIXTURE_X + 4095), "x");
		cr_assert_str_eq(object_name_at(&launches[0], FIXTURE_X + 4096), "none");
		cr_assert_str_eq(object_name_at(&launches[0], FIXTURE_X - 1), "none");
		cr_assert_str_eq(object_name_at(&launches[2], FIXTURE_X + 1023), "z");
		cr_assert_str_eq(object_name_at(&launches[2], FIXTURE_X + 1024), "none");
		cr_assert_str_eq(object_name_at(&launches[1], FIXTURE_X), "x");
		cr_assert_str_eq(object_name_at(&launches[2], FIXTURE_Y + 5), "y");
		cr_assert_str_eq(object_name_at(&launches[2], 0x1008), "counter");
	}
}

Test(reader, scans_every_access)
{
	struct fixture_sum sum;
	uint64_t damaged = 1, address_sum = 0, lanes = 0;

	cr_assert_eq(fixture_scan(trace, &sum, &damaged), 0);
	cr_assert_eq(damaged, 0);
	cr_assert_eq(sum.accesses, FIXTURE_ACCESSES);
	for (uint64_t warp = 0; warp < 2; warp++) {
		for (uint64_t lane = 0; lane < 32; lane++) {
			address_sum += FIXTURE_X + 128 * warp + 4 * lane;
			address_sum += lane % 2 ? 0 : FIXTURE_Y;
			address_sum +=
			    0xfff0ffff >> lane & 1 ? FIXTURE_Y + 8 * (lane * lane % 37) : 0;
			lanes += 1 + (lane % 2 == 0) + (0xfff0ffff >> lane & 1);
		}
	}
	cr_assert_eq(sum.lanes, 2 * lanes);
	cr_assert_eq(sum.addresses, 2 * address_sum);
}

static int check_one_launch(void *user, const struct ct_access *access)
{
	uint64_t *count = user;

	cr_assert_eq(access->launch->event->launch, 3);
	cr_assert_eq(access->info, &access->launch->unit->sites[access->site]);
	cr_assert_eq(access->cta, 1);
	cr_assert_eq(access->warp, *count / 3);
	cr_assert_eq(access->site, *count % 3);
	++*count;
	return 0;
}

Test(reader, scans_one_launch_only_if_asked_to)
{
	uint64_t count = 0;
	const uint8_t launches[] = {0, 0, 1};
	struct ct_scan scan = {.access = check_one_launch, .user = &count, .launches = launches};

	cr_assert_eq(ct_trace_scan(trace, &scan, NULL), 0);
	cr_assert_eq(count, FIXTURE_ACCESSES / 2);
}

static int stop_at_second(void *user, const struct ct_access *access)
{
	int *calls = user;

	(void)access;
	return ++*calls == 2 ? 42 : 0;
}

Test(reader, stops_a_scan_when_the_callback_says_so)
{
	int calls = 0;
	struct ct_scan scan = {.access = stop_at_second, .user = &calls};

	cr_assert_eq(ct_trace_scan(trace, &scan, NULL), 42);
	cr_assert_eq(calls, 2);
}

Test(reader, splits_site_descriptors)
{
	char field[8];

	cr_assert_str_eq(ct_site_field("A\x1f"
				       "f.cu\x1f"
				       "12",
				       1, field, sizeof(field)),
			 "f.cu");
	cr_assert_str_eq(ct_site_field("A\x1f"
				       "f.cu\x1f"
				       "12",
				       2, field, sizeof(field)),
			 "12");
	cr_assert_str_eq(ct_site_field("A\x1f"
				       "f.cu\x1f"
				       "12",
				       3, field, sizeof(field)),
			 "");
	cr_assert_str_eq(ct_site_field("A\x1f\x1f"
				       "12",
				       1, field, sizeof(field)),
			 "");
	cr_assert_str_eq(ct_site_field("a-long-field", 0, field, sizeof(field)), "a-long-");
	cr_assert_str_eq(ct_site_field("", 5, field, sizeof(field)), "");
}

Test(reader_open, says_what_is_wrong_with_a_directory)
{
	struct ct_trace *none;
	char text[512];
	char *empty = fixture_directory();

	cr_assert_eq(ct_trace_open(&none, "no/such.ctrace", text, sizeof(text)), -ENOENT);
	cr_assert_str_eq(text, "cannot open no/such.ctrace: No such file or directory");
	cr_assert_null(none);
	cr_assert_eq(ct_trace_open(&none, empty, text, sizeof(text)), -CT_EFORMAT);
	cr_assert(strstr(text, "not a trace directory"));
	fixture_write(empty, "events-0.ct", "", 0);
	cr_assert_eq(ct_trace_open(&none, empty, text, sizeof(text)), -CT_EFORMAT);
	fixture_write(empty, "manifest.json", "{}", 2);
	cr_assert_eq(ct_trace_open(&none, empty, text, sizeof(text)), 0, "%s", text);
	ct_trace_close(none);
	fixture_remove(empty);
}

Test(reader, ignores_links_and_files_of_others)
{
	struct ct_trace *again;
	const struct ct_launch_info *launches;
	char path[512];

	snprintf(path, sizeof(path), "%s/events-1.ct", directory);
	cr_assert_eq(symlink("events-0.ct", path), 0);
	fixture_write(directory, "notes.txt", "x", 1);
	fixture_write(directory, "events-01.ct", "x", 1);
	cr_assert_eq(ct_trace_open(&again, directory, path, sizeof(path)), 0, "%s", path);
	cr_assert_eq(ct_trace_launches(again, &launches), FIXTURE_LAUNCHES);
	cr_assert_eq(ct_trace_bytes(again), ct_trace_bytes(trace));
	ct_trace_close(again);
}
