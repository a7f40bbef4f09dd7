/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The step from a frame of a stack to its caller's, on x86-64. A frame is where an address of code
 * stands on the stack: the return address of the call that it is in, or where a signal has
 * interrupted it. What registers `rsp` and `rbp` were there is its state; the step says what they
 * were in the caller. It follows from the address alone, so it is learned once (cfi.h).
 *
 *	CFA      = the frame's sp + cfa_offset, or bp + cfa_offset, or the word at bp + cfa_offset
 *	caller's   return address at CFA - 8, sp = CFA
 *	           bp = the frame's, or the word at CFA + bp_offset, or at bp + bp_offset
 */
#ifndef CT_UNWIND_STEP_H
#define CT_UNWIND_STEP_H

#include <stdbool.h>
#include <stdint.h>

enum ct_step_kind {
	CT_STEP_OUTERMOST, /* nothing has called it */
	CT_STEP_UNKNOWN,   /* there is no unwind information */
	CT_STEP_HARD,      /* there is, but of a kind that only the unwinder evaluates */
	CT_STEP_SP,
	CT_STEP_BP,
	CT_STEP_BP_LOADED, /* GCC's frames with a stack of stricter alignment */
	CT_STEP_SIGNAL,    /* the kernel's frame of a signal: all registers are at sp */
};

enum ct_step_bp {
	CT_STEP_BP_KEPT,
	CT_STEP_BP_AT_CFA,
	CT_STEP_BP_AT_BP,
};

struct ct_stack_step {
	uint8_t kind, bp;
	int32_t cfa_offset, bp_offset;
};

/* Does the state of the caller depend on the frame's bp? */
static inline bool ct_step_uses_bp(const struct ct_stack_step *step)
{
	return step->kind == CT_STEP_BP || step->kind == CT_STEP_BP_LOADED ||
	       (step->kind == CT_STEP_SP && step->bp == CT_STEP_BP_AT_BP);
}

/* Is the caller's bp the frame's? */
static inline bool ct_step_keeps_bp(const struct ct_stack_step *step)
{
	return step->kind >= CT_STEP_SP && step->kind <= CT_STEP_BP_LOADED &&
	       step->bp == CT_STEP_BP_KEPT;
}

#endif
