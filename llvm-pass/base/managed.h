/* SPDX-License-Identifier: Apache-2.0 */
/* Managed variables, which clang has for HIP alone: cuda-trace-nvcc's headers
 * make them device variables of the section "ct_managed", which clang reports
 * declarations, too.
 */
#ifndef CT_LLVM_PASS_BASE_MANAGED_H
#define CT_LLVM_PASS_BASE_MANAGED_H

#include "llvm/IR/PassManager.h"

namespace ct {

/// Ahead of all optimisation. On the device such a variable gets PTX's
/// attribute, and thus an address that is valid on both sides. On the host,
/// where clang has a shadow in its place that nothing may read, each use asks
/// once what that address is (cudaGetSymbolAddress), when it is made.
struct ManagedVariablesPass : llvm::PassInfoMixin<ManagedVariablesPass> {
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace ct
#endif
