/* SPDX-License-Identifier: Apache-2.0 */
/* Loops: what they access, and their copies. */
#include "llvm-pass/host/quiet_loops.h"
#include "llvm-pass/base/compat.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace {

constexpr unsigned MostInstructions = 4000; // of a loop that is copied
constexpr unsigned FewestTurns = 8; // fewer are not worth to be asked about
constexpr unsigned MostRanges = 8;  // to be compared ahead of a loop
/// Beyond these an address may wrap around.
constexpr uint64_t MostTurns = uint64_t(1) << 40;
constexpr uint64_t LongestStep = uint64_t(1) << 20;

/// Accesses that advance together: from Start + First to Start + End, and each
/// turn Step bytes further, which is the same in all turns.
struct Range {
  const SCEV *Start, *Step;
  int64_t First, End;
  bool IsLoad;
};

/// The ranges that a loop accesses.
class Ranges {
public:
  Ranges(ScalarEvolution &Evolution, const Loop &L)
      : Evolution(Evolution), L(L) {}
  /// False: it is not known ahead. What is stored to is best added first: who
  /// loads it, too, is no other range.
  bool add(const ct::AccessedBytes &Access);
  std::vector<Range> List;

private:
  ScalarEvolution &Evolution;
  const Loop &L;
};

} // namespace

bool Ranges::add(const ct::AccessedBytes &Access) {
  if (!Access.Pointer || !Access.Pointer->get()->getType()->isPointerTy())
    return false;
  const SCEV *Start = Evolution.getSCEV(Access.Pointer->get());
  const SCEV *Step =
      Evolution.getZero(Evolution.getEffectiveSCEVType(Start->getType()));
  if (auto *Advancing = dyn_cast<SCEVAddRecExpr>(Start)) {
    if (Advancing->getLoop() != &L || !Advancing->isAffine())
      return false;
    Step = Advancing->getStepRecurrence(Evolution);
    Start = Advancing->getStart();
  }
  if (!Evolution.isLoopInvariant(Start, &L) ||
      !Evolution.isLoopInvariant(Step, &L))
    return false;
  int64_t Bytes = static_cast<int64_t>(Access.Bytes);
  for (Range &R : List) {
    std::optional<APInt> Distance =
        R.Step == Step ? Evolution.computeConstantDifference(Start, R.Start)
                       : std::nullopt;
    if (!Distance || !Distance->isSignedIntN(32))
      continue;
    int64_t First = Distance->getSExtValue(), End = First + Bytes;
    bool IsIn = R.First <= First && End <= R.End;
    if (R.IsLoad != Access.IsLoad && !(Access.IsLoad && IsIn))
      continue;
    R.First = std::min(R.First, First);
    R.End = std::max(R.End, End);
    return true;
  }
  List.push_back({Start, Step, 0, Bytes, Access.IsLoad});
  return List.size() <= MostRanges;
}

ct::QuietLoops::QuietLoops(Function &F, FunctionAnalysisManager &FAM)
    : Loops(FAM.getResult<LoopAnalysis>(F)),
      Dominators(FAM.getResult<DominatorTreeAnalysis>(F)),
      Evolution(FAM.getResult<ScalarEvolutionAnalysis>(F)) {
  SmallVector<Loop *, 8> Outermost(Loops.begin(), Loops.end());
  for (Loop *L : Outermost)
    simplifyLoop(L, &Dominators, &Loops, &Evolution, nullptr, nullptr,
                 /*PreserveLCSSA=*/false);
}

bool ct::QuietLoops::isWorthwhile(const Loop &L) const {
  size_t Instructions = 0;
  for (const BasicBlock *Block : L.blocks())
    Instructions += Block->size();
  if (Instructions > MostInstructions || !L.isSafeToClone())
    return false;
  unsigned Turns = Evolution.getSmallConstantMaxTripCount(&L);
  return !L.isInnermost() || Turns == 0 || Turns >= FewestTurns;
}

namespace {

/// The addresses of a range, ahead of its loop.
struct LoopBytes {
  Value *First, *End;
  bool IsLoad;
};

} // namespace

/// Ahead of Before: IsApart, or no page of what is accessed has something
/// armed. IsKnown: the addresses have not wrapped around.
static Value *askForPages(Instruction *Before, Value *IsApart, Value *IsKnown,
                          ArrayRef<LoopBytes> Accessed, DomTreeUpdater &Updater,
                          LoopInfo &Loops) {
  IRBuilder<> B(Before);
  Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
  FunctionCallee Hook = Before->getModule()->getOrInsertFunction(
      "__ct_use_is_apart", FunctionType::get(I32, {I64, I64, I32}, false));
  BasicBlock *Head = Before->getParent();
  Instruction *Then = SplitBlockAndInsertIfThen(
      B.CreateNot(IsApart), Before->getIterator(), /*Unreachable=*/false,
      /*BranchWeights=*/nullptr, &Updater, &Loops);
  B.SetInsertPoint(Then);
  Value *All = IsKnown;
  for (const LoopBytes &R : Accessed) {
    CallInst *Apart =
        B.CreateCall(Hook, {R.First, R.End, B.getInt32(R.IsLoad)});
    Apart->addFnAttr(Attribute::NoUnwind);
    All = B.CreateAnd(All, B.CreateICmpNE(Apart, B.getInt32(0)));
  }
  B.SetInsertPoint(Before);
  PHINode *Result = B.CreatePHI(B.getInt1Ty(), 2);
  Result->addIncoming(B.getTrue(), Head);
  Result->addIncoming(All, Then->getParent());
  return Result;
}

/// Ahead of L, a value that is true if none of its accesses can touch what is
/// armed; null: that is not known before the accesses are made.
Value *ct::QuietLoops::isApart(Loop &L, ArrayRef<AccessedBytes> Accesses,
                               const LoopBounds &Bounds) {
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  Ranges Accessed(Evolution, L);
  const SCEV *Turns = Evolution.getSymbolicMaxBackedgeTakenCount(&L);
  SCEVExpander Expander = compat::makeExpander(Evolution, "ct.turns");
  if (isa<SCEVCouldNotCompute>(Turns) || !Turns->getType()->isIntegerTy() ||
      Turns->getType()->getIntegerBitWidth() > 64 ||
      !Expander.isSafeToExpandAt(Turns, Before))
    return nullptr;
  for (bool OfLoads : {false, true})
    for (const AccessedBytes &Access : Accesses)
      if (Access.IsLoad == OfLoads && !Accessed.add(Access))
        return nullptr;
  for (const Range &R : Accessed.List)
    if (!Expander.isSafeToExpandAt(R.Start, Before) ||
        !Expander.isSafeToExpandAt(R.Step, Before))
      return nullptr;

  IRBuilder<> B(Before);
  Type *I64 = B.getInt64Ty();
  Value *Count = B.CreateZExt(
      Expander.expandCodeFor(Turns, Turns->getType(), Before), I64);
  Value *IsKnown = B.CreateICmpULT(Count, B.getInt64(MostTurns));
  Value *Apart = B.getTrue();
  SmallVector<LoopBytes, MostRanges> Bytes;
  for (const Range &R : Accessed.List) {
    const ArmedBounds &Armed = R.IsLoad ? Bounds.OfLoads : Bounds.OfAll;
    Value *Start = B.CreatePtrToInt(
        Expander.expandCodeFor(R.Start, R.Start->getType(), Before), I64);
    Value *Step = Expander.expandCodeFor(R.Step, R.Step->getType(), Before);
    Value *IsBack = B.CreateICmpSLT(Step, B.getInt64(0));
    Value *Last = B.CreateAdd(Start, B.CreateMul(Count, Step));
    Value *First = B.CreateAdd(B.CreateSelect(IsBack, Last, Start),
                               B.getInt64(uint64_t(R.First)));
    Value *End = B.CreateAdd(B.CreateSelect(IsBack, Start, Last),
                             B.getInt64(uint64_t(R.End)));
    Value *High = B.CreateAdd(Armed.Low, Armed.Span);
    IsKnown = B.CreateAnd(
        IsKnown, B.CreateICmpULT(B.CreateAdd(Step, B.getInt64(LongestStep)),
                                 B.getInt64(2 * LongestStep)));
    Apart = B.CreateAnd(Apart, B.CreateOr(B.CreateICmpULE(End, Armed.Low),
                                          B.CreateICmpUGE(First, High)));
    Bytes.push_back({First, End, R.IsLoad});
  }
  Apart = B.CreateAnd(Apart, IsKnown);
  DomTreeUpdater Updater(Dominators, DomTreeUpdater::UpdateStrategy::Eager);
  return askForPages(Before, Apart, IsKnown, Bytes, Updater, Loops);
}

/// Blocks behind a loop are reached by its copy, too.
static void joinExits(Loop &L, const ValueToValueMapTy &Copies,
                      ScalarEvolution &Evolution) {
  SmallVector<BasicBlock *, 8> Exits;
  L.getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis()) {
      Evolution.forgetLcssaPhiWithNewPredecessor(&L, &Phi);
      for (unsigned I = 0, E = Phi.getNumIncomingValues(); I < E; I++) {
        Value *Copy = Copies.lookup(Phi.getIncomingValue(I));
        Value *From = Copies.lookup(Phi.getIncomingBlock(I));
        if (From)
          Phi.addIncoming(Copy ? Copy : Phi.getIncomingValue(I),
                          cast<BasicBlock>(From));
      }
    }
}

/// Blocks that only the loop led to are now dominated by the place that
/// chooses.
static void liftDominated(DominatorTree &Dominators, const Loop &L,
                          BasicBlock *Choice) {
  SmallVector<BasicBlock *, 8> Lifted;
  for (BasicBlock *Block : L.blocks())
    for (DomTreeNode *Node : Dominators.getNode(Block)->children())
      if (!L.contains(Node->getBlock()))
        Lifted.push_back(Node->getBlock());
  for (BasicBlock *Block : Lifted)
    Dominators.changeImmediateDominator(Block, Choice);
}

/// IsQuiet makes its value in the loop's preheader; null: leave it.
bool ct::QuietLoops::copy(Loop &L, function_ref<Value *()> IsQuiet) {
  if (!L.isLoopSimplifyForm())
    return false;
  formLCSSARecursively(L, Dominators, &Loops, &Evolution);
  Value *Quiet = IsQuiet();
  if (!Quiet)
    return false;
  BasicBlock *Choice = L.getLoopPreheader();
  BasicBlock *Loud = SplitBlock(Choice, Choice->getTerminator()->getIterator(),
                                &Dominators, &Loops);
  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *, 16> Blocks;
  Loop *Copy = cloneLoopWithPreheader(Loud, Choice, &L, Copies, ".quiet",
                                      &Loops, &Dominators, Blocks);
  remapInstructionsInBlocks(Blocks, Copies);
  Instruction *End = Choice->getTerminator();
  IRBuilder<> B(End);
  B.CreateCondBr(Quiet, Copy->getLoopPreheader(), Loud,
                 MDBuilder(B.getContext()).createLikelyBranchWeights());
  End->eraseFromParent();
  joinExits(L, Copies, Evolution);
  liftDominated(Dominators, L, Choice);
  Evolution.forgetTopmostLoop(&L);
  Evolution.forgetBlockAndLoopDispositions();
  return true;
}

void ct::QuietLoops::split(Loop &L, ArrayRef<AccessedBytes> Accesses,
                           const LoopBounds &Bounds) {
  // Ranges that loads count for are armed for all.
  const ArmedBounds &Widest = Bounds.OfAll.Span ? Bounds.OfAll : Bounds.OfLoads;
  auto IsUnarmed = [&]() -> Value * {
    IRBuilder<> B(L.getLoopPreheader()->getTerminator());
    return B.CreateICmpEQ(Widest.Span, B.getInt64(0));
  };
  if (L.isInnermost()) {
    if (isWorthwhile(L))
      copy(L, [&] {
        Value *Apart = isApart(L, Accesses, Bounds);
        return Apart ? Apart : IsUnarmed();
      });
    return;
  }
  if (isWorthwhile(L))
    copy(L, IsUnarmed);
  for (Loop *Inner : L.getLoopsInPreorder()) {
    std::vector<AccessedBytes> Own;
    copy_if(Accesses, std::back_inserter(Own), [&](const AccessedBytes &A) {
      return Inner->contains(A.At->getParent());
    });
    if (Inner->isInnermost() && !Own.empty() && isWorthwhile(*Inner))
      copy(*Inner, [&] { return isApart(*Inner, Own, Bounds); });
  }
}
