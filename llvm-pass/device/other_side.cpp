/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the other side that code of both sides calls. */
#include "llvm-pass/device/other_side.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

bool ct::trapOtherSide(Module &M) {
  bool Changed = false;

  for (Function &F : M) {
    if (!F.isDeclaration() || !F.getName().starts_with("__ct_other_side_"))
      continue;
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "", &F));
    B.CreateIntrinsic(Intrinsic::trap, {});
    B.CreateUnreachable();
    F.setLinkage(GlobalValue::InternalLinkage);
    F.setVisibility(GlobalValue::DefaultVisibility);
    F.setDSOLocal(true);
    Changed = true;
  }
  return Changed;
}
