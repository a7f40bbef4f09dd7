/* SPDX-License-Identifier: Apache-2.0 */
/* A trace with transfers and order for tests. */
#include "tests/unit/trace/trace_transfers.h"
#include "tests/unit/trace/one_chunk.h"
#include "tests/unit/trace/trace_fixture.h"

#include <cudatrace/encode.h>
#include <stdlib.h>

#define TIME_NS 1700000000000000000u
#define HOST 0x55550000a000u
#define THREAD 4711u

static uint64_t ticks;
static uint32_t transfers;

static struct ct_event_header header(uint16_t kind, uint32_t bytes)
{
	return (struct ct_event_header){kind, 0, bytes, TIME_NS + 1000 * ticks++};
}

#define HEADER(type, kind) header(kind, sizeof(struct type))

static uint32_t string_id(struct ct_writer *writer, const char *string)
{
	uint32_t id;

	ct_writer_string(writer, string, &id);
	return id;
}

static void write_head(struct ct_writer *writer)
{
	const struct ct_event_device device = {
	    .header = HEADER(ct_event_device, CT_EVENT_DEVICE),
	    .name = string_id(writer, "Demo device"),
	    .arch = 90,
	    .sm_count = 2,
	};
	const struct ct_event_alloc data = {
	    .header = HEADER(ct_event_alloc, CT_EVENT_ALLOC),
	    .address = FIXTURE_X,
	    .bytes = 16384,
	    .object = 1,
	    .kind = CT_OBJECT_DEVICE,
	};
	size_t bytes;
	void *unit = fixture_unit(&bytes);

	ct_writer_unit(writer, unit, bytes);
	free(unit);
	ct_writer_event(writer, &device.header);
	ct_writer_event(writer, &data.header);
}

static void write_stream(struct ct_writer *writer, uint64_t stream, uint32_t flags)
{
	const struct ct_event_stream event = {
	    .header = HEADER(ct_event_stream, CT_EVENT_STREAM),
	    .stream = stream,
	    .flags = flags,
	};

	ct_writer_event(writer, &event.header);
}

static void write_order(struct ct_writer *writer, uint32_t kind, uint64_t stream, uint64_t id)
{
	const struct ct_event_order event = {
	    .header = HEADER(ct_event_order, CT_EVENT_ORDER),
	    .stream = stream,
	    .event = id,
	    .kind = kind,
	    .thread = THREAD,
	};

	ct_writer_event(writer, &event.header);
}

/* `like` gives the area, the stream, the flags. */
static void write_transfer(struct ct_writer *writer, const char *call,
			   struct ct_event_transfer like)
{
	like.header = HEADER(ct_event_transfer, CT_EVENT_TRANSFER);
	like.transfer = ++transfers;
	like.kind = like.source ? CT_TRANSFER_COPY : CT_TRANSFER_SET;
	like.thread = THREAD;
	like.call = string_id(writer, call);
	ct_writer_event(writer, &like.header);
}

/* Each of two warps loads what was copied, and stores it 4096 bytes further. */
static void write_launch(struct ct_writer *writer, uint32_t launch, uint64_t stream)
{
	const struct ct_event_launch event = {
	    .header = HEADER(ct_event_launch, CT_EVENT_LAUNCH),
	    .launch = launch,
	    .unit_id = FIXTURE_UNIT_ID,
	    .unit_arch = 90,
	    .kernel_name = string_id(writer, "_Z4copyPfS_"),
	    .grid = {2, 1, 1},
	    .block = {32, 1, 1},
	    .cluster = {1, 1, 1},
	    .flags = CT_LAUNCH_TRACED,
	    .stream = stream,
	    .thread = THREAD,
	};
	const struct ct_event_launch_done done = {
	    .header = HEADER(ct_event_launch_done, CT_EVENT_LAUNCH_DONE),
	    .launch = launch,
	};
	uint64_t words[64], address[CT_WARP_LANES];
	uint32_t n = 0;

	ct_writer_event(writer, &event.header);
	for (uint64_t cta = 0; cta < 2; cta++) {
		words[n++] = CT_SEGMENT_WORD0(cta, 0, launch);
		words[n++] = CT_SEGMENT_WORD1(0, cta);
		for (uint32_t site = 0; site < 2; site++) {
			for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
				address[lane] =
				    FIXTURE_X + 4096 * (launch - 1 + site) + 128 * cta + 4 * lane;
			n += ct_encode_access(words + n, site, 4, CT_FULL_MASK, address);
		}
	}
	write_one_chunk(writer, 0, launch - 1, words, 8 * n);
	ct_writer_event(writer, &done.header);
}

static void write_content(struct ct_writer *writer)
{
	write_head(writer);
	write_stream(writer, 2, 0);
	write_stream(writer, TRANSFERS_STREAM, CT_STREAM_NON_BLOCKING);
	write_transfer(writer, "cudaMemcpy",
		       (struct ct_event_transfer){.target = FIXTURE_X,
						  .source = HOST,
						  .width = 4096,
						  .height = 1,
						  .depth = 1,
						  .flags = CT_TRANSFER_WAITED});
	write_transfer(writer, "cudaMemcpy2DAsync",
		       (struct ct_event_transfer){.target = FIXTURE_X + 8192,
						  .source = HOST + 4096,
						  .width = 48,
						  .height = 10,
						  .depth = 1,
						  .target_row = 64,
						  .source_row = 48,
						  .stream = TRANSFERS_STREAM});
	write_launch(writer, 1, TRANSFERS_STREAM);
	write_order(writer, CT_ORDER_RECORD, TRANSFERS_STREAM, TRANSFERS_EVENT);
	write_order(writer, CT_ORDER_WAIT, 2, TRANSFERS_EVENT);
	write_launch(writer, 2, 2);
	write_order(writer, CT_ORDER_EVENT, 0, TRANSFERS_EVENT);
	write_transfer(writer, "cudaMemcpy3DAsync",
		       (struct ct_event_transfer){.target = HOST + 8192,
						  .source = FIXTURE_X + 8192,
						  .width = 16,
						  .height = 3,
						  .depth = 2,
						  .target_row = 16,
						  .target_slice = 48,
						  .source_row = 128,
						  .source_slice = 1024,
						  .stream = 2});
	write_order(writer, CT_ORDER_STREAM, 2, 0);
	write_stream(writer, 2, CT_STREAM_DESTROYED);
	write_transfer(writer, "cudaGraphLaunch",
		       (struct ct_event_transfer){.target = HOST,
						  .source = FIXTURE_X + 4096,
						  .width = 4000,
						  .height = 1,
						  .depth = 1,
						  .flags = CT_TRANSFER_GRAPH});
	write_transfer(
	    writer, "cudaMemset",
	    (struct ct_event_transfer){.target = FIXTURE_X, .width = 96, .height = 1, .depth = 1});
	write_order(writer, CT_ORDER_DEVICE, 0, 0);
}

int transfers_make(const char *directory, int level)
{
	const struct ct_writer_options options = {.level = level};
	struct ct_writer *writer;
	char why[256];
	int err = ct_writer_open(&writer, directory, &options, why, sizeof(why));

	if (err < 0)
		return err;
	ticks = 0;
	transfers = 0;
	write_content(writer);
	ct_writer_manifest(writer,
			   "{\"format\": 2, \"program\": \"transfers\", \"complete\": true}\n");
	return ct_writer_close(writer);
}
