/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks of instrumented kernels on the CPU target. A lane queues its accesses;
 * whenever its warp can go no further, the execution calls back and the queues
 * are drained into warp-level records.
 *
 *   lanes -> ct_align_warp (per warp) -> chunk (per worker) -> ring -> host-rt
 */
#include "producer.h"
#include "align.h"
#include "exec.h"
#include "producer_ring.h"
#include <cudatrace/encode.h>
#include <stdlib.h>
#include <string.h>

struct warp_trace {
	struct ct_align_warp align;
	const struct ct_context *context;
	uint32_t launch;
	uint32_t sequence; /* segments written so far */
	uint64_t serial;   /* tells this use of the structure from others */
	uint32_t index;    /* in the worker's traces */
	struct warp_trace *next_free;
};

#define NO_TRACE CT_STATE_OFF /* state of threads whose warp could not get one */

/* A worker runs one block at a time, on one thread: nothing here is shared. */
static __thread struct {
	const struct ct_context *context; /* of what the chunk holds */
	uint64_t serial;                  /* of the warp whose segment is open; 0 none */
	uint64_t last_serial;
	uint32_t words;
	uint64_t chunk[CT_CHUNK_BYTES / 8];
	struct warp_trace **traces; /* all it ever opened: used again, never freed */
	uint32_t trace_count;
	struct warp_trace *free;
} worker;

static void ship_chunk(void)
{
	if (worker.words)
		ct_producer_ship(worker.context, worker.chunk, worker.words * 8);
	worker.words = 0;
	worker.serial = 0;
}

static int fits(uint32_t words)
{
	return worker.words + words <= CT_CHUNK_BYTES / 8;
}

static void append_segment(const struct ct_cpu_warp *warp, struct warp_trace *trace)
{
	worker.context = trace->context;
	worker.serial = trace->serial;
	worker.chunk[worker.words++] =
	    CT_SEGMENT_WORD0(warp->worker, trace->sequence, trace->launch);
	worker.chunk[worker.words++] = CT_SEGMENT_WORD1(warp->index, warp->cta);
	trace->sequence++;
}

/* Appends one record; a new segment if another warp wrote last or the chunk is new. */
static void append_group(const struct ct_cpu_warp *warp, struct warp_trace *trace,
			 const struct ct_align_group *group)
{
	uint64_t words[CT_RECORD_BYTES_MAX / 8];
	uint32_t count =
	    ct_encode_access(words, group->site, group->bytes, group->mask, group->address);
	uint32_t header = worker.serial == trace->serial ? 0 : CT_SEGMENT_BYTES / 8;

	if (worker.context != trace->context || !fits(header + count))
		ship_chunk();
	if (worker.serial != trace->serial)
		append_segment(warp, trace);
	memcpy(&worker.chunk[worker.words], words, count * 8);
	worker.words += count;
}

static int drain(const struct ct_cpu_warp *warp, struct warp_trace *trace, uint32_t running)
{
	struct ct_align_group group;
	int taken = 0;

	while (ct_align_next(&trace->align, running, &group)) {
		append_group(warp, trace, &group);
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

static int any_has_room(const struct warp_trace *trace, uint32_t lanes)
{
	for (; lanes; lanes &= lanes - 1)
		if (!ct_align_is_full(&trace->align, (unsigned)__builtin_ctz(lanes)))
			return 1;
	return 0;
}

static void on_warp_idle(struct ct_cpu_warp *warp)
{
	struct warp_trace *trace = warp->producer;
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

static void on_warp_done(struct ct_cpu_warp *warp)
{
	struct warp_trace *trace = warp->producer;

	if (!trace)
		return;
	drain(warp, trace, 0);
	warp->producer = NULL;
	trace->next_free = worker.free;
	worker.free = trace;
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
	    .on_grid_done = on_grid_done,
	};

	ct_cpu_set_producer(&producer);
}

static struct warp_trace *new_trace(void)
{
	size_t count = worker.trace_count + 1;
	struct warp_trace **traces = realloc(worker.traces, count * sizeof(struct warp_trace *));
	struct warp_trace *trace;

	if (!traces)
		return NULL;
	worker.traces = traces;
	trace = malloc(sizeof(*trace));
	if (!trace)
		return NULL;
	trace->index = worker.trace_count++;
	traces[trace->index] = trace;
	return trace;
}

static struct warp_trace *open_trace(const struct ct_context *context, uint32_t launch)
{
	struct warp_trace *trace = worker.free;

	if (trace)
		worker.free = trace->next_free;
	else
		trace = new_trace();
	if (!trace) {
		ct_producer_count_loss(context);
		return NULL;
	}
	ct_align_reset(&trace->align);
	trace->context = context;
	trace->launch = launch;
	trace->sequence = 0;
	trace->serial = ++worker.last_serial;
	return trace;
}

/* The state of a thread tells its warp's trace and its lane. A kernel without
 * recorded accesses may run as a loop: it has no warps. */
uint32_t __ct_enter(uint64_t context, uint32_t launch, uint32_t flags)
{
	struct ct_cpu_warp *warp = ct_cpu_current_warp();
	struct warp_trace *trace;

	(void)flags;
	if (!warp)
		return NO_TRACE;
	if (!warp->producer)
		warp->producer = open_trace((const struct ct_context *)(uintptr_t)context, launch);
	trace = warp->producer;
	if (!trace)
		return NO_TRACE;
	return trace->index * CT_WARP_LANES + ct_cpu_thread_lane(ct_cpu_current());
}

void __ct_access(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes)
{
	uint32_t lane = state % CT_WARP_LANES;
	struct ct_align_warp *align;

	if (state == NO_TRACE)
		return;
	align = &worker.traces[state / CT_WARP_LANES]->align;
	while (ct_align_is_full(align, lane))
		ct_cpu_lane_wait_trace();
	ct_align_push(align, lane, (uint32_t)site, bytes, address & CT_ADDRESS_MASK);
}

uint32_t __ct_access_checked(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes)
{
	if (!ct_cpu_is_global(address))
		return CT_STATE_OFF;
	__ct_access(state, site, address, bytes);
	return state;
}

/* The execution reports exits by itself, whatever way a thread ends: its
 * queue is drained when its warp is idle or done. */
void __ct_exit(uint32_t state)
{
	(void)state;
}
