/* SPDX-License-Identifier: Apache-2.0 */
/* Knows what clang makes of static variables and kernels of others in
 * relocatable device code. */
#include "llvm-pass/base/statics.h"
#include "llvm-pass/base/compat.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

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

/// Clang calls this for a launch, a function of cuda_device_runtime_api.h that
/// has a mangled name where it is static there, and what that calls; the kernel
/// is their first argument.
static bool launches(const Function &F) {
  StringRef Name = F.getName();
  if (Name.starts_with("_ZL16cudaLaunchDevicePv") ||
      Name.starts_with("_ZL21cudaLaunchDevice_ptszPv"))
    return true;
  return is_contained({"cudaLaunchDevice", "cudaLaunchDevice_ptsz",
                       "__cudaCDP2LaunchDevice", "__cudaCDP2LaunchDevice_ptsz"},
                      Name);
}

/// Whether device code launches F, which is declared only.
static bool isLaunched(const Function &F) {
  for (const User *U : F.users()) {
    auto *Call = dyn_cast<CallBase>(U);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && launches(*Callee) && Call->arg_size() > 0 &&
        Call->getArgOperand(0) == &F)
      return true;
  }
  return false;
}

PreservedAnalyses ct::MarkForeignKernelsPass::run(Module &M,
                                                  ModuleAnalysisManager &) {
  bool Changed = false;
  if (!compat::targetTriple(M).isNVPTX())
    return PreservedAnalyses::all();
  for (Function &F : M)
    if (F.isDeclaration() && !F.isIntrinsic() && isLaunched(F)) {
      F.setCallingConv(CallingConv::PTX_Kernel);
      Changed = true;
    }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses ct::DropForeignKernelsPass::run(Module &M,
                                                  ModuleAnalysisManager &) {
  GlobalVariable *List =
      M.getGlobalVariable("__clang_gpu_used_external", /*AllowInternal=*/true);
  if (!compat::targetTriple(M).isNVPTX() || !List || !List->hasInitializer())
    return PreservedAnalyses::all();
  SmallVector<Constant *, 8> Kept;
  SmallVector<Function *, 8> Kernels;
  for (const Use &Entry : List->getInitializer()->operands()) {
    auto *Kernel =
        dyn_cast<Function>(cast<Constant>(Entry)->stripPointerCasts());
    if (Kernel && Kernel->isDeclaration())
      Kernels.push_back(Kernel);
    else
      Kept.push_back(cast<Constant>(Entry));
  }
  if (Kernels.empty())
    return PreservedAnalyses::all();
  removeFromUsedLists(M, [&](Constant *C) { return C == List; });
  if (!Kept.empty()) {
    auto *Type = ArrayType::get(Kept.front()->getType(), Kept.size());
    auto *Rest =
        new GlobalVariable(M, Type, List->isConstant(), List->getLinkage(),
                           ConstantArray::get(Type, Kept));
    Rest->takeName(List);
    appendToCompilerUsed(M, {Rest});
  }
  List->eraseFromParent();
  for (Function *Kernel : Kernels)
    if (Kernel->use_empty())
      Kernel->eraseFromParent();
  return PreservedAnalyses::none();
}
