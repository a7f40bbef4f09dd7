/* SPDX-License-Identifier: Apache-2.0 */
/* Device code of which there is no other (without -fgpu-rdc). */
#ifndef CT_LLVM_PASS_DEVICE_WHOLE_H
#define CT_LLVM_PASS_DEVICE_WHOLE_H

#include "llvm/IR/PassManager.h"

namespace ct {

/// Ahead of all optimisation. No other unit defines what this one only
/// declares. Objects in shared memory that are declared with a size are defined
/// here, as nvcc does. Functions that no kernel reaches and that need a
/// function that is nowhere defined go: nvcc drops all that no kernel reaches,
/// and ptxas refuses these. Not relocatable: else nothing is done.
class WholeUnitPass : public llvm::PassInfoMixin<WholeUnitPass> {
public:
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace ct
#endif
