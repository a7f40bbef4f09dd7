/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the trace of version 3: events, then records in three chunks that go back and forth. */
#include "tests/unit/trace/trace_sampled.h"

#include "tests/unit/trace/trace_fixture.h"

static void add_process(struct build *b)
{
	BUILD_EVENT(b, process, .pid = 4711, .parent = 4710, .host = build_string(b, "node7"),
		    .program = build_string(b, "demo --fast"), .rank = 0, .ranks = 1);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 2,
		    .memory_bytes = 1u << 30);
}

static void add_object(struct build *b, uint32_t object, uint64_t address, const char *site)
{
	BUILD_EVENT(b, alloc, .address = address, .bytes = 16384, .object = object,
		    .kind = CT_OBJECT_DEVICE, .site = build_descriptor(b, site));
}

static void add_region(struct build *b, uint32_t phase, const char *name)
{
	BUILD_EVENT(b, region, .name = build_string(b, name), .phase = phase, .thread = 7);
}

static void add_launch(struct build *b, struct ct_event_launch like, const char *kernel,
		       const char *reason, const char *region)
{
	like.kernel_name = build_string(b, kernel);
	like.grid[0] = SAMPLED_CTAS;
	like.block[0] = 64;
	like.thread = 7;
	like.site = build_descriptor(b, "L|demo.cu|30|2|main|copy|dst|src");
	like.reason = build_string(b, reason);
	like.region = build_string(b, region);
	build_done(b, build_launch(b, &like));
}

static void add_counts(struct build *b)
{
	for (uint32_t site = 0; site < 2; site++) {
		BUILD_EVENT(b, count, .launch = 3, .site = site, .unit_id = FIXTURE_UNIT_ID,
			    .warps = 20, .lanes = 600 + site, .sectors = 80, .bytes = 2400);
		BUILD_EVENT(b, touched, .launch = 3, .object = 1 + site, .read = site ? 0 : 75,
			    .written = site ? 75 : 0);
	}
}

static void add_events(struct build *b)
{
	const struct ct_event_launch sampled = {
	    .block_period = SAMPLED_PERIOD, .block_offset = 1, .launch_period = 2, .context = 1};
	const struct ct_event_launch left_out = {.launch_period = 2, .context = 1};
	const struct ct_event_launch counted = {.tier = CT_TIER_COUNTS, .context = 2};
	const struct ct_event_launch whole = {.context = 3};

	fixture_add_unit(b);
	add_process(b);
	add_object(b, 1, FIXTURE_X, "A|demo.cu|21|3|main|x|n");
	add_object(b, 2, FIXTURE_Y, "A|demo.cu|22|3|main|y|n");
	add_region(b, CT_REGION_BEGIN, "solve");
	add_region(b, CT_REGION_BEGIN, "step");
	add_launch(b, sampled, "_Z4copyPfS_", "", SAMPLED_REGION);
	add_launch(b, left_out, "_Z4copyPfS_", "not in the sample of its launches", SAMPLED_REGION);
	add_region(b, CT_REGION_END, "step");
	add_launch(b, counted, "_Z3sumPf", "", "solve");
	add_counts(b);
	add_region(b, CT_REGION_END, "solve");
	add_region(b, CT_REGION_PAUSE, "");
	add_region(b, CT_REGION_RESUME, "");
	add_launch(b, whole, "_Z4copyPfS_", "", "");
	BUILD_EVENT(b, loss, .chunks = SAMPLED_LOST, .launch = 4,
		    .reason = build_string(b, "the ring was full"));
}

static void add_row(struct build *b, uint32_t site, uint32_t bytes, uint64_t base)
{
	build_lanes(b, site, bytes, CT_FULL_MASK, base, bytes);
}

/* A group in force through three segments: 2 + 2 + 2 accesses, and its second member alone. */
static void add_groups(struct build *b)
{
	static const uint64_t distance = SAMPLED_DISTANCE;

	BUILD_SEGMENT(b, .sm = 1, .launch = 1, .cta = 3);
	build_group(b, 0, 1, &distance);
	add_row(b, 0, 4, FIXTURE_X);
	build_short_segment(b, 1, 3);
	add_row(b, 0, 4, FIXTURE_X + 128);
	add_row(b, 1, 4, FIXTURE_Y);
	build_short_segment(b, 0, 7);
	add_row(b, 0, 4, FIXTURE_X + 256);
	build_chunk_alone(b, 0);
}

/* Two sites in a loop of eight iterations, then an irregular access at each of 16 steps. */
static void add_loop(struct build *b)
{
	static const struct ct_loop_site sites[2] = {{FIXTURE_X, 5, 4, 0, 128},
						     {FIXTURE_Y, 4, 4, 256, -4}};
	uint64_t address[CT_WARP_LANES];

	BUILD_SEGMENT(b, .sm = 1, .launch = 1, .warp = 1, .cta = 7);
	build_loop(b, 0, 2, SAMPLED_ITERATIONS, sites);
	for (uint32_t step = 0; step < 8; step++) {
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			address[lane] = FIXTURE_Y + 8 * ((lane * lane + step) % 37);
		build_access(b, 2, 8, CT_FULL_MASK, address);
	}
	build_chunk_alone(b, 1);
}

static void add_others(struct build *b)
{
	BUILD_SEGMENT(b, .launch = 4);
	add_row(b, 0, 4, FIXTURE_X);
	add_row(b, 1, 4, FIXTURE_X);
	add_row(b, 2, 8, FIXTURE_Y);
	build_chunk_alone(b, 2);
}

int sampled_make_with(const char *directory, const struct ct_writer_options *options)
{
	struct build *b = build_part(directory, options);

	add_events(b);
	add_others(b);
	add_groups(b);
	add_loop(b);
	return build_close(b, "{\"format\": 3, \"program\": \"demo\", \"complete\": true}\n");
}

int sampled_make(const char *directory, int level)
{
	const struct ct_writer_options options = {.level = level};

	return sampled_make_with(directory, &options);
}
