/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that the lanes of a warp perform together. */
#include "cpu-target/runtime/exec/warp.h"
#include "cpu-target/runtime/exec/block.h"

#define EACH_LANE(lane, mask)                                                                      \
	for (uint32_t left_ = (mask), lane = 0;                                                    \
	     left_ && (lane = (uint32_t)__builtin_ctz(left_), 1); left_ &= left_ - 1)

const char *ct_cpu_warp_op_name(uint32_t operation)
{
	static const char *const names[] = {
#define CT_WARP_OP(name, text) text,
#include "cpu-target/runtime/exec/warp_op.def"
#undef CT_WARP_OP
	};

	return operation < CT_WARP_OPS ? names[operation] : "?";
}

/* PTX ISA, shfl.sync: source lane j and whether it is in range. c packs the
 * clamp value (4..0) and the segment mask (12..8). */
static uint32_t shuffle_source(uint32_t operation, uint32_t lane, uint32_t b, uint32_t c,
			       uint32_t *in_range)
{
	uint32_t segment = (c >> 8) & 31, clamp = c & 31;
	int32_t max = (int32_t)((lane & segment) | (clamp & ~segment));
	int32_t source;

	b &= 31;
	switch (operation) {
	case CT_WARP_SHFL_UP:
		source = (int32_t)lane - (int32_t)b;
		*in_range = source >= max;
		break;
	case CT_WARP_SHFL_DOWN:
		source = (int32_t)(lane + b);
		*in_range = source <= max;
		break;
	case CT_WARP_SHFL_BFLY:
		source = (int32_t)(lane ^ b);
		*in_range = source <= max;
		break;
	default:
		source = (int32_t)((lane & segment) | (b & ~segment));
		*in_range = source <= max;
		break;
	}
	return *in_range ? (uint32_t)source : lane;
}

/* Reading a lane that does not take part is undefined. Devices give 0, whether the block does not
 * have it, it has ended or is elsewhere (docs/validation.md), and reductions of small blocks live
 * by that. */
static void shuffle(struct ct_cpu_fiber *fibers, uint32_t group)
{
	EACH_LANE(lane, group)
	{
		struct ct_cpu_fiber *fiber = &fibers[lane];
		uint32_t source = shuffle_source(fiber->operation, lane, fiber->operand[0],
						 fiber->operand[1], &fiber->thread.predicate);

		fiber->result = group >> source & 1 ? fibers[source].value : 0;
	}
}

static void vote(struct ct_cpu_fiber *fibers, uint32_t group, uint32_t operation)
{
	uint32_t yes = 0, result = 0;

	EACH_LANE(lane, group)
	if (fibers[lane].value)
		yes |= 1u << lane;
	switch (operation) {
	case CT_WARP_VOTE_ALL:
		result = yes == group;
		break;
	case CT_WARP_VOTE_ANY:
		result = yes != 0;
		break;
	case CT_WARP_VOTE_UNI:
		result = yes == group || yes == 0;
		break;
	default:
		result = yes;
		break;
	}
	EACH_LANE(lane, group)
	fibers[lane].result = result;
}

static void match_any(struct ct_cpu_fiber *fibers, uint32_t group)
{
	EACH_LANE(lane, group)
	{
		uint32_t same = 0;

		for (uint32_t other = 0; other < CT_CPU_WARP_LANES; other++)
			if (group >> other & 1 && fibers[other].value == fibers[lane].value)
				same |= 1u << other;
		fibers[lane].result = same;
	}
}

static void match_all(struct ct_cpu_fiber *fibers, uint32_t group)
{
	uint64_t first = fibers[__builtin_ctz(group)].value;
	uint32_t equal = 1;

	EACH_LANE(lane, group)
	equal &= fibers[lane].value == first;
	EACH_LANE(lane, group)
	{
		fibers[lane].result = equal ? group : 0;
		fibers[lane].thread.predicate = equal;
	}
}

static uint32_t combine(uint32_t operation, uint32_t a, uint32_t b)
{
	switch (operation) {
	case CT_WARP_RED_ADD:
		return a + b;
	case CT_WARP_RED_MIN:
		return (int32_t)a < (int32_t)b ? a : b;
	case CT_WARP_RED_MAX:
		return (int32_t)a > (int32_t)b ? a : b;
	case CT_WARP_RED_UMIN:
		return a < b ? a : b;
	case CT_WARP_RED_UMAX:
		return a > b ? a : b;
	case CT_WARP_RED_AND:
		return a & b;
	case CT_WARP_RED_OR:
		return a | b;
	default:
		return a ^ b;
	}
}

static void reduce(struct ct_cpu_fiber *fibers, uint32_t group, uint32_t operation)
{
	uint32_t first = (uint32_t)__builtin_ctz(group);
	uint32_t result = (uint32_t)fibers[first].value;

	EACH_LANE(lane, group & (group - 1))
	result = combine(operation, result, (uint32_t)fibers[lane].value);
	EACH_LANE(lane, group)
	fibers[lane].result = result;
}

static void perform(struct ct_cpu_fiber *fibers, uint32_t group)
{
	uint32_t operation = fibers[__builtin_ctz(group)].operation;

	switch (operation) {
	case CT_WARP_SYNC:
		break;
	case CT_WARP_SHFL_UP:
	case CT_WARP_SHFL_DOWN:
	case CT_WARP_SHFL_BFLY:
	case CT_WARP_SHFL_IDX:
		shuffle(fibers, group);
		break;
	case CT_WARP_VOTE_ALL:
	case CT_WARP_VOTE_ANY:
	case CT_WARP_VOTE_UNI:
	case CT_WARP_VOTE_BALLOT:
		vote(fibers, group, operation);
		break;
	case CT_WARP_MATCH_ANY:
		match_any(fibers, group);
		break;
	case CT_WARP_MATCH_ALL:
		match_all(fibers, group);
		break;
	default:
		reduce(fibers, group, operation);
		break;
	}
}

/* The lanes that lane's operation needs, or 0 if one of them is not there. */
static uint32_t complete_group(const struct ct_cpu_lanes *warp, uint32_t lane)
{
	const struct ct_cpu_fiber *fiber = &warp->fibers[lane];
	uint32_t need = fiber->mask & warp->alive;

	if ((warp->waiting & need) != need)
		return 0;
	EACH_LANE(other, need)
	if (warp->fibers[other].mask != fiber->mask ||
	    warp->fibers[other].operation != fiber->operation)
		return 0;
	return need;
}

uint32_t ct_cpu_warp_finish(struct ct_cpu_lanes *warp)
{
	uint32_t woken = 0;

	for (uint32_t left = warp->waiting; left; left &= left - 1) {
		uint32_t group = complete_group(warp, (uint32_t)__builtin_ctz(left));

		if (!group || group & woken)
			continue;
		perform(warp->fibers, group);
		warp->waiting &= ~group;
		woken |= group;
	}
	ct_cpu_lanes_wake(warp, woken);
	return woken;
}

uint32_t ct_cpu_warp_answer_activemask(struct ct_cpu_lanes *warp)
{
	uint32_t group = 0, site;

	if (!warp->asking)
		return 0;
	site = warp->fibers[__builtin_ctz(warp->asking)].operand[0];
	EACH_LANE(lane, warp->asking)
	if (warp->fibers[lane].operand[0] == site)
		group |= 1u << lane;
	EACH_LANE(lane, group)
	warp->fibers[lane].result = group;
	warp->asking &= ~group;
	ct_cpu_lanes_wake(warp, group);
	return group;
}

uint64_t __ct_cpu_warp_op(uint32_t operation, uint32_t mask, uint64_t value, uint32_t a, uint32_t b)
{
	struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();

	fiber->operation = operation;
	fiber->mask = mask | 1u << fiber->lane;
	fiber->value = value;
	fiber->operand[0] = a;
	fiber->operand[1] = b;
	fiber->warp->waiting |= 1u << fiber->lane;
	ct_cpu_fiber_wait(fiber, CT_LANE_WARP);
	return fiber->result;
}

uint32_t __ct_cpu_activemask(uint32_t site)
{
	struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();

	fiber->operand[0] = site;
	fiber->warp->asking |= 1u << fiber->lane;
	ct_cpu_fiber_wait(fiber, CT_LANE_WARP);
	return (uint32_t)fiber->result;
}
