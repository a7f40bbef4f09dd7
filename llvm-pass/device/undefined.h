/* SPDX-License-Identifier: Apache-2.0 */
/* Defines what is undefined in C++ as nvcc does. */
#ifndef CT_LLVM_PASS_DEVICE_UNDEFINED_H
#define CT_LLVM_PASS_DEVICE_UNDEFINED_H

#include "llvm/IR/PassManager.h"

namespace ct {

/// Ahead of all optimisation, what flags of clang cannot say
/// (docs/undefined.md). Always: a variable that a lane has not set may be
/// loaded, and products of __mul24 may overflow. With -ct-nvcc-values, which
/// cuda-trace-nvcc says: any bool but 0 is true; numbers become integers as
/// PTX's cvt makes them, to less than 32 bits by way of 32; what types report
/// aliases, which CopyFieldsPass has read, is dropped; and atomicCAS is
/// relaxed.
struct UndefinedPass : llvm::PassInfoMixin<UndefinedPass> {
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// After all of ours, with -ct-nvcc-values: relaxed exchanges of 16 bits become
/// PTX's. LLVM makes loops of exchanges of 32 bits of them.
void lowerShortExchanges(llvm::Module &M);

} // namespace ct
#endif
