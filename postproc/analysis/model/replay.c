/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of machine code named by those of the block that it is of. */
#include "postproc/analysis/model/replay.h"
#include "postproc/analysis/model/schedule.h"

static bool is_access(uint32_t class)
{
	return class == CT_IN_LOAD || class == CT_IN_STORE || class == CT_IN_ATOMIC;
}

/* Kinds of accesses of global memory of a block, in their order: the same in both? */
bool ct_replays(const struct ct_replay *replay)
{
	const struct ct_unit_block *a = replay->block;
	const struct ct_sass_block *b = &replay->code->block[replay->machines];
	const struct ct_unit_step *step = &replay->unit->steps[a->step_first];
	uint32_t left[3] = {0}, barriers = 0;

	for (uint32_t s = 0; s < a->step_count; s++) {
		if (step[s].instruction == CT_IN_BARRIER)
			barriers++;
		else if (step[s].space != CT_SPACE_SHARED && step[s].space != CT_SPACE_CONSTANT &&
			 is_access(step[s].instruction))
			left[step[s].instruction - CT_IN_LOAD]++;
	}
	for (uint32_t i = b->first; i < b->first + b->count; i++) {
		const struct ct_sass_instruction *in = &replay->code->instruction[i];

		if (in->class == CT_IN_BARRIER)
			barriers--;
		else if (ct_schedule_is_global(in))
			left[in->class - CT_IN_LOAD]--;
	}
	return !left[0] && !left[1] && !left[2] && !barriers;
}

/* The access of the kernel's block that is the machine's n-th one of that class. */
static uint32_t nth_access(const struct ct_replay *replay, uint32_t class, uint32_t n)
{
	const struct ct_unit_block *block = replay->block;
	const struct ct_unit_step *step = &replay->unit->steps[block->step_first];
	uint32_t access = 0;

	for (uint32_t s = 0; s < block->step_count; s++) {
		if (step[s].instruction == CT_IN_BARRIER || step[s].space == CT_SPACE_SHARED ||
		    step[s].space == CT_SPACE_CONSTANT)
			continue;
		if (step[s].instruction == class && n-- == 0)
			return access;
		access++;
	}
	return 0;
}

/* From the machine's accesses to the kernel's; loads that are not waited for until the block's end
 * are waited for when it is entered again. */
void ct_replay_name(const struct ct_replay *replay, uint32_t number, struct ct_script_op *op,
		    uint32_t ops)
{
	const struct ct_sass_block *block = &replay->code->block[replay->machines];
	uint32_t seen[3] = {0}, at = block->first, waits = 0;

	for (uint32_t o = 0; o < ops; o++)
		waits += op[o].kind == CT_SCRIPT_WAIT;
	for (uint32_t o = 0; o < ops; o++) {
		const struct ct_sass_instruction *in;

		waits -= op[o].kind == CT_SCRIPT_WAIT;
		if (op[o].kind != CT_SCRIPT_ACCESS)
			continue;
		while (!ct_schedule_is_global(&replay->code->instruction[at]))
			at++;
		in = &replay->code->instruction[at++];
		op[o].access = nth_access(replay, in->class, seen[in->class - CT_IN_LOAD]++);
		if (in->class == CT_IN_LOAD && !waits)
			op[o].used_in = number;
	}
}
