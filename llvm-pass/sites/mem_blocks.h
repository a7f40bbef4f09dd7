/* SPDX-License-Identifier: Apache-2.0 */
/* Copied and filled blocks of memory, as NVPTX code generation expands them. */
#ifndef CT_LLVM_PASS_SITES_MEM_BLOCKS_H
#define CT_LLVM_PASS_SITES_MEM_BLOCKS_H

#include "llvm-pass/sites/site.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"

namespace ct {

/// Turns long copies and fills, and those of unknown length, into loops.
struct ExpandBlocksPass : llvm::PassInfoMixin<ExpandBlocksPass> {
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// The scalar loads and stores that code generation makes of a short block,
/// which stays as it is until then. False if it is none.
bool addBlockSites(llvm::MemIntrinsic &Call, std::vector<Site> &Out);

} // namespace ct
#endif
