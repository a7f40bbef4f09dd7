/* SPDX-License-Identifier: Apache-2.0 */
/* The call instruction before a return address. */
#ifndef CT_UNWIND_CALLSITE_H
#define CT_UNWIND_CALLSITE_H

#include "unwind/modules.h"
#include <stdbool.h>
#include <stdint.h>

enum ct_callsite { CT_CALLSITE_NONE, CT_CALLSITE_INDIRECT, CT_CALLSITE_DIRECT };

#define CT_CALLSITE_BYTES 8u /* before the address, that are looked at */

/* Classifies the code before address, which can be read; *target: what a direct call calls. */
enum ct_callsite ct_callsite_of(uintptr_t address, uintptr_t *target);

/* Follows the code of the module at target: where it jumps through an entry of the linkage table,
 * returns what stands in that; else target itself. */
uintptr_t ct_callsite_resolve(uintptr_t target, const struct ct_module *module);

#endif
