/* SPDX-License-Identifier: Apache-2.0 */
/* The module becomes one of the new target. */
#ifndef CT_CPU_TARGET_RETARGET_UNIT_TARGET_H
#define CT_CPU_TARGET_RETARGET_UNIT_TARGET_H

#include "cpu-target/retarget/unit/unit.h"
#include "llvm/Target/TargetMachine.h"

namespace ct {

/// Triple, data layout and metadata of the new target; finds the kernels.
void adoptTarget(Unit &U, llvm::TargetMachine &TM);

/// Bring in the device runtime. Returns false after reporting an error.
bool linkDeviceRuntime(Unit &U, llvm::StringRef Path, llvm::TargetMachine &TM);

/// Drop what only held on NVPTX.
void cleanAttributes(Unit &U, llvm::StringRef CPU);

} // namespace ct

#endif
