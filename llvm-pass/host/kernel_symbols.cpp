/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels under their own names in host code. */
#include "llvm-pass/host/kernel_symbols.h"
#include "llvm-pass/host/offload_entries.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

static bool nameKernel(Value *Stub, Value *NameOfDevice) {
  auto *F = dyn_cast<Function>(Stub->stripPointerCasts());
  auto *Name = dyn_cast<GlobalVariable>(NameOfDevice->stripPointerCasts());
  if (!F || F->isDeclaration() || F->hasLocalLinkage() || !Name ||
      !Name->hasInitializer())
    return false;
  auto *Text = dyn_cast<ConstantDataSequential>(Name->getInitializer());
  if (!Text || !Text->isCString() ||
      F->getParent()->getNamedValue(Text->getAsCString()))
    return false;
  // Weak, so that symbolizers still find clang's name, by which stacks leave
  // such frames out.
  auto Linkage = F->hasLinkOnceLinkage()   ? GlobalValue::WeakODRLinkage
                 : F->hasExternalLinkage() ? GlobalValue::WeakAnyLinkage
                                           : F->getLinkage();
  auto *Alias =
      GlobalAlias::create(F->getValueType(), F->getAddressSpace(), Linkage,
                          Text->getAsCString(), F, F->getParent());
  Alias->setVisibility(F->getVisibility());
  Alias->setDSOLocal(F->isDSOLocal());
  return true;
}

bool ct::nameKernels(Module &M) {
  bool Changed = false;
  if (Function *Register = M.getFunction("__cudaRegisterFunction"))
    for (User *U : Register->users())
      if (auto *Call = dyn_cast<CallInst>(U))
        Changed |= nameKernel(Call->getArgOperand(1), Call->getArgOperand(2));
  for (const OffloadEntry &Entry : offloadEntries(M))
    if (Entry.Size == 0)
      Changed |= nameKernel(Entry.Address, Entry.Name);
  return Changed;
}
