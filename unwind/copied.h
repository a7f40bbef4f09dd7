/* SPDX-License-Identifier: Apache-2.0 */
/* The stack of another thread, from a copy of its innermost part, as samples have it. */
#ifndef CT_UNWIND_COPIED_H
#define CT_UNWIND_COPIED_H

#include <stddef.h>
#include <stdint.h>

struct ct_stack_copy {
	uintptr_t ip, sp, bp;
	const unsigned char *bytes; /* what stood from sp on */
	size_t count;
};

/*
 * The row of STACK of where the thread was: the whole way out, or as far as the copy goes, with the
 * row that stands for what is not known beyond. 0: memory is short, or the processor is another one
 * than x86-64. Frames of code without unwind information (the driver's library) are left out where
 * a return address further out leads to the end.
 *
 * From a thread of ours, without any locks. Code that is unloaded in between is of no file then.
 */
uint32_t ct_stack_of_copy(const struct ct_stack_copy *copy);

#endif
