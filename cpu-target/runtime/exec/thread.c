/* SPDX-License-Identifier: Apache-2.0 */
/* The device thread that runs here: what it may ask, how it waits, ends and fails. */
#include "cpu-target/runtime/exec/block.h"
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

/* As on a GPU. */
#define SLEEP_MAX_NS 1000000

__thread struct ct_cpu_thread *__ct_cpu_thread;
__thread struct ct_cpu_access __ct_cpu_next_access;
const struct ct_cpu_producer *ct_cpu_producer;

void ct_cpu_set_producer(const struct ct_cpu_producer *producer)
{
	ct_cpu_producer = producer;
}

struct ct_cpu_thread *ct_cpu_current(void)
{
	return __ct_cpu_thread;
}

struct ct_cpu_fiber *ct_cpu_current_fiber(void)
{
	return (struct ct_cpu_fiber *)__ct_cpu_thread;
}

struct ct_cpu_warp *ct_cpu_current_warp(void)
{
	struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();

	if (!fiber || !fiber->thread.block->job->grid->kernel->blocking)
		return NULL;
	return &fiber->warp->view;
}

static void leave_fiber(struct ct_cpu_fiber *fiber, int dying)
{
	struct ct_cpu_context *worker = &fiber->thread.block->worker->context;

	__ct_cpu_thread = NULL;
	ct_cpu_context_switch(&fiber->context, worker, dying);
}

void ct_cpu_fiber_wait(struct ct_cpu_fiber *fiber, enum ct_cpu_lane_state state)
{
	uint32_t bit = 1u << fiber->lane;

	fiber->warp->view.state[fiber->lane] = (uint8_t)state;
	fiber->warp->ready &= ~bit;
	if (state == CT_LANE_YIELDED)
		fiber->warp->yielded |= bit;
	else if (state == CT_LANE_TRACE)
		fiber->warp->trace |= bit;
	leave_fiber(fiber, 0);
}

void ct_cpu_lane_wait_trace(void)
{
	ct_cpu_fiber_wait(ct_cpu_current_fiber(), CT_LANE_TRACE);
}

void __ct_cpu_yield(void)
{
	ct_cpu_fiber_wait(ct_cpu_current_fiber(), CT_LANE_YIELDED);
}

void __ct_cpu_sleep(uint32_t ns)
{
	const struct ct_cpu_block *block = __ct_cpu_thread->block;
	struct timespec time = {0, ns < SLEEP_MAX_NS ? (long)ns : SLEEP_MAX_NS};

	if (block->alive == 1 && block->worker->resident == block && !block->next)
		nanosleep(&time, NULL);
}

void __ct_cpu_exit(void)
{
	struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();
	struct ct_cpu_lanes *warp = fiber->warp;

	warp->view.state[fiber->lane] = CT_LANE_EXITED;
	warp->ready &= ~(1u << fiber->lane);
	warp->alive &= ~(1u << fiber->lane);
	fiber->thread.block->alive--;
	if (fiber->cluster_arrived)
		fiber->thread.cluster->gone++;
	leave_fiber(fiber, 1);
	__builtin_unreachable();
}

void ct_cpu_job_fail(struct ct_cpu_job *job, const struct ct_cpu_block *block,
		     const struct ct_cpu_thread *thread, enum ct_cpu_error error, const char *text)
{
	const struct ct_cpu_grid *grid = job->grid;
	char place[128] = "";
	int none = CT_CPU_OK, length = 0;

	if (!atomic_compare_exchange_strong(&job->error, &none, error))
		return;
	if (error == CT_CPU_ASSERT) {
		fprintf(stderr, "%s\n", text);
		return;
	}
	if (block)
		length = snprintf(place, sizeof(place), ", block (%u,%u,%u)",
				  (unsigned)(block->cta % grid->grid[0]),
				  (unsigned)(block->cta / grid->grid[0] % grid->grid[1]),
				  (unsigned)(block->cta / grid->grid[0] / grid->grid[1]));
	if (thread)
		snprintf(place + length, sizeof(place) - (size_t)length, ", thread (%u,%u,%u)",
			 thread->tid[0], thread->tid[1], thread->tid[2]);
	fprintf(stderr, "cuda-trace: CPU target: kernel %s%s: %s\n", grid->kernel->name, place,
		text);
}

void ct_cpu_fiber_fail(struct ct_cpu_fiber *fiber, enum ct_cpu_error error, const char *format, ...)
{
	struct ct_cpu_block *block = fiber->thread.block;
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	ct_cpu_job_fail(block->job, block, &fiber->thread, error, text);
	leave_fiber(fiber, 1);
	__builtin_unreachable();
}

void ct_cpu_lanes_wake(struct ct_cpu_lanes *warp, uint32_t mask)
{
	warp->ready |= mask;
	for (; mask; mask &= mask - 1)
		warp->view.state[__builtin_ctz(mask)] = CT_LANE_READY;
}
