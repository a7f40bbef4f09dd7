/* SPDX-License-Identifier: Apache-2.0 */
/* The function through which the runtime runs a kernel. */
#ifndef CT_CPU_TARGET_RETARGET_ENTRY_ENTRY_H
#define CT_CPU_TARGET_RETARGET_ENTRY_ENTRY_H

#include "cpu-target/retarget/unit/unit.h"

namespace ct {

/// The function through which the runtime runs a kernel.
llvm::Function *buildEntry(llvm::Function &Kernel, bool Blocks);

} // namespace ct

#endif
