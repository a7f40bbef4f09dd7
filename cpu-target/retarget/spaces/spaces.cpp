/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One address space: types, constants, globals, functions and instructions
 * lose their address spaces; a shared variable becomes an offset into the
 * shared memory of the block, computed where it is used.
 */
#include "cpu-target/retarget/spaces/spaces.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace ct {

void SpaceFlattener::replaceFunctionType(Function &F) {
  auto *FT = cast<FunctionType>(Types.map(F.getFunctionType()));
  if (FT == F.getFunctionType())
    return;
  std::string Name = F.getName().str();
  F.setName("");
  Function *New = Function::Create(FT, F.getLinkage(), 0, Name, F.getParent());
  New->copyAttributesFrom(&F);
  New->splice(New->begin(), &F);
  for (Argument &A : F.args()) {
    Argument *NewA = New->getArg(A.getArgNo());
    A.mutateType(NewA->getType());
    A.replaceAllUsesWith(NewA);
    NewA->takeName(&A);
  }
  F.mutateType(New->getType());
  F.replaceAllUsesWith(New);
  for (Function *&K : U.Kernels)
    if (K == &F)
      K = New;
  for (auto &Handle : U.Handles)
    if (Handle.second == &F)
      Handle.second = New;
  F.eraseFromParent();
  if (!New->isIntrinsic())
    return;
  if (auto Remangled = Intrinsic::remangleIntrinsicFunction(New)) {
    New->replaceAllUsesWith(*Remangled);
    New->eraseFromParent();
  }
}

void SpaceFlattener::rewriteTypes(Instruction &I) {
  I.mutateType(Types.map(I.getType()));
  if (auto *Alloca = dyn_cast<AllocaInst>(&I))
    Alloca->setAllocatedType(Types.map(Alloca->getAllocatedType()));
  if (auto *GEP = dyn_cast<GetElementPtrInst>(&I)) {
    GEP->setSourceElementType(Types.map(GEP->getSourceElementType()));
    GEP->setResultElementType(Types.map(GEP->getResultElementType()));
  }
  if (auto *Call = dyn_cast<CallBase>(&I))
    Call->mutateFunctionType(
        cast<FunctionType>(Types.map(Call->getFunctionType())));
}

/// A phi's operand is computed in its predecessor, and the same for every edge
/// from there.
void SpaceFlattener::rewritePhi(PHINode &Phi) {
  for (unsigned I = 0, E = Phi.getNumIncomingValues(); I < E; ++I) {
    auto *C = dyn_cast<Constant>(Phi.getIncomingValue(I));
    if (!C || !Constants.mustChange(C))
      continue;
    BasicBlock *From = Phi.getIncomingBlock(I);
    IRBuilder<> B(From->getTerminator());
    Value *V = Constants.materialize(C, B);
    for (unsigned J = I; J < E; ++J)
      if (Phi.getIncomingBlock(J) == From)
        Phi.setIncomingValue(J, V);
  }
}

void SpaceFlattener::rewriteOperands(Instruction &I) {
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return rewritePhi(*Phi);
  for (Use &Operand : I.operands()) {
    auto *C = dyn_cast<Constant>(Operand.get());
    if (!C || !Constants.mustChange(C))
      continue;
    IRBuilder<> B(&I);
    Operand.set(Constants.materialize(C, B));
  }
}

void SpaceFlattener::rewriteBody(Function &F) {
  SmallVector<Instruction *> Casts;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    rewriteTypes(I);
    rewriteOperands(I);
    if (isa<AddrSpaceCastInst>(I))
      Casts.push_back(&I);
  }
  for (Instruction *Cast : Casts) {
    Cast->replaceAllUsesWith(Cast->getOperand(0));
    Cast->eraseFromParent();
  }
}

void SpaceFlattener::run() {
  Constants.layOutGlobals();
  SmallVector<Function *> Functions;
  for (Function &F : U.M)
    Functions.push_back(&F);
  for (Function *F : Functions)
    replaceFunctionType(*F);
  for (Function &F : U.M)
    rewriteBody(F);
  Constants.eraseOldGlobals();
}

void flattenAddressSpaces(Unit &U) { SpaceFlattener(U).run(); }

} // namespace ct
