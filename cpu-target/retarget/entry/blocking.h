/* SPDX-License-Identifier: Apache-2.0 */
/* Where threads wait for each other. */
#ifndef CT_CPU_TARGET_RETARGET_ENTRY_BLOCKING_H
#define CT_CPU_TARGET_RETARGET_ENTRY_BLOCKING_H

#include "cpu-target/retarget/unit/unit.h"

namespace ct {

/// Insert yields where threads may wait for each other in loops.
void insertSpinYields(Unit &U);

/// Functions that may suspend the thread that calls them.
llvm::DenseSet<const llvm::Function *> findBlockingFunctions(const Unit &U);

} // namespace ct

#endif
