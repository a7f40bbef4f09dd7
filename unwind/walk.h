/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calling thread's stack compared with its last one. Why what is found is the stack that is
 * there, and never a mixture of two:
 *
 * - A frame's state is its address, sp and, where frames further out follow from it, bp. The step
 *   to its caller follows from the address alone, and the words that it reads from the state. So
 *   from the same state, the same words lead to the same state of the caller.
 * - With each frame of the last stack stand the words that were read to get to its state: the slot
 *   of its address, bp if it is needed, and what else there was. If all words of the frames further
 *   out than one whose state is the same still are what they were, then, frame by frame, all of
 *   these have the same state: it is the same stack from there to its end. Every one of them is
 *   looked at: that one slot holds says nothing about those beyond it.
 * - The innermost frame's state is not believed either, but read from the base.
 *
 * What the program has done meanwhile (returned and called again, longjmp, exceptions, fibers, tail
 * calls) does not come into it. What does is that steps follow from addresses, that is, which files
 * are mapped where: whoever calls has seen to that (ct_modules_watch). Words are read on the
 * thread's own stack alone, outwards from the base.
 */
#ifndef CT_UNWIND_WALK_H
#define CT_UNWIND_WALK_H

#include "unwind/thread.h"

/* The thread's last stack is the one that the function of this frame was called by. */
bool ct_walk_is_same(const struct ct_stack_thread *thread, uintptr_t base);

/* Makes it so. 0: only the unwinder knows, or memory is short. */
uint32_t ct_walk(struct ct_stack_thread *thread, uintptr_t base);

#endif
