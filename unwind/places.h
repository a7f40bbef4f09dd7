/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out what an address on a stack is: whose code it is, and the step to its caller. */
#ifndef CT_UNWIND_PLACES_H
#define CT_UNWIND_PLACES_H

#include "unwind/modules.h"
#include "unwind/step.h"

/* address: what it returns to; where a signal has interrupted it: one more. */
struct ct_stack_place {
	uintptr_t address;
	struct ct_module *module; /* NULL: code of no file */
	uintptr_t function;       /* where it begins; 0 not known */
	struct ct_stack_step step;
};

/* Holds for the generation of modules; but of code of no file, which may be another one at any
 * time, it holds only now. The lock is not held. */
struct ct_stack_place ct_place_of(uintptr_t address);

void ct_places_forget(void);

#endif
