/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a device module and the device functions that they reach. */
#include "callgraph.h"
#include "compat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

Function *ct::directCallee(const CallBase &Call) {
  return dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
}

Function *ct::cloneableCallee(const CallBase &Call) {
  Function *Callee = directCallee(Call);
  if (!Callee || Callee->isDeclaration() || Callee->isVarArg() || compat::isKernel(*Callee) ||
      Callee->getFunctionType() != Call.getFunctionType())
    return nullptr;
  return Callee;
}

static void visitCallees(Function &F, function_ref<void(Function *)> Visit) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Callee = ct::cloneableCallee(*Call))
        Visit(Callee);
}

static void appendPostOrder(Function *F, SmallPtrSetImpl<Function *> &Seen,
                            SmallVectorImpl<Function *> &Order) {
  if (!Seen.insert(F).second)
    return;
  visitCallees(*F, [&](Function *Callee) { appendPostOrder(Callee, Seen, Order); });
  Order.push_back(F);
}

ct::CallGraph::CallGraph(Module &M) {
  SmallPtrSet<Function *, 32> Seen;
  SmallVector<Function *, 32> Order;

  for (Function &F : M)
    if (!F.isDeclaration() && compat::isKernel(F) && !F.getName().starts_with("__ct_"))
      Kernels.push_back(&F);
  for (Function *Kernel : Kernels)
    appendPostOrder(Kernel, Seen, Order);
  for (Function *F : reverse(Order))
    if (!compat::isKernel(*F))
      Functions.push_back(F);
}

SetVector<Function *> ct::CallGraph::reachableFrom(Function *F) const {
  SetVector<Function *> Reached;
  Reached.insert(F);
  for (unsigned I = 0; I < Reached.size(); I++)
    visitCallees(*Reached[I], [&](Function *Callee) { Reached.insert(Callee); });
  return Reached;
}

/// What the CUDA runtime provides: it touches no memory on the program's behalf.
static bool isRuntimeFunction(StringRef Name) {
  static const char *const Names[] = {"vprintf", "malloc", "free", "__assertfail",
                                      "__nvvm_reflect", "__cxa_pure_virtual"};
  return is_contained(Names, Name) || Name.starts_with("__nv_") || Name.starts_with("__ct_");
}

std::string ct::CallGraph::whyUnseen(const CallBase &Call) const {
  if (cloneableCallee(Call))
    return "";
  Function *Callee = directCallee(Call);
  if (!Callee)
    return "indirect call";
  if (isRuntimeFunction(Callee->getName()))
    return "";
  std::string Name = demangle(Callee->getName());
  if (Callee->isDeclaration())
    return "call of external device function " + Name + ", not compiled here";
  if (Callee->isVarArg())
    return "call of variadic device function " + Name;
  return "call of " + Name + " with another type than its own";
}
