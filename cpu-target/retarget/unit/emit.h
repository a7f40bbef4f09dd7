/* SPDX-License-Identifier: Apache-2.0 */
/* The module becomes an object file. */
#ifndef CT_CPU_TARGET_RETARGET_UNIT_EMIT_H
#define CT_CPU_TARGET_RETARGET_UNIT_EMIT_H

#include "cpu-target/retarget/unit/unit.h"
#include "llvm/Target/TargetMachine.h"

namespace ct {

/// Optimise and write an object file. Returns false after reporting an error.
bool emitObject(Unit &U, llvm::TargetMachine &TM, unsigned Level,
                llvm::StringRef Output);

} // namespace ct

#endif
