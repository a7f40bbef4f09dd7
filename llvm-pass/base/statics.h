/* SPDX-License-Identifier: Apache-2.0 */
/* Knows what clang makes of static variables and kernels of others in
 * relocatable device code. */
#ifndef CT_LLVM_PASS_BASE_STATICS_H
#define CT_LLVM_PASS_BASE_STATICS_H

#include "llvm/IR/PassManager.h"

namespace ct {

/// Ahead of all optimisation. With -fgpu-rdc clang gives a static device
/// variable that host code uses a name of its own ("v__static__<hash>"), but
/// learns of that use too late for the kernels ahead of it: these name an "v"
/// that is not defined. Both are one.
struct JoinStaticsPass : llvm::PassInfoMixin<JoinStaticsPass> {
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Ahead of all optimisation. With -fgpu-rdc clang lists what host code uses of
/// other units, so that the device linker finds it: kernels as device
/// functions, which the linker then refuses. Host code needs their stubs, and
/// so brings their units along.
struct DropForeignKernelsPass : llvm::PassInfoMixin<DropForeignKernelsPass> {
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Ahead of all optimisation. Kernels of other units that device code launches
/// are device functions to clang, and the device linker refuses them as well.
struct MarkForeignKernelsPass : llvm::PassInfoMixin<MarkForeignKernelsPass> {
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace ct
#endif
