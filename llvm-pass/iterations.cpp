/* SPDX-License-Identifier: Apache-2.0 */
/* How often a loop will run, computed when it is entered. */
#include "iterations.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

Value *ct::doesNotWrap(IRBuilder<> &B, Value *Start, Value *Step, Value *Times, bool Signed) {
  Type *I64 = B.getInt64Ty(), *Narrow = Start->getType();
  auto Extend = [&](Value *V) { return Signed ? B.CreateSExt(V, I64) : B.CreateZExt(V, I64); };
  Value *Last = B.CreateAdd(Extend(Start), B.CreateMul(B.CreateSExt(Step, I64), Times));
  return B.CreateICmpEQ(Last, Extend(B.CreateTrunc(Last, Narrow)));
}

ct::Iterations::Iterations(Loop &L, ScalarEvolution &SE)
    : L(L), Exact(SE.getBackedgeTakenCount(&L)) {
  if (isa<SCEVCouldNotCompute>(Exact)) {
    Exact = nullptr;
    readCondition(SE);
  }
}

/// Scalar evolution gives up where the variable might wrap and the loop go on
/// for ever, as in for (unsigned i = 0; i < n; i += 16).
void ct::Iterations::readCondition(ScalarEvolution &SE) {
  auto *Branch = dyn_cast<BranchInst>(L.getLoopLatch()->getTerminator());
  auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition())
                                                    : nullptr;
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy() ||
      Compare->getOperand(0)->getType()->getIntegerBitWidth() > 32)
    return;
  CmpInst::Predicate GoesOn = Branch->getSuccessor(0) == L.getHeader()
                                  ? Compare->getPredicate()
                                  : Compare->getInversePredicate();
  const SCEV *Left = SE.getSCEV(Compare->getOperand(0));
  const SCEV *Right = SE.getSCEV(Compare->getOperand(1));
  if (SE.isLoopInvariant(Left, &L)) {
    std::swap(Left, Right);
    GoesOn = CmpInst::getSwappedPredicate(GoesOn);
  }
  auto *Variable = dyn_cast<SCEVAddRecExpr>(Left);
  if (!Variable || Variable->getLoop() != &L || !Variable->isAffine() ||
      !SE.isLoopInvariant(Right, &L) ||
      (GoesOn != CmpInst::ICMP_ULT && GoesOn != CmpInst::ICMP_SLT))
    return;
  auto *By = dyn_cast<SCEVConstant>(Variable->getStepRecurrence(SE));
  if (!By || !By->getAPInt().isStrictlyPositive())
    return;
  Start = Variable->getStart();
  Bound = Right;
  Step = By;
  Signed = GoesOn == CmpInst::ICMP_SLT;
}

bool ct::Iterations::isKnown(SCEVExpander &Expander, const TargetTransformInfo &Costs,
                             Instruction *At) const {
  SmallVector<const SCEV *, 2> Needed;
  if (Exact)
    Needed = {Exact};
  else if (Start)
    Needed = {Start, Bound};
  return !Needed.empty() &&
         all_of(Needed, [&](const SCEV *S) { return Expander.isSafeToExpandAt(S, At); }) &&
         !Expander.isHighCostExpansion(Needed, &L, SCEVCheapExpansionBudget, &Costs, At);
}

Value *ct::Iterations::backEdges(SCEVExpander &Expander, IRBuilder<> &B, Instruction *At,
                                 Value *&Holds) const {
  auto Expand = [&](const SCEV *S) { return Expander.expandCodeFor(S, S->getType(), At); };
  Type *I64 = B.getInt64Ty();
  Holds = nullptr;
  if (Exact)
    return B.CreateZExtOrTrunc(Expand(Exact), I64);
  Value *First = Expand(Start), *End = Expand(Bound), *By = Expand(Step);
  Value *One = ConstantInt::get(First->getType(), 1);
  Value *Steps = B.CreateUDiv(B.CreateSub(B.CreateSub(End, First), One), By);
  Value *Again = Signed ? B.CreateICmpSLT(First, End) : B.CreateICmpULT(First, End);
  Value *Count = B.CreateSelect(Again, B.CreateAdd(B.CreateZExt(Steps, I64), B.getInt64(1)),
                                B.getInt64(0));
  Holds = doesNotWrap(B, First, By, Count, Signed);
  return Count;
}
