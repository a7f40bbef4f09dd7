/* SPDX-License-Identifier: Apache-2.0 */
/* Random traces: the calls of the program. */
#include "tests/comm/random_trace.h"
#include "tests/comm/bag.h"

#include "trace/write/writer.h"
#include <cudatrace/format.h>
#include <cudatrace/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREAMS 4
#define EVENTS 2
#define OBJECTS 6
#define CHUNK_WORDS 512

struct part {
	struct ct_writer *writer;
	struct random_plan *plan;
	uint32_t part, devices;
	uint32_t launches, transfers, objects;
	struct {
		uint64_t address;
		uint32_t id; /* 0: none */
	} live[OBJECTS];
	struct random_segments *pending; /* by launch */
	size_t pending_room;
};

uint64_t random_next(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

uint64_t random_below(struct random *random, uint64_t bound)
{
	return random_next(random) % bound;
}

bool random_chance(struct random *random, unsigned percent)
{
	return random_below(random, 100) < percent;
}

static void require(int err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "random trace: %s: error %d\n", what, err);
	abort();
}

static uint32_t string_id(struct part *part, const char *string)
{
	uint32_t id;

	require(ct_writer_string(part->writer, string, &id), "string");
	return id;
}

static struct ct_event_header header(uint16_t kind, size_t bytes)
{
	return (struct ct_event_header){kind, 0, (uint32_t)bytes, 1700000000000000000u};
}

#define HEADER(type, kind) header(kind, sizeof(struct type))

static void write_event(struct part *part, const struct ct_event_header *event)
{
	require(ct_writer_event(part->writer, event), "event");
}

/* Streams belong to devices in turn; the legacy stream is each device's. */
static uint32_t device_of(const struct part *part, uint64_t stream, struct random *random)
{
	return (uint32_t)(stream ? stream % part->devices : random_below(random, part->devices));
}

static void write_launch(struct part *part, struct random *random)
{
	uint64_t stream = random_below(random, STREAMS);
	struct ct_event_launch launch = {
	    .header = HEADER(ct_event_launch, CT_EVENT_LAUNCH),
	    .launch = ++part->launches,
	    .device = device_of(part, stream, random),
	    .unit_id = RANDOM_UNIT_ID,
	    .unit_arch = 90,
	    .grid = {1 + (uint32_t)random_below(random, 6), 1 + (uint32_t)random_below(random, 3),
		     1 + (uint32_t)random_below(random, 2)},
	    .block = {32 * (1 + (uint32_t)random_below(random, 3)), 1, 1},
	    .cluster = {1, 1, 1},
	    .flags = random_chance(random, 90) ? CT_LAUNCH_TRACED : 0,
	    .stream = stream,
	};
	struct ct_event_launch_done done = {
	    .header = HEADER(ct_event_launch_done, CT_EVENT_LAUNCH_DONE), .launch = launch.launch};
	struct random_segments *segments;

	launch.kernel_name = string_id(part, random_kernel(random_next(random)));
	if (!launch.flags)
		launch.reason = string_id(part, "kernel is not selected");
	write_event(part, &launch.header);
	write_event(part, &done.header);
	part->pending = must_grow(part->pending, part->launches - 1, &part->pending_room,
				  sizeof(*part->pending));
	segments = &part->pending[part->launches - 1];
	memset(segments, 0, sizeof(*segments));
	segments->device = launch.device;
	if (launch.flags)
		random_segments_make(segments, random, part->plan, launch.launch,
				     (uint64_t)launch.grid[0] * launch.grid[1] * launch.grid[2],
				     launch.block[0] / 32);
}

/* In memory, or of the host. */
static uint64_t random_range(struct random *random)
{
	return random_chance(random, 70) ? RANDOM_MEMORY + random_below(random, 4608)
					 : 0x10000 + random_below(random, 4096);
}

static void write_transfer(struct part *part, struct random *random)
{
	uint64_t stream = random_below(random, STREAMS);
	struct ct_event_transfer transfer = {
	    .header = HEADER(ct_event_transfer, CT_EVENT_TRANSFER),
	    .target = random_range(random),
	    .width = 1 + random_below(random, 200),
	    .height = 1 + random_below(random, 3),
	    .depth = 1 + random_below(random, 2),
	    .stream = stream,
	    .transfer = ++part->transfers,
	    .kind = random_chance(random, 70) ? CT_TRANSFER_COPY : CT_TRANSFER_SET,
	    .flags = random_chance(random, 50) ? CT_TRANSFER_WAITED : 0,
	    .device = device_of(part, stream, random),
	};

	transfer.target_row = transfer.width + random_below(random, 50);
	transfer.target_slice = transfer.target_row * transfer.height + random_below(random, 50);
	transfer.source_row = transfer.width + random_below(random, 50);
	transfer.source_slice = transfer.source_row * transfer.height + random_below(random, 50);
	if (transfer.kind == CT_TRANSFER_COPY)
		transfer.source = random_range(random);
	transfer.call = string_id(part, "cudaMemcpy3D");
	write_event(part, &transfer.header);
}

static void write_order(struct part *part, struct random *random)
{
	struct ct_event_order order = {
	    .header = HEADER(ct_event_order, CT_EVENT_ORDER),
	    .kind = CT_ORDER_DEVICE + (uint32_t)random_below(random, 5),
	    .stream = random_below(random, STREAMS),
	    .event = 1 + random_below(random, EVENTS),
	};

	order.device = device_of(part, order.stream, random);
	if (order.kind == CT_ORDER_DEVICE || order.kind == CT_ORDER_EVENT)
		order.stream = 0;
	if (order.kind == CT_ORDER_DEVICE || order.kind == CT_ORDER_STREAM)
		order.event = 0;
	write_event(part, &order.header);
}

static void write_free(struct part *part, size_t slot)
{
	struct ct_event_free event = {.header = HEADER(ct_event_free, CT_EVENT_FREE),
				      .address = part->live[slot].address,
				      .object = part->live[slot].id};

	write_event(part, &event.header);
	part->live[slot].id = 0;
}

static void write_object(struct part *part, struct random *random)
{
	static const char *const name[] = {"left", "right", "both", ""};
	size_t slot = random_below(random, OBJECTS);
	char site[128];
	struct ct_event_alloc event = {
	    .header = HEADER(ct_event_alloc, CT_EVENT_ALLOC),
	    .address = RANDOM_MEMORY + 256 * random_below(random, 24),
	    .bytes = 1 + random_below(random, 1500),
	    .object = part->objects + 1,
	    .kind = CT_OBJECT_DEVICE,
	};

	if (part->plan->is_tidy) {
		event.address = RANDOM_MEMORY + RANDOM_SLOT * (event.address / 256 % 6);
		event.bytes = RANDOM_SLOT;
	}
	snprintf(site, sizeof(site),
		 "A\x1f"
		 "random.cu\x1f%u\x1f"
		 "3\x1fmain\x1f%s\x1f"
		 "n",
		 20 + (unsigned)random_below(random, 3), name[random_below(random, 4)]);
	event.site = string_id(part, site);
	if (part->live[slot].id) {
		write_free(part, slot);
		return;
	}
	part->objects++;
	part->live[slot].address = event.address;
	part->live[slot].id = event.object;
	write_event(part, &event.header);
}

static void write_call(struct part *part, struct random *random)
{
	uint64_t what = random_below(random, 100);

	if (what < 55)
		write_launch(part, random);
	else if (what < 70)
		write_transfer(part, random);
	else if (what < 85)
		write_order(part, random);
	else
		write_object(part, random);
}

static void write_start(struct part *part, struct random *random)
{
	size_t bytes;
	void *unit = random_unit(part->plan, &bytes);

	require(ct_writer_unit(part->writer, unit, bytes), "unit");
	free(unit);
	for (uint32_t d = 0; d < part->devices; d++) {
		struct ct_event_device device = {.header = HEADER(ct_event_device, CT_EVENT_DEVICE),
						 .device = d,
						 .arch = 90,
						 .sm_count = 7,
						 .memory_bytes = 1u << 30};

		write_event(part, &device.header);
	}
	for (uint64_t s = 1; s < STREAMS; s++) {
		struct ct_event_stream stream = {
		    .header = HEADER(ct_event_stream, CT_EVENT_STREAM),
		    .stream = s,
		    .flags = random_chance(random, 50) ? CT_STREAM_NON_BLOCKING : 0,
		    .device = (uint32_t)(s % part->devices),
		};

		if (stream.flags || random_chance(random, 50))
			write_event(part, &stream.header);
	}
}

/* Copy a segment; with a short header if it may have one behind *last, the header before it in
 * the ring chunk (0: none). Returns its words. */
static size_t copy_segment(uint64_t *to, const uint64_t *from, size_t count, uint64_t *last,
			   bool may_be_short)
{
	static const uint64_t sequence = 0xffffull << 32;
	bool is_short =
	    may_be_short && *last && (*last & ~sequence) == from[0] && !(from[0] & sequence);

	*last = from[0];
	if (!is_short) {
		memcpy(to, from, count * sizeof(*to));
		return count;
	}
	to[0] = CT_SEGMENT_SHORT_WORD(from[1] >> 59, from[1] & ((1ull << 59) - 1));
	memcpy(to + 1, from + 2, (count - 2) * sizeof(*to));
	return count - 1;
}

/* Segments of all launches of a device, interleaved. */
static void write_records(struct part *part, struct random *random, uint32_t device)
{
	uint64_t words[2 * CHUNK_WORDS], ticket = 0, last = 0;
	size_t used = 0, left = 0, now = 0;
	struct ct_writer_stream *stream;

	require(ct_writer_stream_open(&stream, part->writer, device), "records");
	for (uint32_t i = 0; i < part->launches; i++)
		left += part->pending[i].device == device ? part->pending[i].segments : 0;
	while (left > 0) {
		struct random_segments *from = &part->pending[now];
		size_t begin, count;

		if (from->device != device || from->next == from->segments ||
		    random_chance(random, 10)) {
			now = random_below(random, part->launches);
			continue;
		}
		begin = from->next ? from->end[from->next - 1] : 0;
		count = from->end[from->next++] - begin;
		if (used && (used + count > CHUNK_WORDS || random_chance(random, 20))) {
			require(ct_writer_stream_records(stream, ticket++, words,
							 used * sizeof(*words)),
				"records");
			used = 0;
			last = 0;
		}
		used += copy_segment(words + used, from->words + begin, count, &last,
				     random_chance(random, 70));
		left--;
	}
	if (used)
		require(ct_writer_stream_records(stream, ticket, words, used * sizeof(*words)),
			"records");
	require(ct_writer_stream_close(stream), "records");
}

static void write_part(const char *directory, struct random_plan *plan, uint32_t number,
		       size_t first, size_t end)
{
	const struct ct_writer_options options = {.part = number, .level = 1};
	struct random random = {plan->seed * 1000003 + number};
	struct part part = {.plan = plan, .part = number};
	char why[256];

	require(ct_writer_open(&part.writer, directory, &options, why, sizeof(why)), directory);
	part.devices = random_chance(&random, 30) ? 2 : 1;
	write_start(&part, &random);
	for (size_t i = first; i < end; i++) {
		struct random of_call = {plan->seed * 7919 + i * 104729};

		random_next(&of_call);
		if (!plan->drop_call || !plan->drop_call[i])
			write_call(&part, &of_call);
	}
	for (uint32_t d = 0; part.launches && d < part.devices; d++)
		write_records(&part, &random, d);
	if (number == 0)
		require(ct_writer_manifest(part.writer, "{\"version\": 1, \"program\": \"random\", "
							"\"complete\": true}"),
			"manifest");
	require(ct_writer_close(part.writer), "close");
	for (uint32_t i = 0; i < part.launches; i++) {
		free(part.pending[i].words);
		free(part.pending[i].end);
	}
	free(part.pending);
}

void random_trace(const char *directory, struct random_plan *plan)
{
	struct random random = {plan->seed};
	size_t second = random_chance(&random, 20) ? plan->calls / 2 : plan->calls;

	plan->accesses = 0;
	plan->is_tidy = plan->seed % 2;
	plan->is_sized = plan->seed / 2 % 2;
	plan->is_aligned = plan->is_sized && plan->seed / 4 % 2;
	write_part(directory, plan, 0, 0, second);
	if (second < plan->calls)
		write_part(directory, plan, 1, second, plan->calls);
}
