/* SPDX-License-Identifier: Apache-2.0 */
/* How often a loop will run, computed when it is entered. */
#include "llvm-pass/addresses/iterations.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// A budget of instructions: recording one access takes more than a division
/// does.
static const unsigned Budget = 32;

Value *ct::doesNotWrap(IRBuilder<> &B, Value *Start, Value *Step, Value *Times,
                       bool Signed) {
  Type *I64 = B.getInt64Ty(), *Narrow = Start->getType();
  auto Extend = [&](Value *V) {
    return Signed ? B.CreateSExt(V, I64) : B.CreateZExt(V, I64);
  };
  Value *Last =
      B.CreateAdd(Extend(Start), B.CreateMul(B.CreateSExt(Step, I64), Times));
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
/// for ever, as in for (unsigned i = 0; i < n; i += 16), or with the number of
/// threads as the step.
void ct::Iterations::readCondition(ScalarEvolution &SE) {
  auto *Branch = dyn_cast<BranchInst>(L.getLoopLatch()->getTerminator());
  auto *Compare = Branch && Branch->isConditional()
                      ? dyn_cast<ICmpInst>(Branch->getCondition())
                      : nullptr;
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy() ||
      Compare->getOperand(0)->getType()->getIntegerBitWidth() > 64)
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
  Start = Variable->getStart();
  Bound = Right;
  Step = Variable->getStepRecurrence(SE);
  Signed = GoesOn == CmpInst::ICMP_SLT;
}

bool ct::Iterations::isKnown(SCEVExpander &Expander,
                             const TargetTransformInfo &Costs,
                             Instruction *At) const {
  SmallVector<const SCEV *, 3> Needed;
  if (Exact)
    Needed = {Exact};
  else if (Start)
    Needed = {Start, Bound, Step};
  return !Needed.empty() && all_of(Needed, [&](const SCEV *S) {
    return Expander.isSafeToExpandAt(S, At);
  }) && !Expander.isHighCostExpansion(Needed, &L, Budget, &Costs, At);
}

Value *ct::Iterations::backEdges(SCEVExpander &Expander, IRBuilder<> &B,
                                 Instruction *At, Value *&Holds) const {
  auto Expand = [&](const SCEV *S) {
    return Expander.expandCodeFor(S, S->getType(), At);
  };
  Type *I64 = B.getInt64Ty();
  Holds = nullptr;
  if (Exact)
    return B.CreateZExtOrTrunc(Expand(Exact), I64);
  Value *First = Expand(Start), *End = Expand(Bound), *By = Expand(Step);
  Type *Own = First->getType();
  Value *Zero = ConstantInt::get(Own, 0), *One = ConstantInt::get(Own, 1);
  Value *Grows = B.CreateICmpSGT(By, Zero);
  Value *Steps = B.CreateUDiv(B.CreateSub(B.CreateSub(End, First), One),
                              B.CreateSelect(Grows, By, One));
  Value *Again =
      Signed ? B.CreateICmpSLT(First, End) : B.CreateICmpULT(First, End);
  // The value that ends the loop is at most this.
  Value *Most = B.CreateAdd(End, B.CreateSub(By, One));
  Value *Fits =
      Signed ? B.CreateICmpSGE(Most, End) : B.CreateICmpUGE(Most, End);
  Holds = B.CreateAnd(Grows, Fits);
  Value *Count = B.CreateAdd(B.CreateZExtOrTrunc(Steps, I64), B.getInt64(1));
  return B.CreateSelect(Again, Count, B.getInt64(0));
}
