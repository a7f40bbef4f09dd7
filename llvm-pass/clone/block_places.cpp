/* SPDX-License-Identifier: Apache-2.0 */
/* Where the executions of a block are counted, and how often each stands for.
 */
#include "llvm-pass/clone/block_places.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/clone/exits.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

/// More than a division or two are not worth it.
static const unsigned TimesBudget = 8;

bool ct::mayLeave(const Instruction &I) {
  if (isExit(I))
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<IntrinsicInst>(Call) || Call->isInlineAsm())
    return false;
  Function *Callee = Call->getCalledFunction();
  return !Callee || !Callee->getName().starts_with("__ct_block");
}

ct::BlockPlaces::BlockPlaces(Function &F, FunctionAnalysisManager &FAM)
    : DT(F), PDT(F), LI(DT), Assumptions(F),
      SE(F, FAM.getResult<TargetLibraryAnalysis>(F), Assumptions, DT, LI),
      Expander(compat::makeExpander(SE, "ct.times")),
      Costs(FAM.getResult<TargetIRAnalysis>(F)),
      Leaves(any_of(instructions(F), mayLeave)) {}

/// Left from one place, with a trip count that is known when it is entered.
bool ct::BlockPlaces::isRegular(const Loop &L) {
  auto [Entry, IsNew] = Known.insert({&L, false});
  if (!IsNew)
    return Entry->second;
  if (!L.getLoopLatch() || !L.getExitingBlock() || !L.getLoopPreheader() ||
      !SE.hasLoopInvariantBackedgeTakenCount(&L))
    return false;
  for (const BasicBlock *Block : L.blocks())
    if (any_of(*Block, mayLeave) ||
        isa<UnreachableInst>(Block->getTerminator()))
      return false;
  return Known[&L] = true;
}

/// How often a block runs while the loop does; null: not known.
const SCEV *ct::BlockPlaces::timesIn(Loop &L, const BasicBlock &Block) {
  if (!isRegular(L) || !DT.dominates(&Block, L.getLoopLatch()))
    return nullptr;
  Type *I64 = Type::getInt64Ty(Block.getContext());
  const SCEV *BackEdges = SE.getBackedgeTakenCount(&L);
  if (SE.getTypeSizeInBits(BackEdges->getType()) > 64)
    return nullptr;
  BackEdges = SE.getZeroExtendExpr(
      SE.getTruncateOrZeroExtend(BackEdges, BackEdges->getType()), I64);
  return DT.dominates(&Block, L.getExitingBlock())
             ? SE.getAddExpr(BackEdges, SE.getOne(I64))
             : BackEdges;
}

ct::BlockPlace ct::BlockPlaces::of(BasicBlock &Block) {
  BlockPlace Place = {&Block, nullptr, false};
  while (Loop *L = LI.getLoopFor(Place.At)) {
    const SCEV *Times = timesIn(*L, *Place.At);
    if (Times && Place.Times)
      Times = SE.isLoopInvariant(Place.Times, L)
                  ? SE.getMulExpr(Times, Place.Times)
                  : nullptr;
    Instruction *End = Times ? L->getLoopPreheader()->getTerminator() : nullptr;
    if (!Times || !Expander.isSafeToExpandAt(Times, End) ||
        Expander.isHighCostExpansion({Times}, L, TimesBudget, &Costs, End)) {
      Place.InLoop = true;
      break;
    }
    Place = {End->getParent(), Times, false};
  }
  return Place;
}

bool ct::BlockPlaces::areEqual(const BasicBlock &A, const BasicBlock &B) const {
  return !Leaves && DT.dominates(&A, &B) && PDT.dominates(&B, &A);
}

Value *ct::BlockPlaces::expand(const BlockPlace &Place) {
  return Expander.expandCodeFor(Place.Times, Place.Times->getType(),
                                Place.At->getTerminator());
}
