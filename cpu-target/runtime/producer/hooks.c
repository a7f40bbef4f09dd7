/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks of instrumented kernels on the CPU target: a lane queues what it
 * does; the drain (producer.c) joins it with the other lanes'. */
#include "cpu-target/runtime/exec/device_io.h"
#include "cpu-target/runtime/exec/exec.h"
#include "cpu-target/runtime/exec/space.h"
#include "cpu-target/runtime/exec/warp.h"
#include "cpu-target/runtime/producer/producer.h"
#include "cpu-target/runtime/producer/ring.h"
#include "cpu-target/runtime/producer/state.h"
#include "cpu-target/runtime/producer/summary.h"
#include <cudatrace/ctas.h>
#include <cudatrace/series.h>
#include <cudatrace/unit.h>
#include <stdlib.h>
#include <string.h>

uint32_t __ct_block_sampled(uint32_t block_period, uint32_t block_offset)
{
	const struct ct_cpu_thread *thread = ct_cpu_current();

	return block_period <= 1 || (thread->cta + block_offset) % block_period == 0;
}

/* The state of a thread tells its warp's trace and its lane. A kernel without
 * recorded accesses may run as a loop: it has no warps. */
uint32_t __ct_enter(uint64_t context, uint32_t launch, uint32_t flags, uint32_t block_period,
		    uint32_t block_offset)
{
	struct ct_cpu_warp *warp = ct_cpu_current_warp();
	const struct ct_context *shared = (const struct ct_context *)(uintptr_t)context;
	struct ct_warp_trace *trace;

	if (!warp || !__ct_block_sampled(block_period, block_offset))
		return CT_PRODUCER_NO_TRACE;
	if (flags & CT_LAUNCH_INDIRECT)
		launch = ((const uint32_t *)(uintptr_t)shared->launch_ids)[launch];
	if (!launch && flags & CT_LAUNCH_INDIRECT)
		return CT_PRODUCER_NO_TRACE; /* of a graph that is not recorded this time */
	trace = warp->producer;
	if (!trace) {
		trace = warp->producer = ct_producer_open_trace(shared, launch);
		if (trace)
			trace->counts = ct_producer_counts_of(context, flags, warp->worker);
	}
	if (!trace)
		return CT_PRODUCER_NO_TRACE;
	return trace->index * CT_WARP_LANES + ct_cpu_thread_lane(ct_cpu_current());
}

uint32_t __ct_enter_far(uint64_t context, uint32_t launch, uint32_t flags, uint32_t block_period,
			uint32_t block_offset, uint32_t states)
{
	(void)states;
	return __ct_enter(context, launch, flags, block_period, block_offset);
}

/* A block whose threads run one after another begins with the first of them. */
uint64_t __ct_cta_begin(void)
{
	return ct_cpu_block_begin_ns();
}

/* The clock may have been set back meanwhile: then it took no time. */
void __ct_cta_end(uint64_t times, uint64_t begin)
{
	const struct ct_cpu_thread *thread = ct_cpu_current();
	struct ct_cta_times *entry = (struct ct_cta_times *)(uintptr_t)times + thread->cta;
	uint64_t now = __ct_cpu_globaltimer();

	entry->begin = CT_CTA_BEGIN(begin, thread->worker);
	entry->end = now > begin ? now : begin;
}

static struct ct_warp_trace *trace_of(uint32_t state)
{
	return ct_producer_worker.traces[state / CT_WARP_LANES];
}

/* The lanes' queues, with room for one more entry of this lane. */
static struct ct_align_warp *room_for_entry(uint32_t state)
{
	struct ct_align_warp *align = &trace_of(state)->align;

	while (ct_align_is_full(align, state % CT_WARP_LANES))
		ct_cpu_lane_wait_trace();
	return align;
}

/* Adds a value to the entry just pushed; the chunk that would have held it
 * counts as lost if it cannot be had. */
static void push_value(uint32_t state, const struct ct_align_value *value)
{
	struct ct_warp_trace *trace = trace_of(state);

	if (ct_align_push_value(&trace->align, state % CT_WARP_LANES, value) < 0)
		ct_producer_count_loss(trace->context, trace->launch);
}

static void push_range(uint32_t state, uint64_t site, enum ct_align_kind kind, uint64_t address,
		       uint64_t low, uint64_t high)
{
	const struct ct_align_value value = {.low = low, .high = high};

	ct_align_push(room_for_entry(state), state % CT_WARP_LANES, site, kind, 0, 0,
		      address & CT_ADDRESS_MASK);
	push_value(state, &value);
}

/* address: as in records */
static void push_access(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes)
{
	if (bytes > CT_ALIGN_BYTES_MAX) {
		push_range(state, site, CT_ALIGN_RANGE, address, bytes, 0);
		return;
	}
	ct_align_push(room_for_entry(state), state % CT_WARP_LANES, site, CT_ALIGN_ACCESS, 0, bytes,
		      address);
}

void __ct_access(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes)
{
	if (state != CT_PRODUCER_NO_TRACE)
		push_access(state, site, address & CT_ADDRESS_MASK, bytes);
}

void __ct_access_far(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes)
{
	__ct_access(state, site, address, bytes);
}

void __ct_series(uint32_t state, uint64_t site, uint64_t address, uint32_t count, uint64_t table)
{
	const uint64_t *word = (const uint64_t *)(uintptr_t)table;

	for (uint32_t i = 0; i < count; i++)
		__ct_access(state, site + CT_SERIES_SITE(word[i]),
			    address + CT_SERIES_DISTANCE(word[i]), CT_SERIES_BYTES(word[i]));
}

void __ct_group(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes, uint32_t group,
		uint32_t count, uint64_t d1, uint64_t d2, uint64_t d3, uint64_t d4, uint64_t d5)
{
	const uint64_t distance[] = {0, d1, d2, d3, d4, d5};

	(void)group;
	for (uint32_t i = 0; i <= count; i++)
		__ct_access(state, site + i, address + distance[i], bytes);
}

void __ct_group_far(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes, uint32_t group,
		    uint32_t count, uint64_t d1, uint64_t d2, uint64_t d3, uint64_t d4, uint64_t d5)
{
	__ct_group(state, site, address, bytes, group, count, d1, d2, d3, d4, d5);
}

void __ct_access_alone(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes)
{
	__ct_access(state, site, address, bytes);
}

/* Lanes come one by one: what each of them will do is known already. */
uint32_t __ct_loop(uint32_t state, uint64_t site, uint32_t count, uint64_t iterations,
		   uint64_t table)
{
	const uint64_t *access = (const uint64_t *)(uintptr_t)table;

	if (state == CT_PRODUCER_NO_TRACE)
		return 1;
	for (uint64_t i = 0; i < iterations; i++)
		for (uint32_t k = 0; k < count; k++)
			__ct_access(state, site + k, access[3 * k] + i * access[3 * k + 1],
				    (uint32_t)access[3 * k + 2]);
	return 1;
}

static int is_global(uint32_t state, uint64_t address)
{
	return state != CT_PRODUCER_NO_TRACE && ct_cpu_space_of(address) == CT_SPACE_GLOBAL;
}

uint32_t __ct_access_checked(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes)
{
	if (!is_global(state, address))
		return CT_STATE_OFF;
	push_access(state, site, address & CT_ADDRESS_MASK, bytes);
	return state;
}

uint32_t __ct_access_any(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes,
			 uint32_t spaces)
{
	uint32_t space;

	if (state == CT_PRODUCER_NO_TRACE)
		return CT_STATE_OFF;
	space = ct_cpu_space_of(address);
	if (!(spaces >> space & 1))
		return CT_STATE_OFF;
	push_access(state, site, ct_cpu_record_address(space, address), bytes);
	return state;
}

void __ct_access_space(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes,
		       uint32_t space)
{
	if (state != CT_PRODUCER_NO_TRACE)
		push_access(state, site, ct_cpu_record_address(space, address), bytes);
}

uint32_t __ct_access_range(uint32_t state, uint64_t site, uint64_t address, uint64_t bytes)
{
	if (!bytes || !is_global(state, address))
		return CT_STATE_OFF;
	push_range(state, site, CT_ALIGN_RANGE, address, bytes, 0);
	return state;
}

/* Behind the range that was just pushed; bytes in rows that are stride apart. */
static void push_content(uint32_t state, uint64_t from, uint64_t row_bytes, uint32_t rows,
			 uint64_t stride)
{
	struct ct_align_value value = {.part = CT_PART_CONTENT};
	const struct ct_warp_trace *trace = trace_of(state);
	char *copy;

	if (trace->counts.area)
		return;
	copy = malloc(row_bytes * rows);
	if (!copy) {
		ct_producer_count_loss(trace->context, trace->launch);
		return;
	}
	for (uint32_t row = 0; row < rows; row++)
		memcpy(copy + row * row_bytes, (const char *)(uintptr_t)(from + row * stride),
		       row_bytes);
	value.low = (uintptr_t)copy;
	push_value(state, &value);
}

uint32_t __ct_range_content(uint32_t state, uint64_t site, uint64_t address, uint64_t bytes,
			    uint64_t from)
{
	state = __ct_access_range(state, site, address, bytes);
	if (state != CT_STATE_OFF)
		push_content(state, from, bytes, 1, 0);
	return state;
}

/* Lanes store their parts one after another, and go on when they please. */
uint32_t __ct_tile_content(uint32_t state, uint64_t site, uint64_t address, uint32_t row_bytes,
			   uint32_t rows, uint64_t stride)
{
	if (!is_global(state, address))
		return CT_STATE_OFF;
	__ct_cpu_warp_op(CT_WARP_SYNC, CT_FULL_MASK, 0, 0, 0);
	push_range(state, site, CT_ALIGN_TILE, address, (uint64_t)rows << 32 | row_bytes, stride);
	push_content(state, address, row_bytes, rows, stride);
	__ct_cpu_warp_op(CT_WARP_SYNC, CT_FULL_MASK, 0, 0, 0);
	return state;
}

uint32_t __ct_access_tile(uint32_t state, uint64_t site, uint64_t address, uint32_t row_bytes,
			  uint32_t rows, uint64_t stride)
{
	if (!is_global(state, address))
		return CT_STATE_OFF;
	push_range(state, site, CT_ALIGN_TILE, address, (uint64_t)rows << 32 | row_bytes, stride);
	return state;
}

void __ct_value(uint32_t state, uint64_t site, uint32_t part, uint32_t bytes, uint64_t low,
		uint64_t high, uint64_t address, uint32_t element)
{
	struct ct_align_value value = {low, high, part, bytes};
	const struct ct_producer_counts *counts;

	if (state == CT_PRODUCER_NO_TRACE)
		return;
	counts = &trace_of(state)->counts;
	if (counts->is_values && element) {
		ct_producer_summarise(counts, site, element, bytes, low, high, address);
		value.part = CT_SUMMARY_PART(part, element);
	}
	push_value(state, &value);
}

void __ct_group_values(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes,
		       uint32_t group, uint32_t count, uint64_t d1, uint64_t d2, uint64_t d3,
		       uint64_t d4, uint64_t d5, uint64_t v0, uint64_t v1, uint64_t v2, uint64_t v3,
		       uint64_t v4, uint64_t v5, uint32_t element)
{
	const uint64_t distance[] = {0, d1, d2, d3, d4, d5}, value[] = {v0, v1, v2, v3, v4, v5};

	(void)group;
	for (uint32_t i = 0; i <= count; i++) {
		__ct_access(state, site + i, address + distance[i], bytes);
		__ct_value(state, site + i, CT_PART_VALUE, bytes, value[i], 0,
			   address + distance[i], element);
	}
}

void __ct_event(uint32_t state, uint64_t site, uint32_t phase)
{
	struct ct_align_warp *align;
	uint32_t lane = state % CT_WARP_LANES;

	if (state == CT_PRODUCER_NO_TRACE)
		return;
	align = room_for_entry(state);
	if (phase == CT_PHASE_LEAVE)
		ct_align_leave_call(align, lane, site);
	ct_align_push(align, lane, site, CT_ALIGN_EVENT, phase, 0, 0);
}

void __ct_cpu_enter_call(uint32_t state, uint64_t site)
{
	if (state == CT_PRODUCER_NO_TRACE)
		return;
	__ct_event(state, site, CT_PHASE_HAPPENS);
	ct_align_enter_call(&trace_of(state)->align, state % CT_WARP_LANES, site);
}

/* The execution reports exits by itself, whatever way a thread ends: its
 * queue is drained when its warp is idle or done. */
void __ct_exit(uint32_t state)
{
	(void)state;
}

/* Blocks are events of their sites, as in tier counts, whose counters are found by the flags. The
 * counters of a thread are its state + 1. */
uint64_t __ct_blocks_begin(uint64_t context, uint32_t launch, uint32_t flags, uint32_t block_period,
			   uint32_t block_offset, uint64_t counters, uint64_t row_bytes)
{
	uint32_t state = __ct_enter(context, launch, flags, block_period, block_offset);

	(void)counters;
	(void)row_bytes;
	return state == CT_PRODUCER_NO_TRACE ? 0 : state + 1ull;
}

void __ct_block_times(uint64_t counters, uint32_t site, uint64_t times)
{
	for (uint64_t i = 0; counters && i < times; i++)
		__ct_event((uint32_t)counters - 1, site, CT_PHASE_HAPPENS);
}

void __ct_block(uint64_t counters, uint32_t site, uint64_t others)
{
	__ct_block_times(counters, site, 1);
	for (; others; others >>= 16)
		if (others & 0xffff)
			__ct_block_times(counters, site + (others & 0xffff), 1);
}

/* Lanes come one by one: how they go together is known at once. */
uint64_t __ct_block_step(uint64_t counters, uint32_t site)
{
	__ct_block_times(counters, site, 1);
	return 0;
}

void __ct_block_sum(uint64_t counters, uint32_t site, uint64_t steps)
{
	(void)counters;
	(void)site;
	(void)steps;
}
