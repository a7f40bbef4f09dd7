/* SPDX-License-Identifier: Apache-2.0 */
/* Walks outwards until what is left is known. */
#include "unwind/walk.h"
#include "unwind/frame.h"
#include "unwind/rows.h"
#include "unwind/scan.h"

#ifdef __x86_64__
/* The result of a walk. */
struct walk {
	struct ct_stack_thread *thread;
	uint32_t count;      /* of frames walked */
	uint32_t kept;       /* frames of the last stack beyond them */
	uint32_t not_passed; /* frames of the last stack that it may still meet */
	uint32_t
	    broken_word; /* a word of the last stack that does not hold; UINT32_MAX: none yet */
	bool is_cut;     /* what is further out than those that it has found is not known */
	bool is_broken;  /* and nothing says when that changes */
};

/* How many words, of the first count of the last stack, are left when those hold that are looked
 * at, from the last on: 0: all do. */
__attribute__((no_sanitize_address, no_sanitize_thread)) static uint32_t
words_that_hold(const struct ct_stack_thread *thread, uint32_t count)
{
	while (count && *(const volatile uintptr_t *)thread->words[count - 1].place ==
			    thread->words[count - 1].value)
		count--;
	return count;
}

bool ct_walk_is_same(const struct ct_stack_thread *thread, uintptr_t base)
{
	return thread->count && thread->frames[thread->count - 1].slot == base + sizeof(base) &&
	       words_that_hold(thread, thread->word_count) == 0;
}

/* Finds the frame of the function that called the base. */
static bool first_frame(const struct ct_stack_thread *thread, struct ct_stack_frame *frame,
			uintptr_t base)
{
	if (base < thread->low || !ct_frame_is_on_stack(thread, base, base) ||
	    !ct_frame_is_on_stack(thread, base + sizeof(base), base))
		return false;
	*frame = (struct ct_stack_frame){.slot = base + sizeof(base), .bp_place = base};
	frame->address = ct_frame_load(frame->slot);
	frame->bp = ct_frame_load(base);
	frame->sp = frame->slot + sizeof(base);
	return true;
}

/* The frame of the last stack that has the state of this one, if there is one. */
static const struct ct_stack_frame *meet(struct walk *walk, const struct ct_stack_frame *frame)
{
	const struct ct_stack_frame *frames = walk->thread->frames, *last;

	while (walk->not_passed && frames[walk->not_passed - 1].slot < frame->slot)
		walk->not_passed--;
	if (!walk->not_passed)
		return NULL;
	last = &frames[walk->not_passed - 1];
	return last->slot == frame->slot && last->address == frame->address &&
		       last->sp == frame->sp && (!last->needs_bp || last->bp == frame->bp)
		   ? last
		   : NULL;
}

/* True if all frames beyond are as they were. A word that does not hold is looked at once. */
static bool is_known_beyond(struct walk *walk, const struct ct_stack_frame *last)
{
	uint32_t left;

	if (walk->broken_word < last->first_word)
		return false;
	left = words_that_hold(walk->thread, last->first_word);
	walk->broken_word = left - 1;
	walk->kept = (uint32_t)(last - walk->thread->frames);
	return left == 0;
}

/* A step that the unwinder must not take either: it would read wherever a broken stack points to.
 * What the kernel has saved of a stack is whole. */
static bool leads_nowhere(const struct ct_stack_frame *frame)
{
	return frame->step.kind != CT_STEP_HARD && frame->step.kind != CT_STEP_SIGNAL;
}

/* Frames until the last stack is met, or the outermost is. False: only the unwinder knows. */
static bool walk_out(struct walk *walk, uintptr_t base)
{
	struct ct_stack_thread *thread = walk->thread;
	struct ct_stack_frame *frame = thread->walked;
	const struct ct_stack_frame *last;

	walk->count = 1;
	if (!first_frame(thread, frame, base))
		return false;
	for (;;) {
		ct_stack_thread_place(thread, frame);
		last = meet(walk, frame);
		if (last && is_known_beyond(walk, last)) {
			frame->row = last->row;
			return true;
		}
		if (frame->step.kind == CT_STEP_UNKNOWN && walk->count < CT_STACK_DEPTH_MAX &&
		    ct_scan(thread, walk->count, frame + 1)) {
			frame++;
			walk->count++;
			continue;
		}
		walk->is_cut =
		    frame->step.kind == CT_STEP_UNKNOWN ||
		    (walk->count == CT_STACK_DEPTH_MAX && frame->step.kind != CT_STEP_OUTERMOST);
		walk->kept = 0;
		if (walk->is_cut || frame->step.kind == CT_STEP_OUTERMOST)
			return true;
		if (!ct_frame_step(thread, frame, frame + 1)) {
			walk->is_cut = walk->is_broken = leads_nowhere(frame);
			return walk->is_broken;
		}
		frame++;
		walk->count++;
	}
}

static void push_word(struct ct_stack_thread *thread, uintptr_t place, uintptr_t value)
{
	if (place)
		thread->words[thread->word_count++] = (struct ct_stack_word){place, value};
}

/* A frame further in than all that are there. */
static void push(struct ct_stack_thread *thread, const struct ct_stack_frame *walked, uint32_t row)
{
	struct ct_stack_frame *frame = &thread->frames[thread->count];

	*frame = *walked;
	frame->row = row;
	frame->needs_bp = ct_step_uses_bp(&frame->step) ||
			  (ct_step_keeps_bp(&frame->step) && thread->count && frame[-1].needs_bp);
	frame->first_word = thread->word_count;
	thread->count++;
	push_word(thread, frame->slot, frame->address - frame->is_interrupted);
	push_word(thread, frame->more_place, frame->more);
	if (frame->needs_bp)
		push_word(thread, frame->bp_place, frame->bp);
}

/* The frames that were walked take the place of those further in than what is kept. The one at
 * which the last stack was met has its row, but its bp may come from another place. */
static uint32_t replace(const struct walk *walk)
{
	struct ct_stack_thread *thread = walk->thread;
	uint32_t kept = walk->kept, row = 0, i = walk->count;
	bool has_met = walk->thread->walked[i - 1].row;

	if (!has_met)
		row = walk->is_cut ? ct_row_unknown() : 0;
	thread->word_count = kept < thread->count ? thread->frames[kept].first_word : 0;
	thread->count = kept;
	if (!has_met)
		thread->is_cut = walk->count == CT_STACK_DEPTH_MAX;
	while (i-- > 0) {
		struct ct_stack_frame *frame = &thread->walked[i];

		row = frame->row ? frame->row : ct_stack_thread_row(thread, row, frame);
		if (!row) {
			thread->count = 0;
			return 0;
		}
		push(thread, frame, row);
	}
	if (walk->is_broken)
		thread->count = 0;
	return row;
}

uint32_t ct_walk(struct ct_stack_thread *thread, uintptr_t base)
{
	struct walk walk = {.thread = thread, .broken_word = UINT32_MAX};

	/* Where the outermost frames are missing, which ones are depends on the innermost. */
	walk.not_passed = thread->is_cut ? 0 : thread->count;
	if (!walk_out(&walk, base))
		return 0;
	if (walk.kept + walk.count > CT_STACK_DEPTH_MAX) {
		walk = (struct walk){.thread = thread, .broken_word = UINT32_MAX};
		if (!walk_out(&walk, base))
			return 0;
	}
	return replace(&walk);
}

#else

bool ct_walk_is_same(const struct ct_stack_thread *thread, uintptr_t base)
{
	(void)thread;
	(void)base;
	return false;
}

uint32_t ct_walk(struct ct_stack_thread *thread, uintptr_t base)
{
	(void)thread;
	(void)base;
	return 0;
}

#endif
