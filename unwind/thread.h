/* SPDX-License-Identifier: Apache-2.0 */
/* A thread keeps this about stacks: its last one, and what it has met on the way. */
#ifndef CT_UNWIND_THREAD_H
#define CT_UNWIND_THREAD_H

#include "unwind/places.h"

/* A frame of the stack with the state that the next one follows from (step.h). */
struct ct_stack_frame {
	uintptr_t slot; /* where its address stands */
	uintptr_t address;
	uintptr_t sp, bp;
	uintptr_t bp_place;   /* where bp was read; 0: it is the inner frame's */
	uintptr_t more_place; /* what else was read to get here; 0: nothing */
	uintptr_t more;
	struct ct_module *module;
	uintptr_t function; /* as in its place */
	struct ct_stack_step step;
	bool is_interrupted; /* by a signal: what stands in the slot is address - 1 */
	/* These are of the last stack only: */
	bool needs_bp;       /* frames further out follow from bp, too */
	uint32_t first_word; /* of those in which its state stands */
	uint32_t row;
};

struct ct_stack_word {
	uintptr_t place, value;
};

#define CT_THREAD_PLACES 512u
#define CT_THREAD_LINKS 1024u
#define CT_THREAD_GAPS 64u

/* A row by caller and address. */
struct ct_row_link {
	uintptr_t address;
	uint32_t caller, row; /* 0: none */
};

/* How far behind a frame without unwind information the next one was that has some (scan.h). */
struct ct_stack_gap {
	uintptr_t address, bytes; /* 0: none */
};

/* Mapped, and touched as far as it is used. */
struct ct_stack_thread {
	uintptr_t low, high; /* its stack; both 0: not known */
	uint32_t generation; /* of modules, that all of this holds for */
	/* The last stack, outermost frame first; a word that is read there for each frame after
	 * those of the frames further out. */
	uint32_t count, word_count;
	bool is_cut; /* it was too deep: outer frames are missing */
	struct ct_stack_word words[3 * CT_STACK_DEPTH_MAX];
	struct ct_stack_frame frames[CT_STACK_DEPTH_MAX];
	/* The walk finds these frames, innermost first. */
	struct ct_stack_frame walked[CT_STACK_DEPTH_MAX];
	struct ct_stack_place places[CT_THREAD_PLACES];
	struct ct_row_link links[CT_THREAD_LINKS];
	struct ct_stack_gap gaps[CT_THREAD_GAPS];
};

/* NULL if memory is short. */
struct ct_stack_thread *ct_stack_thread_new(void);
/* Forgets all but the stack's bounds. */
void ct_stack_thread_renew(struct ct_stack_thread *thread);
/* Called with the thread's when it ends: `end` forgets the pointer and frees it. */
void ct_stack_thread_free(struct ct_stack_thread *thread);

/* Where the frame's address leads to. */
void ct_stack_thread_place(struct ct_stack_thread *thread, struct ct_stack_frame *frame);
/* The row of the frame below caller; 0 if memory is short. */
uint32_t ct_stack_thread_row(struct ct_stack_thread *thread, uint32_t caller,
			     const struct ct_stack_frame *frame);

#endif
