/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks by the unwinder that comes with the compiler: any, at 1 to 5 us. */
#ifndef CT_UNWIND_BACKTRACE_H
#define CT_UNWIND_BACKTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Addresses of places, innermost first, of the stack that the function of the frame `base` was
 * called by; at most room. */
size_t ct_backtrace(const void *base, uintptr_t *addresses, size_t room);

#endif
