/* SPDX-License-Identifier: Apache-2.0 */
/* Static device variables of relocatable device code. */
#ifndef CT_PASS_STATICS_H
#define CT_PASS_STATICS_H

#include "llvm/IR/PassManager.h"

namespace ct {

/// Ahead of all optimisation. With -fgpu-rdc clang gives a static device
/// variable that host code uses a name of its own ("v__static__<hash>"), but
/// learns of that use too late for the kernels ahead of it: these name an "v"
/// that nobody defines. Both are one.
struct JoinStaticsPass : llvm::PassInfoMixin<JoinStaticsPass> {
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace ct
#endif
