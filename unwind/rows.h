/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of all stacks: a row for each place and who has called it, numbered from 1. */
#ifndef CT_UNWIND_ROWS_H
#define CT_UNWIND_ROWS_H

#include "unwind/modules.h"

/* The row of an address of a module (NULL: of no file) that the row `caller` has called (0: it is
 * outermost). Found, or made; 0 if memory is short. The lock is not held. */
uint32_t ct_row_of(uint32_t caller, struct ct_module *module, uintptr_t address);
/* The row that stands for outer frames that are not known. */
uint32_t ct_row_unknown(void);

void ct_rows_forget(void);

#endif
