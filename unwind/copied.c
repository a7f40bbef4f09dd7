/* SPDX-License-Identifier: Apache-2.0 */
/* Steps as on a thread's own stack (frame.c), over the copy. */
#include "unwind/callsite.h"
#include "unwind/places.h"
#include "unwind/rows.h"
#include "unwind/unwind.h"

#ifdef __x86_64__
#include <string.h>

#define FRAMES_MAX 256u
#define TRIES_MAX 64u /* return addresses that are tried, where there is no unwind information */

struct state {
	uintptr_t address, sp, bp;
};

struct walk {
	const struct ct_stack_copy *copy;
	struct {
		uintptr_t address;
		struct ct_module *module;
	} frame[FRAMES_MAX]; /* innermost first */
	uint32_t count;
};

enum end { OUTERMOST, UNKNOWN, BROKEN };

/* A word of the copy, not further in than sp. */
static bool load(const struct ct_stack_copy *copy, uintptr_t place, uintptr_t *value)
{
	if (place < copy->sp || place - copy->sp > copy->count ||
	    copy->count - (place - copy->sp) < sizeof(*value))
		return false;
	memcpy(value, copy->bytes + (place - copy->sp), sizeof(*value));
	return true;
}

static bool step(const struct ct_stack_copy *copy, const struct ct_stack_step *by,
		 struct state *state)
{
	uintptr_t cfa = state->sp + (uintptr_t)(intptr_t)by->cfa_offset, bp = state->bp;

	if (by->kind == CT_STEP_BP || by->kind == CT_STEP_BP_LOADED)
		cfa = state->bp + (uintptr_t)(intptr_t)by->cfa_offset;
	if (by->kind == CT_STEP_BP_LOADED && !load(copy, cfa, &cfa))
		return false;
	if (by->bp != CT_STEP_BP_KEPT && !load(copy,
					       (by->bp == CT_STEP_BP_AT_CFA ? cfa : state->bp) +
						   (uintptr_t)(intptr_t)by->bp_offset,
					       &bp))
		return false;
	if (cfa <= state->sp || !load(copy, cfa - sizeof(cfa), &state->address))
		return false;
	state->sp = cfa;
	state->bp = bp;
	return true;
}

/* Adds frames from a state on. */
static enum end walk_from(struct walk *walk, struct state *state)
{
	for (;;) {
		struct ct_stack_place place = ct_place_of(state->address);

		if (walk->count == FRAMES_MAX)
			return BROKEN;
		walk->frame[walk->count].address = state->address;
		walk->frame[walk->count++].module = place.module;
		if (place.step.kind == CT_STEP_OUTERMOST)
			return OUTERMOST;
		if (place.step.kind == CT_STEP_UNKNOWN)
			return UNKNOWN;
		if (place.step.kind == CT_STEP_HARD || place.step.kind == CT_STEP_SIGNAL ||
		    !step(walk->copy, &place.step, state))
			return BROKEN;
	}
}

/* Behind a frame without unwind information: the next word that looks like a return address, and
 * from which the way leads to the end. */
static bool skip_unknown(struct walk *walk, const struct state *from)
{
	uint32_t count = walk->count;
	unsigned tries = 0;
	uintptr_t word, target;

	for (uintptr_t at = from->sp; tries < TRIES_MAX && load(walk->copy, at, &word);
	     at += sizeof(at)) {
		struct state state = {word, at + sizeof(at), from->bp};

		if (!ct_modules_have_code(word) ||
		    ct_callsite_of(word, &target) == CT_CALLSITE_NONE ||
		    ct_place_of(word).step.kind == CT_STEP_UNKNOWN)
			continue;
		tries++;
		walk->count = count;
		if (walk_from(walk, &state) == OUTERMOST)
			return true;
	}
	walk->count = count;
	return false;
}

uint32_t ct_stack_of_copy(const struct ct_stack_copy *copy)
{
	struct walk walk;
	struct state state = {copy->ip + 1, copy->sp, copy->bp};
	enum end end;
	uint32_t row;

	walk.copy = copy;
	walk.count = 0;
	ct_modules_watch();
	end = walk_from(&walk, &state);
	if (end == UNKNOWN && skip_unknown(&walk, &state))
		end = OUTERMOST;
	row = end == OUTERMOST ? 0 : ct_row_unknown();
	if (end != OUTERMOST && !row)
		return 0;
	for (uint32_t i = walk.count; i-- > 0;) {
		row = ct_row_of(row, walk.frame[i].module, walk.frame[i].address);
		if (!row)
			return 0;
	}
	return row;
}

#else

uint32_t ct_stack_of_copy(const struct ct_stack_copy *copy)
{
	(void)copy;
	return 0;
}

#endif
