/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the trace of version 3: events, then records in three chunks that go back and forth. */
#include "tests/unit/trace/trace_sampled.h"

#include "tests/unit/trace/one_chunk.h"
#include "tests/unit/trace/trace_fixture.h"

#include <cudatrace/encode.h>
#include <stdlib.h>

#define TIME_NS 1700000000000000000u

static struct ct_event_header header_of(uint16_t kind, size_t bytes)
{
	static uint64_t ticks;

	if (kind == CT_EVENT_PROCESS)
		ticks = 0;
	return (struct ct_event_header){kind, 0, (uint32_t)bytes, TIME_NS + 1000 * ticks++};
}

#define EVENT(type, kind) header_of(kind, sizeof(struct type))

static uint32_t string_id(struct ct_writer *writer, const char *string)
{
	uint32_t id;

	ct_writer_string(writer, string, &id);
	return id;
}

static void write_process(struct ct_writer *writer)
{
	const struct ct_event_process process = {
	    .header = EVENT(ct_event_process, CT_EVENT_PROCESS),
	    .pid = 4711,
	    .parent = 4710,
	    .host = string_id(writer, "node7"),
	    .program = string_id(writer, "demo --fast"),
	    .rank = 0,
	    .ranks = 1,
	};
	const struct ct_event_device device = {
	    .header = EVENT(ct_event_device, CT_EVENT_DEVICE),
	    .name = string_id(writer, "Demo device"),
	    .arch = 90,
	    .sm_count = 2,
	    .memory_bytes = 1u << 30,
	};

	ct_writer_event(writer, &process.header);
	ct_writer_event(writer, &device.header);
}

static void write_object(struct ct_writer *writer, uint32_t object, uint64_t address)
{
	const struct ct_event_alloc event = {
	    .header = EVENT(ct_event_alloc, CT_EVENT_ALLOC),
	    .address = address,
	    .bytes = 16384,
	    .object = object,
	    .kind = CT_OBJECT_DEVICE,
	    .site = string_id(writer, object == 1 ? "A\x1f"
						    "demo.cu\x1f"
						    "21\x1f"
						    "3\x1fmain\x1fx\x1fn"
						  : "A\x1f"
						    "demo.cu\x1f"
						    "22\x1f"
						    "3\x1fmain\x1fy\x1fn"),
	};

	ct_writer_event(writer, &event.header);
}

static void write_region(struct ct_writer *writer, uint32_t phase, const char *name)
{
	const struct ct_event_region event = {
	    .header = EVENT(ct_event_region, CT_EVENT_REGION),
	    .name = string_id(writer, name),
	    .phase = phase,
	    .thread = 7,
	};

	ct_writer_event(writer, &event.header);
}

static void write_launch(struct ct_writer *writer, struct ct_event_launch *event,
			 const char *kernel, const char *reason, const char *region)
{
	const struct ct_event_launch_done done = {
	    .header = EVENT(ct_event_launch_done, CT_EVENT_LAUNCH_DONE),
	    .launch = event->launch,
	};

	event->header = EVENT(ct_event_launch, CT_EVENT_LAUNCH);
	event->unit_id = FIXTURE_UNIT_ID;
	event->unit_arch = 90;
	event->kernel_name = string_id(writer, kernel);
	event->grid[0] = SAMPLED_CTAS;
	event->grid[1] = event->grid[2] = 1;
	event->block[0] = 64;
	event->block[1] = event->block[2] = 1;
	event->cluster[0] = event->cluster[1] = event->cluster[2] = 1;
	event->flags = *reason ? 0 : CT_LAUNCH_TRACED;
	event->thread = 7;
	event->site = string_id(writer, "L\x1f"
					"demo.cu\x1f"
					"30\x1f"
					"2\x1fmain\x1f"
					"copy\x1f"
					"dst\x1fsrc");
	event->reason = string_id(writer, reason);
	event->region = string_id(writer, region);
	ct_writer_event(writer, &event->header);
	ct_writer_event(writer, &done.header);
}

static void write_counts(struct ct_writer *writer)
{
	for (uint32_t site = 0; site < 2; site++) {
		const struct ct_event_count count = {
		    .header = EVENT(ct_event_count, CT_EVENT_COUNT),
		    .launch = 3,
		    .site = site,
		    .unit_id = FIXTURE_UNIT_ID,
		    .warps = 20,
		    .lanes = 600 + site,
		    .sectors = 80,
		    .bytes = 2400,
		};
		const struct ct_event_touched touched = {
		    .header = EVENT(ct_event_touched, CT_EVENT_TOUCHED),
		    .launch = 3,
		    .object = 1 + site,
		    .read = site ? 0 : 75,
		    .written = site ? 75 : 0,
		};

		ct_writer_event(writer, &count.header);
		ct_writer_event(writer, &touched.header);
	}
}

static void write_loss(struct ct_writer *writer)
{
	const struct ct_event_loss event = {
	    .header = EVENT(ct_event_loss, CT_EVENT_LOSS),
	    .chunks = SAMPLED_LOST,
	    .launch = 4,
	    .reason = string_id(writer, "the ring was full"),
	};

	ct_writer_event(writer, &event.header);
}

static void write_events(struct ct_writer *writer)
{
	struct ct_event_launch sampled = {.launch = 1,
					  .block_period = SAMPLED_PERIOD,
					  .block_offset = 1,
					  .launch_period = 2,
					  .context = 1};
	struct ct_event_launch left_out = {.launch = 2, .launch_period = 2, .context = 1};
	struct ct_event_launch counted = {.launch = 3, .tier = CT_TIER_COUNTS, .context = 2};
	struct ct_event_launch whole = {.launch = 4, .context = 3};
	size_t bytes;
	void *unit = fixture_unit(&bytes);

	ct_writer_unit(writer, unit, bytes);
	free(unit);
	write_process(writer);
	write_object(writer, 1, FIXTURE_X);
	write_object(writer, 2, FIXTURE_Y);
	write_region(writer, CT_REGION_BEGIN, "solve");
	write_region(writer, CT_REGION_BEGIN, "step");
	write_launch(writer, &sampled, "_Z4copyPfS_", "", SAMPLED_REGION);
	write_launch(writer, &left_out, "_Z4copyPfS_", "not in the sample of its launches",
		     SAMPLED_REGION);
	write_region(writer, CT_REGION_END, "step");
	write_launch(writer, &counted, "_Z3sumPf", "", "solve");
	write_counts(writer);
	write_region(writer, CT_REGION_END, "solve");
	write_region(writer, CT_REGION_PAUSE, "");
	write_region(writer, CT_REGION_RESUME, "");
	write_launch(writer, &whole, "_Z4copyPfS_", "", "");
	write_loss(writer);
}

static uint32_t put_row(uint64_t *words, uint32_t site, uint32_t bytes, uint64_t base)
{
	uint64_t address[CT_WARP_LANES];

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = base + bytes * lane;
	return ct_encode_access(words, site, bytes, CT_FULL_MASK, address);
}

/* A group in force through three segments: 2 + 2 + 2 accesses, and its second member alone. */
static void write_groups(struct ct_writer *writer)
{
	static const uint64_t distance = SAMPLED_DISTANCE;
	uint64_t words[64] = {CT_SEGMENT_WORD0(1, 0, 1), CT_SEGMENT_WORD1(0, 3)};
	uint32_t n = 2;

	n += ct_encode_group(words + n, 0, 1, &distance);
	n += put_row(words + n, 0, 4, FIXTURE_X);
	words[n++] = CT_SEGMENT_SHORT_WORD(1, 3);
	n += put_row(words + n, 0, 4, FIXTURE_X + 128);
	n += put_row(words + n, 1, 4, FIXTURE_Y);
	words[n++] = CT_SEGMENT_SHORT_WORD(0, 7);
	n += put_row(words + n, 0, 4, FIXTURE_X + 256);
	write_one_chunk(writer, 0, 0, words, 8 * n);
}

/* Two sites in a loop of eight iterations, then an irregular access at each of 16 steps. */
static void write_loop(struct ct_writer *writer)
{
	static const struct ct_loop_site sites[2] = {{FIXTURE_X, 5, 4, 0, 128},
						     {FIXTURE_Y, 4, 4, 256, -4}};
	uint64_t words[128] = {CT_SEGMENT_WORD0(1, 0, 1), CT_SEGMENT_WORD1(1, 7)};
	uint64_t address[CT_WARP_LANES];
	uint32_t n = 2;

	n += ct_encode_loop(words + n, 0, 2, SAMPLED_ITERATIONS, sites);
	for (uint32_t step = 0; step < 8; step++) {
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			address[lane] = FIXTURE_Y + 8 * ((lane * lane + step) % 37);
		n += ct_encode_access(words + n, 2, 8, CT_FULL_MASK, address);
	}
	write_one_chunk(writer, 0, 1, words, 8 * n);
}

static void write_others(struct ct_writer *writer)
{
	uint64_t words[64] = {CT_SEGMENT_WORD0(0, 0, 4), CT_SEGMENT_WORD1(0, 0)};
	uint32_t n = 2;

	n += put_row(words + n, 0, 4, FIXTURE_X);
	n += put_row(words + n, 1, 4, FIXTURE_X);
	n += put_row(words + n, 2, 8, FIXTURE_Y);
	write_one_chunk(writer, 0, 2, words, 8 * n);
}

int sampled_make_with(const char *directory, const struct ct_writer_options *options)
{
	struct ct_writer *writer;
	char why[512];
	int err = ct_writer_open(&writer, directory, options, why, sizeof(why));

	if (err < 0)
		return err;
	write_events(writer);
	write_others(writer);
	write_groups(writer);
	write_loop(writer);
	ct_writer_manifest(writer, "{\"format\": 3, \"program\": \"demo\", \"complete\": true}\n");
	return ct_writer_close(writer);
}

int sampled_make(const char *directory, int level)
{
	const struct ct_writer_options options = {.level = level};

	return sampled_make_with(directory, &options);
}
