/* SPDX-License-Identifier: Apache-2.0 */
/* Static device variables of relocatable device code. */
#include "llvm-pass/base/statics.h"
#include "llvm-pass/base/compat.h"
#include "llvm/IR/Module.h"

using namespace llvm;

PreservedAnalyses ct::JoinStaticsPass::run(Module &M, ModuleAnalysisManager &) {
  SmallVector<GlobalVariable *, 4> Joined;
  if (!compat::targetTriple(M).isNVPTX())
    return PreservedAnalyses::all();
  for (GlobalVariable &Definition : M.globals()) {
    size_t End = Definition.getName().rfind("__static__");
    GlobalVariable *Named =
        End == StringRef::npos || Definition.isDeclaration()
            ? nullptr
            : M.getGlobalVariable(Definition.getName().take_front(End));
    if (!Named || !Named->isDeclaration() ||
        Named->getType() != Definition.getType() || is_contained(Joined, Named))
      continue;
    Named->replaceAllUsesWith(&Definition);
    Joined.push_back(Named);
  }
  for (GlobalVariable *Named : Joined)
    Named->eraseFromParent();
  return Joined.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
