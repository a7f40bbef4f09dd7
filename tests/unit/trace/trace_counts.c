/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of tier counts for tests. */
#include "tests/unit/trace/trace_counts.h"
#include "tests/unit/trace/trace_fixture.h"

#include <stdlib.h>

#define TIME_NS 1700000000000000000u

static uint64_t ticks;
static struct ct_writer *writer;

static struct ct_event_header header(uint16_t kind, uint32_t bytes)
{
	return (struct ct_event_header){kind, 0, bytes, TIME_NS + 1000 * ticks++};
}

#define HEADER(type, kind) header(kind, sizeof(struct type))

static uint32_t string_id(const char *string)
{
	uint32_t id;

	ct_writer_string(writer, string, &id);
	return id;
}

static void write_alloc(uint32_t object, uint64_t address, const char *site)
{
	const struct ct_event_alloc event = {
	    .header = HEADER(ct_event_alloc, CT_EVENT_ALLOC),
	    .address = address,
	    .bytes = 4096,
	    .object = object,
	    .kind = CT_OBJECT_DEVICE,
	    .site = string_id(site),
	};

	ct_writer_event(writer, &event.header);
}

static void write_head(void)
{
	const struct ct_event_device device = {
	    .header = HEADER(ct_event_device, CT_EVENT_DEVICE),
	    .name = string_id("Demo device"),
	    .arch = 90,
	    .sm_count = 2,
	};
	size_t bytes;
	void *unit = fixture_unit(&bytes);

	ct_writer_unit(writer, unit, bytes);
	free(unit);
	ct_writer_event(writer, &device.header);
	write_alloc(1, FIXTURE_X, "");
	write_alloc(2, FIXTURE_Y, "");
}

static void write_launch(uint32_t launch, const char *kernel, uint32_t tier)
{
	const struct ct_event_launch event = {
	    .header = HEADER(ct_event_launch, CT_EVENT_LAUNCH),
	    .launch = launch,
	    .unit_id = FIXTURE_UNIT_ID,
	    .unit_arch = 90,
	    .kernel_name = string_id(kernel),
	    .grid = {2, 1, 1},
	    .block = {64, 1, 1},
	    .cluster = {1, 1, 1},
	    .flags = CT_LAUNCH_TRACED,
	    .tier = tier,
	};
	const struct ct_event_launch_done done = {
	    .header = HEADER(ct_event_launch_done, CT_EVENT_LAUNCH_DONE),
	    .launch = launch,
	};

	ct_writer_event(writer, &event.header);
	ct_writer_event(writer, &done.header);
}

static void write_count(uint32_t launch, uint32_t site, uint64_t warps, uint64_t sectors,
			uint64_t bytes)
{
	const struct ct_event_count event = {
	    .header = HEADER(ct_event_count, CT_EVENT_COUNT),
	    .launch = launch,
	    .site = site,
	    .unit_id = FIXTURE_UNIT_ID,
	    .warps = warps,
	    .lanes = 32 * warps,
	    .sectors = sectors,
	    .bytes = bytes,
	};

	ct_writer_event(writer, &event.header);
}

static void write_touched(uint32_t launch, uint32_t object, uint64_t read, uint64_t written)
{
	const struct ct_event_touched event = {
	    .header = HEADER(ct_event_touched, CT_EVENT_TOUCHED),
	    .launch = launch,
	    .object = object,
	    .read = read,
	    .written = written,
	};

	ct_writer_event(writer, &event.header);
}

static void write_content(bool mixed)
{
	write_head();
	write_launch(1, "_Z4copyPfS_", CT_TIER_COUNTS);
	write_count(1, 0, 4, 16, 512);
	write_count(1, 1, 4, 16, 512);
	write_touched(1, 1, 16, 0);
	write_touched(1, 2, 0, 16);
	write_launch(2, "_Z4copyPfS_", CT_TIER_COUNTS);
	write_count(2, 0, 2, 25, 256);
	write_count(2, 1, 2, 8, 256);
	write_touched(2, 1, 25, 3);
	write_launch(3, "_Z3sumPf", CT_TIER_COUNTS);
	write_count(3, 2, 1, 32, 256);
	write_touched(3, 0, UINT64_MAX, UINT64_MAX);
	if (mixed)
		write_launch(4, "_Z3sumPf", CT_TIER_FULL);
}

int counts_make(const char *directory, bool mixed)
{
	const struct ct_writer_options options = {.level = 0};
	char why[256];
	int err = ct_writer_open(&writer, directory, &options, why, sizeof(why));

	if (err < 0)
		return err;
	ticks = 0;
	write_content(mixed);
	ct_writer_manifest(writer,
			   "{\"format\": 3, \"program\": \"counts\", \"complete\": true}\n");
	return ct_writer_close(writer);
}
