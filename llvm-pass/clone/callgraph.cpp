/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a device module and the device functions that they reach. */
#include "llvm-pass/clone/callgraph.h"
#include "llvm-pass/base/compat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

Function *ct::directCallee(const CallBase &Call) {
  return dyn_cast<Function>(
      Call.getCalledOperand()->stripPointerCastsAndAliases());
}

Function *ct::cloneableCallee(const CallBase &Call) {
  Function *Callee = directCallee(Call);
  if (!Callee || Callee->isDeclaration() || Callee->isVarArg() ||
      compat::isKernel(*Callee) ||
      Callee->getFunctionType() != Call.getFunctionType())
    return nullptr;
  return Callee;
}

static bool isIndirect(const CallBase &Call) {
  return !ct::directCallee(Call) && !isa<InlineAsm>(Call.getCalledOperand()) &&
         !Call.getFunctionType()->isVarArg();
}

/// The CUDA runtime provides these: they touch no memory on the program's
/// behalf.
static bool isRuntimeFunction(StringRef Name) {
  static const char *const Names[] = {
      "vprintf",      "malloc",         "free",
      "__assertfail", "__nvvm_reflect", "__cxa_pure_virtual",
      "_Znwm",        "_Znam",          "_ZdlPv",
      "_ZdlPvm",      "_ZdaPv",         "_ZdaPvm"};
  return is_contained(Names, Name) || Name.starts_with("__nv_") ||
         Name.starts_with("__ct_") || Name.starts_with("cuda") ||
         Name.starts_with("__cuda");
}

bool ct::CallGraph::isExternal(const Function &F) const {
  return Relocatable && F.isDeclaration() && !F.isIntrinsic() &&
         !F.isVarArg() && !isRuntimeFunction(F.getName());
}

Function *ct::CallGraph::externalCallee(const CallBase &Call) const {
  Function *Callee = directCallee(Call);
  bool Callable = Callee && Callee->getFunctionType() == Call.getFunctionType();
  return Callable && isExternal(*Callee) ? Callee : nullptr;
}

ArrayRef<Function *>
ct::CallGraph::indirectTargets(const CallBase &Call) const {
  auto Known =
      isIndirect(Call) ? Pointed.find(Call.getFunctionType()) : Pointed.end();
  return Known == Pointed.end() ? ArrayRef<Function *>()
                                : ArrayRef(Known->second);
}

void ct::CallGraph::visitCallees(Function &F,
                                 function_ref<void(Function *)> Visit) const {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    if (Function *Callee = cloneableCallee(*Call))
      Visit(Callee);
    for (Function *Target : indirectTargets(*Call))
      if (!Target->isDeclaration())
        Visit(Target);
  }
}

void ct::CallGraph::appendPostOrder(Function *F,
                                    SmallPtrSetImpl<Function *> &Seen,
                                    SmallVectorImpl<Function *> &Order) const {
  if (!Seen.insert(F).second)
    return;
  visitCallees(*F,
               [&](Function *Callee) { appendPostOrder(Callee, Seen, Order); });
  Order.push_back(F);
}

/// One definition of the name in the whole program, which others may call.
static bool isExported(const Function &F) {
  return F.hasExternalLinkage() && !F.hasHiddenVisibility();
}

ct::CallGraph::CallGraph(Module &M, bool Relocatable)
    : Relocatable(Relocatable) {
  SmallPtrSet<Function *, 32> Seen;
  SmallVector<Function *, 32> Order;

  for (Function &F : M) {
    bool Ours = F.getName().starts_with("__ct_");
    bool Defined = !F.isDeclaration() && !Ours;
    if (Defined && compat::isKernel(F))
      Kernels.push_back(&F);
    else if ((Defined && !F.isVarArg()) || isExternal(F)) {
      if (F.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                            /*IgnoreAssumeLikeCalls=*/true,
                            /*IgnoreLLVMUsed=*/true))
        Pointed[F.getFunctionType()].push_back(&F);
      if (Defined && Relocatable && isExported(F) &&
          !isRuntimeFunction(F.getName()))
        Exported.push_back(&F);
    }
  }
  for (Function *Kernel : Kernels)
    appendPostOrder(Kernel, Seen, Order);
  for (Function *F : Exported)
    appendPostOrder(F, Seen, Order);
  for (Function *F : reverse(Order))
    if (!compat::isKernel(*F))
      Functions.push_back(F);
}

SetVector<Function *> ct::CallGraph::reachableFrom(Function *F) const {
  SetVector<Function *> Reached;
  Reached.insert(F);
  for (unsigned I = 0; I < Reached.size(); I++)
    visitCallees(*Reached[I],
                 [&](Function *Callee) { Reached.insert(Callee); });
  return Reached;
}

bool ct::CallGraph::reachesOthers(Function *F) const {
  return Relocatable && any_of(reachableFrom(F), [this](Function *Reached) {
           return any_of(instructions(*Reached), [this](Instruction &I) {
             auto *Call = dyn_cast<CallBase>(&I);
             return Call && (isIndirect(*Call) || externalCallee(*Call));
           });
         });
}

std::string ct::CallGraph::whyUnseen(const CallBase &Call) const {
  if (cloneableCallee(Call) || externalCallee(Call))
    return "";
  Function *Callee = directCallee(Call);
  if (!Callee && Relocatable)
    return "indirect call: functions of other units that it may reach are not "
           "recorded";
  if (!Callee)
    return indirectTargets(Call).empty()
               ? "indirect call of a function that is not in this module"
               : "";
  if (isRuntimeFunction(Callee->getName()))
    return "";
  std::string Name = demangle(Callee->getName());
  if (Callee->isDeclaration())
    return "call of external device function " + Name + ", not compiled here";
  if (Callee->isVarArg())
    return "call of variadic device function " + Name;
  return "call of " + Name + " with another type than its own";
}
