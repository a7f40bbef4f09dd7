/* SPDX-License-Identifier: Apache-2.0 */
/* Registers a unit with the runtime. */
#ifndef CT_CPU_TARGET_RETARGET_ENTRY_REGISTRATION_H
#define CT_CPU_TARGET_RETARGET_ENTRY_REGISTRATION_H

#include "cpu-target/retarget/unit/unit.h"

namespace ct {

/// Entry functions and the registration of the unit.
void emitEntries(Unit &U);

} // namespace ct

#endif
