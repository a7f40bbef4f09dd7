/* SPDX-License-Identifier: Apache-2.0 */
/* A resident block: its threads as fibers, their warps, and who runs next. */
#include "cpu-target/runtime/exec/block.h"
#include "cpu-target/runtime/exec/warp.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Static and dynamic shared memory start at multiples of this. */
#define SHARED_ALIGN 1024u
/* Before the dynamic part: what CUDA reserves, used by cooperative groups. */
#define SHARED_RESERVED 1024u
/* Shared memory never crosses a multiple of this, so that 32-bit shared
 * addresses can be completed with the upper half of any other. */
#define SHARED_WINDOW (1u << 20)

struct ct_cpu_block *ct_cpu_block_new(struct ct_cpu_worker *worker)
{
	struct ct_cpu_block *block = calloc(1, sizeof(*block));

	if (block)
		block->worker = worker;
	return block;
}

void ct_cpu_block_free(struct ct_cpu_block *block)
{
	if (!block)
		return;
	for (uint32_t i = 0; i < block->fiber_count; i++)
		ct_cpu_context_fini(&block->fibers[i].context);
	ct_cpu_stacks_close(&block->stacks);
	free(block->fibers);
	free(block->shared);
	free(block);
}

static int reserve_fibers(struct ct_cpu_block *block, uint32_t count)
{
	if (count <= block->fiber_count)
		return 0;
	for (uint32_t i = 0; i < block->fiber_count; i++)
		ct_cpu_context_fini(&block->fibers[i].context);
	ct_cpu_stacks_close(&block->stacks);
	free(block->fibers);
	block->fiber_count = 0;
	block->fibers = calloc(count, sizeof(*block->fibers));
	if (!block->fibers || ct_cpu_stacks_open(&block->stacks, count) < 0)
		return CT_CPU_NO_MEMORY;
	block->fiber_count = count;
	return 0;
}

static int reserve_shared(struct ct_cpu_block *block, size_t bytes)
{
	void *memory;

	if (bytes <= block->shared_bytes)
		return 0;
	free(block->shared);
	block->shared = NULL;
	block->shared_bytes = 0;
	bytes = (bytes + 4095) & ~(size_t)4095;
	if (posix_memalign(&memory, SHARED_WINDOW, bytes))
		return CT_CPU_NO_MEMORY;
	block->shared = memory;
	block->shared_bytes = bytes;
	return 0;
}

static size_t align_shared(uint64_t bytes)
{
	return (bytes + SHARED_ALIGN - 1) & ~(size_t)(SHARED_ALIGN - 1);
}

static struct ct_cpu_thread first_thread(struct ct_cpu_block *block, uint32_t rank)
{
	const struct ct_cpu_grid *grid = block->job->grid;
	struct ct_cpu_thread thread = {
	    .shared = block->shared,
	    .dynamic_shared =
		block->shared + align_shared(grid->unit->shared_bytes) + SHARED_RESERVED,
	    .dynamic_shared_bytes = grid->dynamic_shared_bytes,
	    .static_shared_bytes = grid->kernel->static_shared_bytes,
	    .worker = block->worker->index,
	    .cta = block->cta,
	    .cluster = block->cluster,
	    .cluster_rank = rank,
	    .workspace = grid->cooperative ? block->job->workspace : NULL,
	    .block = block,
	};

	memcpy(thread.ntid, grid->block, sizeof(thread.ntid));
	memcpy(thread.nctaid, grid->grid, sizeof(thread.nctaid));
	thread.ctaid[0] = (uint32_t)(block->cta % grid->grid[0]);
	thread.ctaid[1] = (uint32_t)(block->cta / grid->grid[0] % grid->grid[1]);
	thread.ctaid[2] = (uint32_t)(block->cta / grid->grid[0] / grid->grid[1]);
	return thread;
}

static void start_fibers(struct ct_cpu_block *block, uint32_t rank)
{
	struct ct_cpu_thread thread = first_thread(block, rank);

	for (uint32_t i = 0; i < block->thread_count; i++) {
		struct ct_cpu_fiber *fiber = &block->fibers[i];

		fiber->thread = thread;
		fiber->warp = &block->warps[i / CT_CPU_WARP_LANES];
		fiber->lane = i % CT_CPU_WARP_LANES;
		fiber->started = 0;
		fiber->cluster_arrived = 0;
		if (++thread.tid[0] < thread.ntid[0])
			continue;
		thread.tid[0] = 0;
		if (++thread.tid[1] < thread.ntid[1])
			continue;
		thread.tid[1] = 0;
		thread.tid[2]++;
	}
}

static void start_warp(struct ct_cpu_block *block, uint32_t index)
{
	struct ct_cpu_lanes *warp = &block->warps[index];
	uint32_t rest = block->thread_count - index * CT_CPU_WARP_LANES;
	uint32_t lanes = rest >= CT_CPU_WARP_LANES ? ~0u : (1u << rest) - 1;

	*warp = (struct ct_cpu_lanes){
	    .view = {.cta = block->cta,
		     .index = index,
		     .lanes = lanes,
		     .worker = block->worker->index,
		     .grid_id = block->job->grid->id},
	    .fibers = &block->fibers[index * CT_CPU_WARP_LANES],
	    .alive = lanes,
	    .ready = lanes,
	};
	for (uint32_t lane = 0; lane < CT_CPU_WARP_LANES; lane++)
		warp->view.state[lane] = lanes >> lane & 1 ? CT_LANE_READY : CT_LANE_EXITED;
}

int ct_cpu_block_start(struct ct_cpu_block *block, struct ct_cpu_job *job, uint64_t cta,
		       struct ct_cpu_cluster *cluster, uint32_t rank)
{
	const struct ct_cpu_grid *grid = job->grid;
	uint32_t threads = grid->block[0] * grid->block[1] * grid->block[2];
	int error;

	/* A loop kernel runs all its threads on one fiber. */
	block->thread_count = grid->kernel->blocking ? threads : 1;
	block->job = job;
	block->cta = cta;
	block->cluster = cluster;
	block->begin_ns = 0;
	error = reserve_fibers(block, block->thread_count);
	if (!error)
		error = reserve_shared(block, align_shared(grid->unit->shared_bytes) +
						  SHARED_RESERVED + grid->dynamic_shared_bytes);
	if (error) {
		ct_cpu_job_fail(job, block, NULL, error,
				"no memory for the stacks and the shared memory of a block");
		return error;
	}
	block->alive = block->thread_count;
	block->warp_count = (block->thread_count + CT_CPU_WARP_LANES - 1) / CT_CPU_WARP_LANES;
	block->random =
	    job->shuffle_seed ? job->shuffle_seed ^ (cta + 1) * 0x9e3779b97f4a7c15ull : 0;
	memset(&block->barriers, 0, sizeof(block->barriers));
	start_fibers(block, rank);
	if (cluster)
		ct_cpu_cluster_join(cluster, block, rank);
	for (uint32_t i = 0; i < block->warp_count; i++)
		start_warp(block, i);
	return 0;
}

/* On the fiber; all else in this file runs on the worker's own stack. */
static void fiber_main(void)
{
	struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();
	const struct ct_cpu_grid *grid = fiber->thread.block->job->grid;

	ct_cpu_context_entered(&fiber->context);
	grid->kernel->entry(&fiber->thread, grid->args);
	__ct_cpu_exit();
}

static uint64_t next_random(struct ct_cpu_block *block)
{
	block->random ^= block->random << 13;
	block->random ^= block->random >> 7;
	block->random ^= block->random << 17;
	return block->random;
}

static uint32_t pick_lane(struct ct_cpu_block *block, uint32_t ready)
{
	uint32_t skip;

	if (block->random) {
		skip = (uint32_t)(next_random(block) % (uint32_t)__builtin_popcount(ready));
		while (skip--)
			ready &= ready - 1;
	}
	return (uint32_t)__builtin_ctz(ready);
}

static void resume(struct ct_cpu_block *block, struct ct_cpu_fiber *fiber)
{
	if (!fiber->started) {
		uint32_t i = (uint32_t)(fiber - block->fibers);
		size_t bytes;
		char *stack = ct_cpu_stack(&block->stacks, i, &bytes);

		fiber->skew = i * 192 % 4032;
		ct_cpu_context_init(&fiber->context, stack, bytes, fiber->skew, fiber_main);
		fiber->started = 1;
	}
	__ct_cpu_thread = &fiber->thread;
	ct_cpu_context_switch(&block->worker->context, &fiber->context, 0);
}

/* No lane can run: let the producer take records, then free its lanes. */
static void warp_idle(struct ct_cpu_lanes *warp)
{
	uint32_t trace = warp->trace;

	if (ct_cpu_producer && ct_cpu_producer->on_warp_idle)
		ct_cpu_producer->on_warp_idle(&warp->view);
	warp->trace = 0;
	ct_cpu_lanes_wake(warp, trace);
}

static void warp_done(struct ct_cpu_lanes *warp)
{
	warp->done = 1;
	if (ct_cpu_producer && ct_cpu_producer->on_warp_done)
		ct_cpu_producer->on_warp_done(&warp->view);
}

static int is_stopped(const struct ct_cpu_block *block)
{
	return atomic_load_explicit(&block->job->error, memory_order_relaxed) != 0;
}

static void run_warp(struct ct_cpu_block *block, struct ct_cpu_lanes *warp)
{
	while (warp->ready) {
		while (warp->ready) {
			resume(block, &warp->fibers[pick_lane(block, warp->ready)]);
			if (is_stopped(block))
				return;
		}
		if (!warp->alive)
			break;
		warp_idle(warp);
		if (!ct_cpu_warp_finish(warp) && !warp->ready)
			ct_cpu_warp_answer_activemask(warp);
	}
	if (!warp->alive && !warp->done)
		warp_done(warp);
}

static void run_warps(struct ct_cpu_block *block)
{
	uint32_t first = 0;

	if (block->random)
		first = (uint32_t)(next_random(block) % block->warp_count);
	for (uint32_t i = 0; i < block->warp_count && !is_stopped(block); i++)
		run_warp(block, &block->warps[(first + i) % block->warp_count]);
}

static uint32_t wake_yielded(struct ct_cpu_block *block)
{
	uint32_t any = 0;

	for (uint32_t i = 0; i < block->warp_count; i++) {
		struct ct_cpu_lanes *warp = &block->warps[i];
		uint32_t mask = warp->yielded;

		warp->yielded = 0;
		ct_cpu_lanes_wake(warp, mask);
		any |= mask;
	}
	return any;
}

static void report_deadlock(struct ct_cpu_block *block)
{
	uint32_t at_barrier = 0, at_warp = 0, barrier = 0;
	const struct ct_cpu_fiber *sample = NULL;
	char text[512];
	int length;

	for (uint32_t i = 0; i < block->thread_count; i++) {
		const struct ct_cpu_fiber *fiber = &block->fibers[i];
		uint8_t state = fiber->warp->view.state[fiber->lane];

		if (state == CT_LANE_BARRIER) {
			barrier = fiber->operand[0];
			at_barrier++;
		} else if (state == CT_LANE_WARP) {
			sample = fiber;
			at_warp++;
		}
	}
	length = snprintf(text, sizeof(text), "deadlock: %u threads have ended",
			  block->thread_count - block->alive);
	if (at_barrier)
		length += snprintf(text + length, sizeof(text) - (size_t)length,
				   ", %u wait at barrier %u", at_barrier, barrier);
	if (sample)
		snprintf(text + length, sizeof(text) - (size_t)length,
			 ", %u wait at warp operations (lane %u of warp %u in %s with mask 0x%08x)",
			 at_warp, sample->lane, sample->warp->view.index,
			 ct_cpu_warp_op_name(sample->operation), sample->mask);
	ct_cpu_job_fail(block->job, block, NULL, CT_CPU_DEADLOCK, text);
}

static enum ct_cpu_progress finish(struct ct_cpu_block *block)
{
	for (uint32_t i = 0; i < block->warp_count; i++)
		if (!block->warps[i].done)
			warp_done(&block->warps[i]);
	if (ct_cpu_producer && ct_cpu_producer->on_block_done)
		ct_cpu_producer->on_block_done(block->cta, block->worker->index);
	return CT_BLOCK_DONE;
}

enum ct_cpu_progress ct_cpu_block_run(struct ct_cpu_block *block)
{
	for (;;) {
		run_warps(block);
		if (is_stopped(block) || !block->alive)
			return finish(block);
		if (ct_cpu_barriers_finish(block))
			continue;
		if (wake_yielded(block))
			return CT_BLOCK_YIELDS;
		report_deadlock(block);
	}
}
