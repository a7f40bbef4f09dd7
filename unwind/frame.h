/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of the calling thread's stack: words of it, and the step from one to its caller's. */
#ifndef CT_UNWIND_FRAME_H
#define CT_UNWIND_FRAME_H

#include "unwind/thread.h"

/* A word of the stack. */
uintptr_t ct_frame_load(uintptr_t place);

/* Is there a word of the thread's stack, not further in than `from`? */
static inline bool ct_frame_is_on_stack(const struct ct_stack_thread *thread, uintptr_t place,
					uintptr_t from)
{
	return place >= from && place < thread->high && thread->high - place >= sizeof(place) &&
	       place % sizeof(place) == 0;
}

/* *to: the caller's, of which only address and state are set. False: its step is none that is done
 * here, or leads out of the stack. */
bool ct_frame_step(const struct ct_stack_thread *thread, const struct ct_stack_frame *from,
		   struct ct_stack_frame *to);

#endif
