/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where code has no unwind information (the driver's library; what it calls us from), nothing says
 * where its caller's frame is. But its return address stands somewhere further out, in code that
 * has unwind information, and from there the stack can be walked to its end. So words are looked
 * at, outwards, and each that could be that address is tried:
 *
 * - it stands in code with unwind information, behind a call;
 * - the walk from there, every address of it behind a call again, gets to the outermost frame.
 * Where bp is needed, it is what the frame without information had, or a word that is saved
 * between;
 * - old addresses, which earlier calls have left, may lead there as well: the frame that they are
 *   from was entered by a call of another function than the one that stands in its caller now. So a
 *   call that does not lead to the function of the frame further in speaks against a candidate, and
 *   the one wins that the fewest speak against, the innermost of these. So does another stretch
 *   without information further out, where calls cannot be known: rather than showing a frame that
 *   was not there, one is left out. Functions that jump into others instead of calling them speak
 *   against all.
 *
 * None: the stack ends there. So it does in code never called: the start of a fiber.
 */
#ifndef CT_UNWIND_SCAN_H
#define CT_UNWIND_SCAN_H

#include "unwind/thread.h"

/* Behind the last of the count frames that were walked: *to has address and state. */
bool ct_scan(struct ct_stack_thread *thread, uint32_t count, struct ct_stack_frame *to);

#endif
