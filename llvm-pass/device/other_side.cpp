/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the other side that code of both sides calls. */
#include "llvm-pass/device/other_side.h"
#include "llvm-pass/base/compat.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

bool ct::trapOtherSide(Module &M) {
  bool OnHost = !compat::targetTriple(M).isNVPTX(), Changed = false;

  for (Function &F : M) {
    if (!F.getName().starts_with("__ct_other_side_") ||
        (!OnHost && !F.isDeclaration()))
      continue;
    F.deleteBody();
    F.setComdat(nullptr);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "", &F));
    if (OnHost)
      B.CreateCall(M.getOrInsertFunction("exit", B.getVoidTy(), B.getInt32Ty()),
                   B.getInt32(1));
    else
      B.CreateIntrinsic(Intrinsic::trap, {});
    B.CreateUnreachable();
    F.setLinkage(GlobalValue::InternalLinkage);
    F.setVisibility(GlobalValue::DefaultVisibility);
    F.setDSOLocal(true);
    Changed = true;
  }
  return Changed;
}
