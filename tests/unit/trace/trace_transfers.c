/* SPDX-License-Identifier: Apache-2.0 */
/* A trace with transfers and order for tests. */
#include "tests/unit/trace/trace_transfers.h"
#include "tests/unit/trace/trace_fixture.h"

#define HOST 0x55550000a000u
#define THREAD 4711u

static void add_head(struct build *b)
{
	fixture_add_unit(b);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 2);
	BUILD_EVENT(b, alloc, .address = FIXTURE_X, .bytes = 16384, .object = 1,
		    .kind = CT_OBJECT_DEVICE);
}

static void add_stream(struct build *b, uint64_t stream, uint32_t flags)
{
	BUILD_EVENT(b, stream, .stream = stream, .flags = flags);
}

static void add_order(struct build *b, uint32_t kind, uint64_t stream, uint64_t id)
{
	BUILD_EVENT(b, order, .stream = stream, .event = id, .kind = kind, .thread = THREAD);
}

/* `like` gives the area, the stream, the flags. */
static void add_transfer(struct build *b, uint32_t id, const char *call,
			 struct ct_event_transfer like)
{
	like.transfer = id;
	like.kind = like.source ? CT_TRANSFER_COPY : CT_TRANSFER_SET;
	like.thread = THREAD;
	like.call = build_string(b, call);
	build_event(b, ct_event_transfer_header(&like));
}

/* Each of two warps loads what was copied, and stores it 4096 bytes further. */
static void add_launch(struct build *b, uint32_t launch, uint64_t stream)
{
	BUILD_LAUNCH(b, .launch = launch, .kernel_name = build_string(b, "_Z4copyPfS_"),
		     .grid = {2}, .stream = stream, .thread = THREAD);
	for (uint32_t cta = 0; cta < 2; cta++) {
		BUILD_SEGMENT(b, .sm = cta, .launch = launch, .cta = cta);
		for (uint32_t site = 0; site < 2; site++)
			build_lanes(b, site, 4, CT_FULL_MASK,
				    FIXTURE_X + 4096 * (launch - 1 + site) + 128 * cta, 4);
	}
	build_chunk_alone(b, launch - 1);
	build_done(b, launch);
}

static void add_content(struct build *b)
{
	add_head(b);
	add_stream(b, 2, 0);
	add_stream(b, TRANSFERS_STREAM, CT_STREAM_NON_BLOCKING);
	add_transfer(b, 1, "cudaMemcpy",
		     (struct ct_event_transfer){.target = FIXTURE_X,
						.source = HOST,
						.width = 4096,
						.height = 1,
						.depth = 1,
						.flags = CT_TRANSFER_WAITED});
	add_transfer(b, 2, "cudaMemcpy2DAsync",
		     (struct ct_event_transfer){.target = FIXTURE_X + 8192,
						.source = HOST + 4096,
						.width = 48,
						.height = 10,
						.depth = 1,
						.target_row = 64,
						.source_row = 48,
						.stream = TRANSFERS_STREAM});
	add_launch(b, 1, TRANSFERS_STREAM);
	add_order(b, CT_ORDER_RECORD, TRANSFERS_STREAM, TRANSFERS_EVENT);
	add_order(b, CT_ORDER_WAIT, 2, TRANSFERS_EVENT);
	add_launch(b, 2, 2);
	add_order(b, CT_ORDER_EVENT, 0, TRANSFERS_EVENT);
	add_transfer(b, 3, "cudaMemcpy3DAsync",
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
	add_order(b, CT_ORDER_STREAM, 2, 0);
	add_stream(b, 2, CT_STREAM_DESTROYED);
	add_transfer(b, 4, "cudaGraphLaunch",
		     (struct ct_event_transfer){.target = HOST,
						.source = FIXTURE_X + 4096,
						.width = 4000,
						.height = 1,
						.depth = 1,
						.flags = CT_TRANSFER_GRAPH});
	add_transfer(
	    b, 5, "cudaMemset",
	    (struct ct_event_transfer){.target = FIXTURE_X, .width = 96, .height = 1, .depth = 1});
	add_order(b, CT_ORDER_DEVICE, 0, 0);
}

int transfers_make(const char *directory, int level)
{
	const struct ct_writer_options options = {.level = level};
	struct build *b = build_part(directory, &options);

	add_content(b);
	return build_close(b, "{\"format\": 2, \"program\": \"transfers\", \"complete\": true}\n");
}
