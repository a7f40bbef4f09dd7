/* SPDX-License-Identifier: Apache-2.0 */
/* Asks libgcc's unwinder, or LLVM's. */
#include "unwind/backtrace.h"
#include <unwind.h>

struct backtrace {
	uintptr_t base;
	uintptr_t *addresses;
	size_t count, room;
};

/* The CFA that the unwinder gives for a frame is where the stack was before the call that it is
 * in: our own frames are at the base or deeper, on the same stack. Frames further out may be on
 * another. */
static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *of)
{
	struct backtrace *backtrace = of;
	int is_interrupted = 0;
	uintptr_t address = (uintptr_t)_Unwind_GetIPInfo(context, &is_interrupted);

	if (!address || backtrace->count == backtrace->room)
		return _URC_END_OF_STACK;
	if (!backtrace->count && (uintptr_t)_Unwind_GetCFA(context) <= backtrace->base)
		return _URC_NO_REASON;
	backtrace->addresses[backtrace->count++] = address + (is_interrupted != 0);
	return _URC_NO_REASON;
}

size_t ct_backtrace(const void *base, uintptr_t *addresses, size_t room)
{
	struct backtrace backtrace = {(uintptr_t)base, addresses, 0, room};

	_Unwind_Backtrace(add_frame, &backtrace);
	return backtrace.count;
}
