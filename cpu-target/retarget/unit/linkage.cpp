/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a unit shares with others. With separate compilation (--rdc) functions
 * and variables that other units may use keep their linkage under a name that
 * host code cannot have, and the linker does what nvlink does; without, all is
 * internal.
 */
#include "cpu-target/retarget/unit/linkage.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace ct {

bool isLibraryFunction(StringRef Name) {
  return Name == "memcpy" || Name == "memmove" || Name == "memset";
}

bool isDynamicShared(const GlobalVariable &G) {
  const DataLayout &DL = G.getParent()->getDataLayout();
  return DL.getTypeAllocSize(G.getValueType()) == 0;
}

Function *runtimeFunction(Module &M, const Twine &Name) {
  SmallString<64> Buffer;
  return M.getFunction(Name.toStringRef(Buffer));
}

bool isHook(const Function &F) {
  static const StringSet<> Hooks = {
#define CT_DEVICE_HOOK(Name, Result, Parameters, Text) #Name,
#include <cudatrace/hooks.def>
#undef CT_DEVICE_HOOK
  };
  return Hooks.contains(F.getName());
}

bool isExported(const GlobalValue &G) {
  return G.getName().starts_with(ExportPrefix);
}

bool mayBeReplaced(const Function &F) {
  return isExported(F) && (F.isDeclaration() || F.isInterposable());
}

bool isRuntime(const Function &F) {
  return F.getName().starts_with(RuntimePrefix) ||
         F.hasFnAttribute(RuntimeAttribute);
}

static bool isForeign(const GlobalValue &G) {
  StringRef Name = G.getName();
  return G.hasLocalLinkage() || Name.starts_with(RuntimePrefix) ||
         Name.starts_with("llvm.");
}

static void exportValue(GlobalValue &G) {
  G.setName(ExportPrefix + G.getName());
  G.setVisibility(GlobalValue::HiddenVisibility);
  G.setDSOLocal(true);
  if (auto *Object = dyn_cast<GlobalObject>(&G))
    Object->setComdat(nullptr);
  if (G.hasCommonLinkage())
    G.setLinkage(GlobalValue::WeakAnyLinkage);
}

/// A function that the C library or the runtime has, under its own name.
static bool isProvided(const Unit &U, const Function &F) {
  return U.RuntimeImports.contains(F.getName()) || isHook(F) ||
         F.isIntrinsic() || isLibraryFunction(F.getName()) ||
         runtimeFunction(*const_cast<Module *>(F.getParent()),
                         FunctionPrefix + F.getName());
}

void exportSymbols(Unit &U) {
  if (!U.Separate)
    return;
  DenseSet<const Function *> Kernels(U.Kernels.begin(), U.Kernels.end());
  for (Function &F : U.M)
    if (!isForeign(F) && !isRuntime(F) && !Kernels.contains(&F) &&
        !(F.isDeclaration() && isProvided(U, F)))
      exportValue(F);
  for (GlobalVariable &G : U.M.globals())
    if (!isForeign(G) && !G.hasAppendingLinkage() &&
        !(G.getAddressSpace() == 3 && isDynamicShared(G)))
      exportValue(G);
  for (GlobalAlias &A : U.M.aliases())
    if (!isForeign(A))
      exportValue(A);
}

/// threadIdx and the like have no memory; unoptimised code passes their
/// addresses on, and never reads them.
void defineBuiltinVariables(Unit &U) {
  for (StringRef Name : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
    GlobalVariable *G = U.M.getNamedGlobal(Name);
    if (!G || !G->isDeclaration())
      continue;
    G->setInitializer(Constant::getNullValue(G->getValueType()));
    G->setLinkage(GlobalValue::PrivateLinkage);
  }
}

static void makeInternal(GlobalValue &G) {
  if (isExported(G) || G.isDeclaration() || G.hasAppendingLinkage())
    return;
  G.setLinkage(GlobalValue::InternalLinkage);
  G.setVisibility(GlobalValue::DefaultVisibility);
  if (auto *Object = dyn_cast<GlobalObject>(&G))
    Object->setComdat(nullptr);
}

void internalizeRest(Unit &U) {
  for (Function &F : U.M)
    if (!F.isIntrinsic())
      makeInternal(F);
  for (GlobalVariable &G : U.M.globals())
    makeInternal(G);
  for (GlobalAlias &A : U.M.aliases())
    makeInternal(A);
}

} // namespace ct
