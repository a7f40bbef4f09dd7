/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps by what the compiler has said about the stack in .eh_frame (DWARF 5, section 6.4; Linux
 * Standard Base 5.0, section 10.6). That is what exceptions are unwound by.
 */
#ifndef CT_UNWIND_CFI_H
#define CT_UNWIND_CFI_H

#include "unwind/step.h"

/* address: a return address, or one more than where a signal has interrupted code; *function:
 * where its function begins, 0 not known. Takes the dynamic loader's lock where exceptions do. */
struct ct_stack_step ct_cfi_step(uintptr_t address, uintptr_t *function);

#endif
