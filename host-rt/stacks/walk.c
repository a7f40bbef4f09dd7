/* SPDX-License-Identifier: Apache-2.0 */
/* Walks outwards until what is left is known. */
#include "host-rt/stacks/walk.h"
#include "host-rt/stacks/rows.h"

#ifdef __x86_64__
#include <stddef.h>
#include <ucontext.h>

/* What a walk has found. */
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

/* The stacks of sanitized code have words that nobody else may look at. */
__attribute__((no_sanitize_address, no_sanitize_thread)) static uintptr_t load(uintptr_t place)
{
	return *(const volatile uintptr_t *)place;
}

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

static bool is_on_stack(const struct ct_stack_thread *thread, uintptr_t place, uintptr_t from)
{
	return place >= from && place < thread->high && thread->high - place >= sizeof(place) &&
	       place % sizeof(place) == 0;
}

/* What the function of the base was called with. */
static bool first_frame(const struct ct_stack_thread *thread, struct ct_stack_frame *frame,
			uintptr_t base)
{
	if (base < thread->low || !is_on_stack(thread, base, base) ||
	    !is_on_stack(thread, base + sizeof(base), base))
		return false;
	*frame = (struct ct_stack_frame){.slot = base + sizeof(base), .bp_place = base};
	frame->address = load(frame->slot);
	frame->bp = load(base);
	frame->sp = frame->slot + sizeof(base);
	return true;
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
	if (!is_on_stack(thread, registers, from->sp) || !is_on_stack(thread, to->slot, from->sp))
		return false;
	to->address = load(to->slot) + 1;
	to->sp = to->more = load(to->more_place);
	to->bp = load(to->bp_place);
	return is_on_stack(thread, to->sp, to->slot);
}

static bool read_bp(const struct ct_stack_thread *thread, const struct ct_stack_frame *from,
		    struct ct_stack_frame *to)
{
	to->bp = from->bp;
	if (from->step.bp == CT_STEP_BP_KEPT)
		return true;
	to->bp_place = (from->step.bp == CT_STEP_BP_AT_CFA ? to->sp : from->bp) +
		       (uintptr_t)(intptr_t)from->step.bp_offset;
	if (!is_on_stack(thread, to->bp_place, from->sp))
		return false;
	to->bp = load(to->bp_place);
	return true;
}

static bool step(const struct ct_stack_thread *thread, const struct ct_stack_frame *from,
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
		   is_on_stack(thread, from->bp + offset, from->sp)) {
		to->more_place = from->bp + offset;
		cfa = to->more = load(to->more_place);
	} else {
		return false;
	}
	to->slot = cfa - sizeof(cfa);
	if (!is_on_stack(thread, to->slot, from->sp))
		return false;
	to->address = load(to->slot);
	to->sp = cfa;
	return read_bp(thread, from, to);
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
		walk->is_cut =
		    frame->step.kind == CT_STEP_UNKNOWN ||
		    (walk->count == CT_STACK_DEPTH_MAX && frame->step.kind != CT_STEP_OUTERMOST);
		walk->kept = 0;
		if (walk->is_cut || frame->step.kind == CT_STEP_OUTERMOST)
			return true;
		if (!step(thread, frame, frame + 1)) {
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
