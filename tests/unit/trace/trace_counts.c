/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of tier counts for tests. */
#include "tests/unit/trace/trace_counts.h"
#include "tests/unit/trace/trace_fixture.h"

static void add_object(struct build *b, uint32_t object, uint64_t address)
{
	BUILD_EVENT(b, alloc, .address = address, .bytes = 4096, .object = object,
		    .kind = CT_OBJECT_DEVICE);
}

static void add_launch(struct build *b, const char *kernel, uint32_t tier)
{
	build_done(b, BUILD_LAUNCH(b, .kernel_name = build_string(b, kernel), .grid = {2},
				   .block = {64}, .tier = tier));
}

static void add_count(struct build *b, uint32_t site, uint64_t warps, uint64_t sectors,
		      uint64_t bytes)
{
	BUILD_EVENT(b, count, .launch = b->launches, .site = site, .unit_id = FIXTURE_UNIT_ID,
		    .warps = warps, .lanes = 32 * warps, .sectors = sectors, .bytes = bytes);
}

static void add_touched(struct build *b, uint32_t object, uint64_t read, uint64_t written)
{
	BUILD_EVENT(b, touched, .launch = b->launches, .object = object, .read = read,
		    .written = written);
}

static void add_content(struct build *b, bool mixed)
{
	fixture_add_unit(b);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 2);
	add_object(b, 1, FIXTURE_X);
	add_object(b, 2, FIXTURE_Y);
	add_launch(b, "_Z4copyPfS_", CT_TIER_COUNTS);
	add_count(b, 0, 4, 16, 512);
	add_count(b, 1, 4, 16, 512);
	add_touched(b, 1, 16, 0);
	add_touched(b, 2, 0, 16);
	add_launch(b, "_Z4copyPfS_", CT_TIER_COUNTS);
	add_count(b, 0, 2, 25, 256);
	add_count(b, 1, 2, 8, 256);
	add_touched(b, 1, 25, 3);
	add_launch(b, "_Z3sumPf", CT_TIER_COUNTS);
	add_count(b, 2, 1, 32, 256);
	add_touched(b, 0, UINT64_MAX, UINT64_MAX);
	if (mixed)
		add_launch(b, "_Z3sumPf", CT_TIER_FULL);
}

int counts_make(const char *directory, bool mixed)
{
	struct build *b = build_part(directory, NULL);

	add_content(b, mixed);
	return build_close(b, "{\"format\": 3, \"program\": \"counts\", \"complete\": true}\n");
}
