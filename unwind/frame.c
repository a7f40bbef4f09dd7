/* SPDX-License-Identifier: Apache-2.0 */
/* Steps from a frame to its caller's, on the thread's own stack. */
#include "unwind/frame.h"

#ifdef __x86_64__
#include <stddef.h>
#include <ucontext.h>

/* The stacks of sanitized code have words that nothing else may look at. */
__attribute__((no_sanitize_address, no_sanitize_thread)) uintptr_t ct_frame_load(uintptr_t place)
{
	return *(const volatile uintptr_t *)place;
}

/* The frame that a signal has interrupted; on this stack. */
static bool step_over_signal(const struct ct_stack_thread *thread,
			     const struct ct_stack_frame *from, struct ct_stack_frame *to)
{
	uintptr_t registers =
	    from->sp + offsetof(ucontext_t, uc_mcontext) + offsetof(mcontext_t, gregs);

	*to = (struct ct_stack_frame){.slot = registers + REG_RIP * sizeof(greg_t),
				      .more_place = registers + REG_RSP * sizeof(greg_t),
				      .bp_place = registers + REG_RBP * sizeof(greg_t),
				      .is_interrupted = true};
	if (!ct_frame_is_on_stack(thread, registers, from->sp) ||
	    !ct_frame_is_on_stack(thread, to->slot, from->sp))
		return false;
	to->address = ct_frame_load(to->slot) + 1;
	to->sp = to->more = ct_frame_load(to->more_place);
	to->bp = ct_frame_load(to->bp_place);
	return ct_frame_is_on_stack(thread, to->sp, to->slot);
}

static bool read_bp(const struct ct_stack_thread *thread, const struct ct_stack_frame *from,
		    struct ct_stack_frame *to)
{
	to->bp = from->bp;
	if (from->step.bp == CT_STEP_BP_KEPT)
		return true;
	to->bp_place = (from->step.bp == CT_STEP_BP_AT_CFA ? to->sp : from->bp) +
		       (uintptr_t)(intptr_t)from->step.bp_offset;
	if (!ct_frame_is_on_stack(thread, to->bp_place, from->sp))
		return false;
	to->bp = ct_frame_load(to->bp_place);
	return true;
}

bool ct_frame_step(const struct ct_stack_thread *thread, const struct ct_stack_frame *from,
		   struct ct_stack_frame *to)
{
	uintptr_t offset = (uintptr_t)(intptr_t)from->step.cfa_offset, cfa;

	if (from->step.kind == CT_STEP_SIGNAL)
		return step_over_signal(thread, from, to);
	*to = (struct ct_stack_frame){0};
	if (from->step.kind == CT_STEP_SP) {
		cfa = from->sp + offset;
	} else if (from->step.kind == CT_STEP_BP) {
		cfa = from->bp + offset;
	} else if (from->step.kind == CT_STEP_BP_LOADED &&
		   ct_frame_is_on_stack(thread, from->bp + offset, from->sp)) {
		to->more_place = from->bp + offset;
		cfa = to->more = ct_frame_load(to->more_place);
	} else {
		return false;
	}
	to->slot = cfa - sizeof(cfa);
	if (!ct_frame_is_on_stack(thread, to->slot, from->sp))
		return false;
	to->address = ct_frame_load(to->slot);
	to->sp = cfa;
	return read_bp(thread, from, to);
}

#endif
