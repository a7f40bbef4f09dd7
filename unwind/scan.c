/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates for the frame behind code without unwind information, and what speaks against them. */
#include "unwind/scan.h"

#ifdef __x86_64__
#include "unwind/callsite.h"
#include "unwind/frame.h"
#include <link.h>

#define SCAN_BYTES ((uintptr_t)64 << 10)
#define STEPS_MAX 50000u /* of all walks of a scan */
#define SAVED_MAX 64u    /* words that are tried as bp */
#define NEVER UINT32_MAX
#define GAPS_MAX 4u /* of a stack, one behind the other */

struct scan {
	struct ct_stack_thread *thread;
	const struct ct_stack_frame *frame; /* the one without information */
	uintptr_t bp_place;                 /* where its bp was read */
	unsigned gaps;
	unsigned *steps_left;
};

static uint32_t find(const struct scan *scan, struct ct_stack_frame *to);

static bool has_information(const struct ct_stack_frame *frame)
{
	return frame->module && frame->step.kind != CT_STEP_UNKNOWN;
}

/* Whether a call before the frame's address can have led to the function, 0: to one without
 * information. */
static bool leads_to(struct ct_stack_thread *thread, const struct ct_stack_frame *frame,
		     uintptr_t function)
{
	struct ct_stack_frame called = {0};
	uintptr_t target, resolved;

	if (ct_callsite_of(frame->address, &target) == CT_CALLSITE_INDIRECT)
		return true;
	if (target == function)
		return true;
	called.address = target + 1;
	if (!ct_modules_have_code(target))
		return false;
	ct_stack_thread_place(thread, &called);
	if (!has_information(&called))
		return !function;
	resolved = ct_callsite_resolve(target, called.module);
	if (resolved == function)
		return true;
	if (function || resolved == target || !ct_modules_have_code(resolved))
		return false;
	called.address = resolved + 1;
	ct_stack_thread_place(thread, &called);
	return !has_information(&called);
}

static bool is_behind_call(const struct ct_stack_frame *frame)
{
	uintptr_t target;

	return frame->is_interrupted ||
	       (frame->module && frame->address - frame->module->text_start >= CT_CALLSITE_BYTES &&
		ct_callsite_of(frame->address, &target) != CT_CALLSITE_NONE);
}

/* The frames are next to each other: does the call in the outer one speak against the inner one? */
static bool speaks_against(struct ct_stack_thread *thread, const struct ct_stack_frame *inner,
			   const struct ct_stack_frame *outer)
{
	return inner->function && !outer->is_interrupted && inner->step.kind != CT_STEP_SIGNAL &&
	       has_information(outer) && !leads_to(thread, outer, inner->function);
}

static uint32_t judge_gap(const struct scan *scan, const struct ct_stack_frame *frame)
{
	struct scan further = *scan;
	struct ct_stack_frame behind;

	further.frame = frame;
	further.gaps++;
	return further.gaps < GAPS_MAX ? find(&further, &behind) : NEVER;
}

/* How many of the calls, from the candidate to the outermost frame, speak against it. *needs_bp:
 * that would be another with another bp of the candidate. */
static uint32_t judge(const struct scan *scan, const struct ct_stack_frame *candidate,
		      bool *needs_bp)
{
	struct ct_stack_thread *thread = scan->thread;
	struct ct_stack_frame frame = *candidate, outer;
	uint32_t against = !leads_to(thread, &frame, 0), more;
	bool has_its_bp = true;

	*needs_bp = false;
	while ((*scan->steps_left)-- > 1) {
		*needs_bp |= has_its_bp && ct_step_uses_bp(&frame.step);
		has_its_bp &= ct_step_keeps_bp(&frame.step);
		if (frame.step.kind == CT_STEP_OUTERMOST)
			return against;
		if (frame.step.kind == CT_STEP_UNKNOWN) {
			more = judge_gap(scan, &frame);
			return more == NEVER ? NEVER : against + more + 1;
		}
		if (!ct_frame_step(thread, &frame, &outer) ||
		    !ct_modules_have_code(outer.address - 1))
			return NEVER;
		ct_stack_thread_place(thread, &outer);
		if (has_information(&outer) && !is_behind_call(&outer))
			return NEVER;
		against += speaks_against(thread, &frame, &outer);
		frame = outer;
	}
	*scan->steps_left = 1;
	return NEVER;
}

/* With bp of the frame without information, or one that is saved between: what was called pushes it
 * first, so the last one is the likeliest. */
static uint32_t judge_with_bp(const struct scan *scan, struct ct_stack_frame *candidate)
{
	struct ct_stack_frame try = *candidate;
	uint32_t best, against, tried = 0;
	bool needs_bp;

	candidate->bp = scan->frame->bp;
	candidate->bp_place = scan->bp_place;
	best = judge(scan, candidate, &needs_bp);
	for (uintptr_t place = try.slot - sizeof(place);
	     needs_bp && place >= scan->frame->sp && best && tried < SAVED_MAX;
	     place -= sizeof(place)) {
		try.bp = ct_frame_load(place);
		try.bp_place = place;
		if (!ct_frame_is_on_stack(scan->thread, try.bp, try.sp))
			continue;
		tried++;
		against = judge(scan, &try, &needs_bp);
		if (against < best) {
			best = against;
			*candidate = try;
		}
	}
	return best;
}

/* Returns what speaks against the word at the place. */
static uint32_t consider(const struct scan *scan, uintptr_t place, struct ct_stack_frame *candidate)
{
	*candidate = (struct ct_stack_frame){
	    .slot = place, .address = ct_frame_load(place), .sp = place + sizeof(place)};
	if (!ct_modules_have_code(candidate->address - 1))
		return NEVER;
	ct_stack_thread_place(scan->thread, candidate);
	if (!has_information(candidate) || !is_behind_call(candidate))
		return NEVER;
	return judge_with_bp(scan, candidate);
}

static struct ct_stack_gap *gap_of(const struct scan *scan)
{
	uintptr_t hash = scan->frame->address * 0x9e3779b97f4a7c15u >> 32;

	return &scan->thread->gaps[hash % CT_THREAD_GAPS];
}

/* Returns what speaks against *to, NEVER: there is none. */
static uint32_t find(const struct scan *scan, struct ct_stack_frame *to)
{
	uintptr_t from = scan->frame->sp, end = scan->thread->high;
	struct ct_stack_gap *gap = gap_of(scan);
	struct ct_stack_frame candidate;
	uint32_t best = NEVER, against;

	if (end - from > SCAN_BYTES)
		end = from + SCAN_BYTES;
	if (gap->address == scan->frame->address && gap->bytes < end - from &&
	    consider(scan, from + gap->bytes, to) == 0)
		return 0;
	for (uintptr_t place = from; place + sizeof(place) <= end && best; place += sizeof(place)) {
		against = consider(scan, place, &candidate);
		if (against >= best)
			continue;
		best = against;
		*to = candidate;
	}
	if (best != NEVER)
		*gap = (struct ct_stack_gap){scan->frame->address, to->slot - from};
	return best;
}

struct request {
	struct scan scan;
	struct ct_stack_frame *to;
	bool is_found;
};

/* Old addresses may be of files that another thread is about to unload: not while the loader's lock
 * is held, if the files are those that are known. */
static int find_with_lock(struct dl_phdr_info *info, size_t bytes, void *of)
{
	struct request *request = of;

	(void)bytes;
	if (ct_modules_are(info->dlpi_adds, info->dlpi_subs))
		request->is_found = find(&request->scan, request->to) != NEVER;
	else
		request->scan.thread->generation = 0; /* not for long: nothing is remembered */
	return 1;
}

bool ct_scan(struct ct_stack_thread *thread, uint32_t count, struct ct_stack_frame *to)
{
	const struct ct_stack_frame *frame = &thread->walked[count - 1];
	unsigned steps_left = STEPS_MAX;
	struct request request = {
	    {.thread = thread, .frame = frame, .steps_left = &steps_left}, to, false};

	if (!ct_frame_is_on_stack(thread, frame->sp, frame->slot) || !is_behind_call(frame))
		return false;
	/* Where its bp stands: frames that keep it have read none. */
	for (uint32_t i = count; i-- > 0 && !request.scan.bp_place;)
		request.scan.bp_place = thread->walked[i].bp_place;
	dl_iterate_phdr(find_with_lock, &request);
	return request.is_found;
}

#else

bool ct_scan(struct ct_stack_thread *thread, uint32_t count, struct ct_stack_frame *to)
{
	(void)thread;
	(void)count;
	(void)to;
	return false;
}

#endif
