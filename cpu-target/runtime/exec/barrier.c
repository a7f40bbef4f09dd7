/* SPDX-License-Identifier: Apache-2.0 */
/* The 16 named barriers of a block. */
#include "cpu-target/runtime/exec/barrier.h"
#include "cpu-target/runtime/exec/block.h"

static int is_complete(const struct ct_cpu_block *block, const struct ct_cpu_barrier *barrier)
{
	uint32_t expected = barrier->expected ? barrier->expected : block->alive;

	return barrier->arrived && barrier->arrived >= expected;
}

static uint32_t reduce(const struct ct_cpu_barrier *barrier, uint32_t reduction)
{
	switch (reduction) {
	case CT_RED_AND:
		return barrier->yes == barrier->voters;
	case CT_RED_OR:
		return barrier->yes != 0;
	case CT_RED_POPC:
		return barrier->yes;
	default:
		return 0;
	}
}

/* A waiting fiber keeps id in operand[0] and its reduction in operation. */
static uint32_t release(struct ct_cpu_block *block, uint32_t id)
{
	struct ct_cpu_barrier *barrier = &block->barriers.barrier[id];
	uint32_t released = 0;

	for (uint32_t i = 0; i < block->thread_count; i++) {
		struct ct_cpu_fiber *fiber = &block->fibers[i];

		if (fiber->warp->view.state[fiber->lane] != CT_LANE_BARRIER ||
		    fiber->operand[0] != id)
			continue;
		fiber->result = reduce(barrier, fiber->operation);
		ct_cpu_lanes_wake(fiber->warp, 1u << fiber->lane);
		released++;
	}
	*barrier = (struct ct_cpu_barrier){0};
	block->barriers.used &= ~(1u << id);
	return released;
}

uint32_t ct_cpu_barriers_finish(struct ct_cpu_block *block)
{
	uint32_t released = 0;

	for (uint32_t used = block->barriers.used; used; used &= used - 1) {
		uint32_t id = (uint32_t)__builtin_ctz(used);

		if (is_complete(block, &block->barriers.barrier[id]))
			released += release(block, id);
	}
	return released;
}

static struct ct_cpu_barrier *arrive(struct ct_cpu_block *block, uint32_t id, uint32_t expected)
{
	struct ct_cpu_barrier *barrier = &block->barriers.barrier[id];

	/* Complete but not yet finished: this arrival belongs to the next phase. */
	if (is_complete(block, barrier))
		release(block, id);
	barrier->expected = expected;
	barrier->arrived++;
	block->barriers.used |= 1u << id;
	return barrier;
}

uint32_t __ct_cpu_barrier(uint32_t id, uint32_t expected, uint32_t reduction, uint32_t predicate)
{
	struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();
	struct ct_cpu_barrier *barrier;

	id %= CT_CPU_BARRIERS;
	barrier = arrive(fiber->thread.block, id, expected);
	if (reduction != CT_RED_NONE) {
		barrier->voters++;
		barrier->yes += predicate != 0;
	}
	fiber->operation = reduction;
	fiber->operand[0] = id;
	ct_cpu_fiber_wait(fiber, CT_LANE_BARRIER);
	return (uint32_t)fiber->result;
}

void __ct_cpu_barrier_arrive(uint32_t id, uint32_t expected)
{
	arrive(ct_cpu_current_fiber()->thread.block, id % CT_CPU_BARRIERS, expected);
}
