/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops have accesses that one hook can stand for. */
#include "llvm-pass/clone/loop_accesses.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cudatrace/record.h>

using namespace llvm;

/// Fewer accesses are not worth a hook of their own.
static const unsigned FewAccesses = 16;

/// A barrier of all threads of the CTA.
static bool isFullBarrier(const IntrinsicInst &Call) {
  StringRef Name = Call.getCalledFunction()->getName();
  return Name.starts_with("llvm.nvvm.barrier0") ||
         (Name.starts_with("llvm.nvvm.barrier.cta.") && Name.contains(".all"));
}

/// True for assembly that may need other threads, or end this one.
static bool needsOthers(const CallBase &Call) {
  StringRef Text = cast<InlineAsm>(Call.getCalledOperand())->getAsmString();
  return any_of(ArrayRef<StringRef>{"shfl", "vote", "match", "redux",
                                    "activemask", "elect", "bar", "mma", "exit",
                                    "trap", "brkpt"},
                [&](StringRef Word) { return Text.contains(Word); });
}

/// True for what does the same in a copy of the loop that whole warps run, and
/// lets the loop go on.
static bool mayBeCopied(const Instruction &I) {
  if (I.isAtomic() || isa<FenceInst>(I))
    return false;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return true;
  auto *Intrinsic = dyn_cast<IntrinsicInst>(Call);
  if (Intrinsic &&
      (Intrinsic->isAssumeLikeIntrinsic() || isFullBarrier(*Intrinsic)))
    return true;
  if (!Intrinsic && !isa<InlineAsm>(Call->getCalledOperand()))
    return false;
  if (Call->mayReadOrWriteMemory() || Call->mayHaveSideEffects())
    return false;
  // Clang calls all assembly convergent, be it a conversion or a shuffle.
  return Intrinsic ? !Intrinsic->isConvergent() : !needsOthers(*Call);
}

MapVector<Loop *, ct::LoopAccesses>
ct::loopsWithAccesses(const TracedFunction &F, const LoopInfo &LI) {
  MapVector<Loop *, LoopAccesses> Found;
  for (size_t I = 0; I < F.Sites.size(); I++) {
    const Site &S = F.Sites[I];
    if (!S.isRecorded())
      continue;
    Loop *L = LI.getLoopFor(F.inClone(S).getParent());
    if (!L || !L->isInnermost())
      continue;
    LoopAccesses &A = Found[L];
    A.First = A.Count ? A.First : I;
    A.Plain &= S.isPlain() && I == A.First + A.Count;
    A.Count++;
  }
  return Found;
}

bool ct::mayRunAtOnce(const TracedFunction &F, const Loop &L,
                      const LoopAccesses &A, const DominatorTree &DT,
                      ScalarEvolution &SE) {
  BasicBlock *Latch = L.getLoopLatch();
  if (A.Count > CT_LOOP_SITES ||
      F.FirstSite + A.First + A.Count > CT_SITE_EXTENDED || !Latch ||
      L.getExitingBlock() != Latch || !L.getExitBlock() ||
      !isa_and_nonnull<BranchInst>(Latch->getTerminator()) ||
      !L.getLoopPredecessor())
    return false;
  for (size_t I = 0; I < A.Count; I++)
    if (!DT.dominates(F.inClone(F.Sites[A.First + I]).getParent(), Latch))
      return false;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (!mayBeCopied(I))
        return false;
  unsigned Most = SE.getSmallConstantMaxTripCount(&L);
  return !Most || Most * A.Count >= FewAccesses;
}
