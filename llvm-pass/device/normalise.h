/* SPDX-License-Identifier: Apache-2.0 */
/* The form that code generation would give to memory accesses, ahead of it. */
#ifndef CT_LLVM_PASS_DEVICE_NORMALISE_H
#define CT_LLVM_PASS_DEVICE_NORMALISE_H

#include "llvm/IR/PassManager.h"

namespace ct {

/// Brings the memory accesses of a device module into the form in which code
/// generation would put them, so that what is recorded is what is executed.
void normaliseAccesses(llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
                       bool Optimise);

} // namespace ct
#endif
