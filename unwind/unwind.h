/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host call stacks: taken, interned as rows of the table STACK, described by modules.
 *
 * A thread remembers its last stack with all words of it that the way to the outermost frame
 * depends on, so that the same stack again costs a comparison of these (about a nanosecond a
 * frame), and a frame that has changed a few. What the unwinder alone can do costs 1 to 5 us:
 * stacks other than the thread's own (fibers, alternate stacks of signals), rare frames of
 * hand-written code, other processors than x86-64.
 */
#ifndef CT_UNWIND_UNWIND_H
#define CT_UNWIND_UNWIND_H

#include <cudatrace/format.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stack that is deeper, of runaway recursion, has no more than its innermost frames. */
#define CT_STACK_DEPTH_MAX 4096u

/*
 * The row of STACK of whoever called the function of the frame `base`, which is its
 * __builtin_frame_address(0): the whole way from there to main's caller or the thread's start.
 * 0: not known, for memory is short, or a signal handler calls that has interrupted this function.
 * From any thread, with any locks but the allocator's and ct_stacks_lock. The same stack has the
 * same row. That function's stack has the usual alignment (it takes no vectors).
 */
uint32_t ct_stack_take(const void *base);

/* The innermost part of another thread's stack, as samples have it. */
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

/* The first row from there outwards that is not of the driver, the runtime or CUPTI, which stand
 * between a call and whoever they report it to; 0: there is none. */
uint32_t ct_stack_outside(uint32_t row);

/* The call site (base/site.h) of a row; 0 of row 0. */
uint64_t ct_stack_hash(uint32_t row);

/* The row of the frame that has called this one; 0: none. */
uint32_t ct_stack_caller(uint32_t row);

/* For whoever writes them: one thread at a time. */

struct ct_stack_module {
	uint32_t id;          /* as in rows */
	bool is_gone;         /* that was reported before */
	const char *path;     /* NULL: the kernel's own; lives as long as the process */
	const char *build_id; /* in hexadecimal digits, "": none; lives as long as the process */
	uint64_t base, size;  /* as in MODULE */
};

/* The next module that rows name, or that is gone; false: there is none until rows name another. */
bool ct_stacks_next_module(struct ct_stack_module *module);
/* Copies rows that it has not given out yet, in order, and returns how many; those whose modules
 * have been given out. So: modules first, until there are no more, then rows. */
size_t ct_stacks_new_rows(struct ct_row_stack *rows, size_t room);

/* In the child of a fork: rows, modules and their numbers begin anew. */
void ct_stacks_forget(void);

#endif
