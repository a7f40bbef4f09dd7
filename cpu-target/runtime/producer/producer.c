/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU target's producer: whenever a warp can go no further, the execution
 * calls back and its lanes' queues are drained into warp-level records.
 *
 *   lanes -> ct_align_warp (per warp) -> chunk (per worker) -> ring -> host-rt
 */
#include "cpu-target/runtime/producer/producer.h"
#include "cpu-target/runtime/exec/exec.h"
#include "cpu-target/runtime/producer/ring.h"
#include "cpu-target/runtime/producer/state.h"
#include "cpu-target/runtime/producer/summary.h"
#include <cudatrace/encode.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_WORDS (CT_RECORD_BYTES_MAX / 8)
/* A record and its values stand in one chunk, behind one segment header. */
#define GROUP_WORDS ((CT_CHUNK_BYTES - CT_SEGMENT_BYTES) / 8)

_Static_assert((1 + CT_ALIGN_VALUES_MAX) * RECORD_WORDS <= GROUP_WORDS, "a group fits a chunk");

__thread struct ct_producer_worker ct_producer_worker;

static void ship_chunk(void)
{
	if (ct_producer_worker.words)
		ct_producer_ship(ct_producer_worker.context, ct_producer_worker.launch,
				 ct_producer_worker.chunk, ct_producer_worker.words * 8);
	ct_producer_worker.words = 0;
	ct_producer_worker.serial = 0;
}

static int fits(uint32_t words)
{
	return ct_producer_worker.words + words <= CT_CHUNK_BYTES / 8;
}

static void append_segment(const struct ct_cpu_warp *warp, struct ct_warp_trace *trace)
{
	ct_producer_worker.context = trace->context;
	ct_producer_worker.launch = trace->launch;
	ct_producer_worker.serial = trace->serial;
	ct_producer_worker.chunk[ct_producer_worker.words++] =
	    CT_SEGMENT_WORD0(warp->worker, trace->sequence, trace->launch);
	ct_producer_worker.chunk[ct_producer_worker.words++] =
	    CT_SEGMENT_WORD1(warp->index, warp->cta);
	trace->sequence++;
}

/* Appends words that stay together; a new segment if another warp wrote last or
 * the chunk is new. */
static void append(const struct ct_cpu_warp *warp, struct ct_warp_trace *trace,
		   const uint64_t *words, uint32_t count)
{
	uint32_t header = ct_producer_worker.serial == trace->serial ? 0 : CT_SEGMENT_BYTES / 8;

	if (ct_producer_worker.context != trace->context || !fits(header + count))
		ship_chunk();
	if (ct_producer_worker.serial != trace->serial)
		append_segment(warp, trace);
	memcpy(&ct_producer_worker.chunk[ct_producer_worker.words], words, count * 8);
	ct_producer_worker.words += count;
}

static void append_access(const struct ct_cpu_warp *warp, struct ct_warp_trace *trace,
			  const struct ct_align_group *group)
{
	uint64_t words[GROUP_WORDS];
	uint32_t count =
	    ct_encode_access(words, group->site, group->bytes, group->mask, group->address);

	for (uint32_t i = 0; i < group->values; i++)
		count += ct_encode_value(words + count, group->site, group->value[i].part,
					 group->value[i].bytes, group->mask, group->value[i].low,
					 group->value[i].high);
	append(warp, trace, words, count);
}

static void count_access(const struct ct_warp_trace *trace, const struct ct_align_group *group)
{
	uint64_t bytes[CT_WARP_LANES];

	if (trace->counts.is_values) {
		ct_producer_summarise_group(&trace->counts, group);
		return;
	}
	for (unsigned lane = 0; lane < CT_WARP_LANES; lane++)
		bytes[lane] = group->bytes ? group->bytes : 1;
	ct_producer_count(&trace->counts, group->site, group->mask, group->address, bytes);
}

/* Finds for each lane where what its range moved has been copied to; false if that is not
 * recorded. */
static int find_content(const struct ct_align_group *group, const void *from[CT_WARP_LANES])
{
	if (group->values < 2 || group->value[1].part != CT_PART_CONTENT)
		return 0;
	for (uint32_t rest = group->mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);

		from[lane] = (const void *)(uintptr_t)group->value[1].low[lane];
	}
	return 1;
}

static void free_content(const struct ct_align_group *group)
{
	const void *from[CT_WARP_LANES];

	if (!find_content(group, from))
		return;
	for (uint32_t rest = group->mask; rest; rest &= rest - 1)
		free((void *)(uintptr_t)group->value[1].low[__builtin_ctz(rest)]);
}

static void append_range(const struct ct_cpu_warp *warp, struct ct_warp_trace *trace,
			 const struct ct_align_group *group)
{
	const void *from[CT_WARP_LANES];
	uint64_t words[RECORD_WORDS], offset = 0;
	uint32_t count;

	if (!group->values || trace->counts.is_values)
		return;
	if (trace->counts.area) {
		ct_producer_count(&trace->counts, group->site, group->mask, group->address,
				  group->value[0].low);
		return;
	}
	count =
	    ct_encode_range(words, group->site, group->mask, group->address, group->value[0].low);
	append(warp, trace, words, count);
	if (!find_content(group, from))
		return;
	while ((count = ct_encode_content(words, group->site, group->mask, group->value[0].low,
					  from, &offset)))
		append(warp, trace, words, count);
}

/* The rows of a tile in turn to the lanes, as ranges; more than once around if
 * there are fewer lanes. The first lane has what they moved. */
static void append_tile(const struct ct_cpu_warp *warp, struct ct_warp_trace *trace,
			const struct ct_align_group *group)
{
	struct ct_align_group rows = {
	    .site = group->site, .kind = CT_ALIGN_RANGE, .values = group->values};
	unsigned first = (unsigned)__builtin_ctz(group->mask);
	uint32_t count = group->values ? (uint32_t)(group->value[0].low[first] >> 32) : 0;

	rows.value[1].part = group->value[1].part;
	for (uint32_t row = 0; row < count;) {
		rows.mask = 0;
		for (uint32_t rest = group->mask; rest && row < count; rest &= rest - 1, row++) {
			unsigned lane = (unsigned)__builtin_ctz(rest);
			uint32_t bytes = (uint32_t)group->value[0].low[first];

			rows.mask |= 1u << lane;
			rows.address[lane] =
			    group->address[first] + row * group->value[0].high[first];
			rows.value[0].low[lane] = bytes;
			rows.value[1].low[lane] =
			    group->value[1].low[first] + (uint64_t)row * bytes;
		}
		append_range(warp, trace, &rows);
	}
}

static void append_event(const struct ct_cpu_warp *warp, struct ct_warp_trace *trace,
			 const struct ct_align_group *group)
{
	uint64_t words[RECORD_WORDS];

	if (trace->counts.area) {
		if (group->phase == CT_PHASE_HAPPENS && !trace->counts.is_values)
			ct_producer_count_event(&trace->counts, group->site, group->mask);
		return;
	}
	append(warp, trace, words, ct_encode_event(words, group->site, group->phase, group->mask));
}

static int drain(const struct ct_cpu_warp *warp, struct ct_warp_trace *trace, uint32_t running)
{
	struct ct_align_group group;
	int taken = 0;

	while (ct_align_next(&trace->align, running, &group)) {
		switch (group.kind) {
		case CT_ALIGN_ACCESS:
			if (trace->counts.area)
				count_access(trace, &group);
			else
				append_access(warp, trace, &group);
			break;
		case CT_ALIGN_EVENT:
			append_event(warp, trace, &group);
			break;
		case CT_ALIGN_RANGE:
			append_range(warp, trace, &group);
			free_content(&group);
			break;
		case CT_ALIGN_TILE:
			append_tile(warp, trace, &group);
			free_content(&group);
			break;
		}
		taken = 1;
	}
	return taken;
}

static uint32_t lanes_in_state(const struct ct_cpu_warp *warp, enum ct_cpu_lane_state state)
{
	uint32_t mask = 0;

	for (unsigned i = 0; i < CT_WARP_LANES; i++)
		mask |= (uint32_t)(warp->state[i] == state) << i;
	return mask & warp->lanes;
}

static int any_has_room(const struct ct_warp_trace *trace, uint32_t lanes)
{
	for (; lanes; lanes &= lanes - 1)
		if (!ct_align_is_full(&trace->align, (unsigned)__builtin_ctz(lanes)))
			return 1;
	return 0;
}

static void on_warp_idle(struct ct_cpu_warp *warp)
{
	struct ct_warp_trace *trace = warp->producer;
	uint32_t full, running;

	if (!trace)
		return;
	full = lanes_in_state(warp, CT_LANE_TRACE);
	running =
	    full | lanes_in_state(warp, CT_LANE_YIELDED) | lanes_in_state(warp, CT_LANE_READY);
	drain(warp, trace, running);
	/* A lane that spins may wait for one whose queue is full. */
	if (full && !any_has_room(trace, full))
		drain(warp, trace, full);
}

static void on_fault(struct ct_cpu_warp *warp, uint32_t lane, const struct ct_cpu_access *access)
{
	const struct ct_warp_trace *trace = warp->producer;

	if (!trace)
		return;
	ct_producer_worker.fault.serial = trace->serial;
	ct_producer_worker.fault.lane = lane;
	ct_producer_worker.fault.access = *access;
}

/* The access that ended the kernel, behind all that its warp did before. */
static void append_fault(const struct ct_cpu_warp *warp, struct ct_warp_trace *trace)
{
	const struct ct_cpu_access *access = &ct_producer_worker.fault.access;
	uint64_t words[RECORD_WORDS], address[CT_WARP_LANES] = {0};
	uint32_t lane = ct_producer_worker.fault.lane;

	if (ct_producer_worker.fault.serial != trace->serial || trace->counts.area ||
	    access->bytes > CT_ALIGN_BYTES_MAX)
		return;
	address[lane] = access->address & CT_ADDRESS_MASK;
	append(warp, trace, words,
	       ct_encode_access(words, access->site, access->bytes, 1u << lane, address));
}

static void on_warp_done(struct ct_cpu_warp *warp)
{
	struct ct_warp_trace *trace = warp->producer;

	if (!trace)
		return;
	drain(warp, trace, 0);
	append_fault(warp, trace);
	warp->producer = NULL;
	trace->next_free = ct_producer_worker.free;
	ct_producer_worker.free = trace;
}

static void on_grid_done(uint64_t grid_id, unsigned index)
{
	(void)grid_id;
	(void)index;
	ship_chunk();
}

void ct_producer_init(void)
{
	static const struct ct_cpu_producer producer = {
	    .on_warp_idle = on_warp_idle,
	    .on_warp_done = on_warp_done,
	    .on_fault = on_fault,
	    .on_grid_done = on_grid_done,
	};

	ct_cpu_set_producer(&producer);
}

static struct ct_warp_trace *new_trace(void)
{
	size_t count = ct_producer_worker.trace_count + 1;
	struct ct_warp_trace **traces =
	    realloc(ct_producer_worker.traces, count * sizeof(struct ct_warp_trace *));
	struct ct_warp_trace *trace;

	if (!traces)
		return NULL;
	ct_producer_worker.traces = traces;
	if (!ct_producer_worker.chunk)
		ct_producer_worker.chunk = malloc(CT_CHUNK_BYTES);
	if (!ct_producer_worker.chunk)
		return NULL;
	trace = malloc(sizeof(*trace));
	if (!trace)
		return NULL;
	trace->align.values = NULL;
	trace->align.paths = (struct ct_call_paths){0};
	trace->index = ct_producer_worker.trace_count++;
	traces[trace->index] = trace;
	return trace;
}

struct ct_warp_trace *ct_producer_open_trace(const struct ct_context *context, uint32_t launch)
{
	struct ct_warp_trace *trace = ct_producer_worker.free;

	if (trace)
		ct_producer_worker.free = trace->next_free;
	else
		trace = new_trace();
	if (!trace) {
		ct_producer_count_loss(context, launch);
		return NULL;
	}
	ct_align_reset(&trace->align);
	trace->context = context;
	trace->launch = launch;
	trace->sequence = 0;
	trace->serial = ++ct_producer_worker.last_serial;
	return trace;
}
