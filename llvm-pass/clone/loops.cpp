/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose accesses are known when they are entered. */
#include "llvm-pass/clone/loops.h"
#include "llvm-pass/addresses/addresses.h"
#include "llvm-pass/addresses/iterations.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/clone/loop_accesses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <cudatrace/record.h>

using namespace llvm;
using ct::Polynomial;

namespace {

struct SiteAddress {
  Polynomial Start, Step;
};

class LoopCopier {
public:
  LoopCopier(const ct::TracedFunction &F, const ct::Hooks &H,
             const ct::FunctionAnalyses &Known)
      : F(F), H(H), DT(Known.Dominators), LI(Known.Loops), SE(Known.SE),
        TTI(Known.Costs), B(F.Clone->getContext()) {}

  SmallSet<size_t, 8> run() {
    SmallSet<size_t, 8> Sites;
    MapVector<Loop *, ct::LoopAccesses> Found = ct::loopsWithAccesses(F, LI);
    for (auto &[L, Accesses] : Found)
      if (Accesses.Count <= CT_LOOP_SITES)
        MostSites = std::max(MostSites, Accesses.Count);
    for (auto &[L, Accesses] : Found)
      if (Accesses.Plain && ct::mayRunAtOnce(F, *L, Accesses, DT, SE) &&
          copy(*L, Accesses))
        for (size_t I = 0; I < Accesses.Count; I++)
          Sites.insert(Accesses.First + I);
    return Sites;
  }

private:
  const ct::TracedFunction &F;
  const ct::Hooks &H;
  DominatorTree &DT;
  LoopInfo &LI;
  ScalarEvolution &SE;
  TargetTransformInfo &TTI;
  ct::HookBuilder B;
  AllocaInst *Table = nullptr;
  size_t MostSites = 0; // of one loop

  bool addresses(ct::Addresses &Addresses, const ct::LoopAccesses &A,
                 std::vector<SiteAddress> &Found) {
    for (size_t I = 0; I < A.Count; I++) {
      const ct::Site &S = F.Sites[A.First + I];
      Polynomial P = Addresses.of(F.inClone(S.Pointer));
      P.add(Polynomial::constant(S.Offset));
      Found.emplace_back();
      if (!Addresses.split(P, Found.back().Start, Found.back().Step))
        return false;
    }
    return true;
  }

  static SmallSetVector<unsigned, 8> atoms(ArrayRef<SiteAddress> Found) {
    SmallSetVector<unsigned, 8> Used;
    for (const SiteAddress &A : Found)
      for (const Polynomial *P : {&A.Start, &A.Step})
        for (auto &[Product, Coefficient] : P->terms())
          Used.insert(Product.begin(), Product.end());
    return Used;
  }

  bool copy(Loop &L, const ct::LoopAccesses &A) {
    ct::Addresses Addresses(LI, SE, &L);
    std::vector<SiteAddress> Found;
    ct::Iterations Iterations(L, SE);
    SCEVExpander Expander = ct::compat::makeExpander(SE, "ct.loop");
    Instruction *End = L.getLoopPredecessor()->getTerminator();
    if (!addresses(Addresses, A, Found) ||
        !Iterations.isKnown(Expander, TTI, End))
      return false;
    SmallSetVector<unsigned, 8> Used = atoms(Found);
    for (unsigned N : Used)
      for (const SCEV *S : {Addresses.atom(N).Start, Addresses.atom(N).Step})
        if (S && !Expander.isSafeToExpandAt(S, End))
          return false;

    End = normalise(L)->getTerminator();
    Values.clear();
    for (unsigned N : Used)
      for (const SCEV *S : {Addresses.atom(N).Start, Addresses.atom(N).Step})
        if (S)
          Values[S] = Expander.expandCodeFor(S, S->getType(), End);
    B.setPosition(End->getIterator(), L.getStartLoc());
    Value *Holds, *Count = Iterations.backEdges(Expander, B, End, Holds);
    Holds = staysAffine(Addresses, Used.getArrayRef(), Count, Holds);
    Value *Result = callIf(
        Holds, *End, [&] { return callHook(A, Addresses, Found, Count); });
    B.setPosition(End->getIterator(), L.getStartLoc());
    duplicate(L, *End->getParent(), *B.CreateIsNotNull(Result, "ct.done"));
    SE.forgetAllLoops(); // what was seen through the exit has two sources now
    return true;
  }

  /// With a preheader and an exit that only this loop takes; what is used
  /// behind it goes through that exit.
  BasicBlock *normalise(Loop &L) {
    if (!L.getLoopPreheader())
      InsertPreheaderForLoop(&L, &DT, &LI, nullptr, /*PreserveLCSSA=*/false);
    formDedicatedExitBlocks(&L, &DT, &LI, nullptr, /*PreserveLCSSA=*/false);
    formLCSSA(L, DT, &LI, &SE);
    return L.getLoopPreheader();
  }

  /// Returns the table of all loops: they do not run at the same time.
  AllocaInst *table() {
    if (!Table) {
      IRBuilder<> Entry(&*F.Clone->getEntryBlock().getFirstInsertionPt());
      Table = Entry.CreateAlloca(ArrayType::get(B.getInt64Ty(), 3 * MostSites),
                                 nullptr, "ct.table");
      Table->setAlignment(Align(8));
    }
    return Table;
  }

  /// In the preheader: expressions that no value of the function holds.
  std::map<const SCEV *, Value *> Values;
  Value *valueOf(const ct::Atom &A) const {
    return A.Start ? Values.at(A.Start) : A.V;
  }

  /// True if Already holds and no integer that the addresses depend on wraps
  /// within so many iterations; null if that is certain.
  Value *staysAffine(const ct::Addresses &Addresses, ArrayRef<unsigned> Used,
                     Value *BackEdges, Value *Already) {
    Value *Result = Already;
    for (unsigned N : Used) {
      const ct::Atom &A = Addresses.atom(N);
      if (!A.Step)
        continue;
      Value *Fits = ct::doesNotWrap(B, Values.at(A.Start), Values.at(A.Step),
                                    BackEdges, A.How == ct::Atom::Sign);
      Result = Result ? B.CreateAnd(Result, Fits) : Fits;
    }
    if (!Result)
      return nullptr;
    return B.CreateAnd(Result,
                       B.CreateICmpULT(BackEdges, B.getInt64(1ull << 32)));
  }

  /// The result of Call if Condition holds, else 0; ahead of Before.
  Value *callIf(Value *Condition, Instruction &Before,
                function_ref<Value *()> Call) {
    if (!Condition)
      return Call();
    BasicBlock *Head = Before.getParent();
    DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
    Instruction *Then = SplitBlockAndInsertIfThen(
        Condition, Before.getIterator(),
        /*Unreachable=*/false, nullptr, &Updater, &LI);
    B.setPosition(Then->getIterator(), B.getCurrentDebugLocation());
    Value *Result = Call();
    B.SetInsertPoint(Before.getParent(), Before.getParent()->begin());
    PHINode *Phi = B.CreatePHI(Result->getType(), 2);
    Phi->addIncoming(Result, Then->getParent());
    Phi->addIncoming(Constant::getNullValue(Result->getType()), Head);
    return Phi;
  }

  Value *callHook(const ct::LoopAccesses &A, const ct::Addresses &Addresses,
                  ArrayRef<SiteAddress> Found, Value *BackEdges) {
    AllocaInst *Rows = table();
    auto Own = [this](const ct::Atom &A) { return valueOf(A); };
    unsigned Next = 0;
    auto Put = [&](Value *V) {
      B.CreateStore(V, B.CreateConstInBoundsGEP2_64(Rows->getAllocatedType(),
                                                    Rows, 0, Next++));
    };
    for (size_t I = 0; I < A.Count; I++) {
      Put(ct::buildPolynomial(B, Addresses, Found[I].Start, Own));
      Put(ct::buildPolynomial(B, Addresses, Found[I].Step, Own));
      Put(B.getInt64(F.Sites[A.First + I].Bytes));
    }
    Value *Iterations = B.CreateAdd(BackEdges, B.getInt64(1));
    return B.callHook(H.__ct_loop, {F.State, B.getInt64(F.site(A.First)),
                                    B.getInt32(A.Count), Iterations,
                                    B.CreatePtrToInt(Rows, B.getInt64Ty())});
  }

  void duplicate(Loop &L, BasicBlock &Check, Value &Done) {
    BasicBlock *Exit = L.getExitBlock(), *Latch = L.getLoopLatch();
    BasicBlock *Preheader = SplitBlock(&Check, Check.getTerminator(), &DT, &LI);
    ValueToValueMapTy Copies;
    SmallVector<BasicBlock *, 8> Blocks;
    Loop *Copy = cloneLoopWithPreheader(Preheader, &Check, &L, Copies, ".ct",
                                        &LI, &DT, Blocks);
    remapInstructionsInBlocks(Blocks, Copies);
    Instruction *End = Check.getTerminator();
    BranchInst::Create(Copy->getLoopPreheader(), Preheader, &Done,
                       End->getIterator());
    End->eraseFromParent();
    DT.changeImmediateDominator(Exit, &Check);
    for (PHINode &Phi : Exit->phis()) {
      Value *V = Phi.getIncomingValueForBlock(Latch), *Own = Copies.lookup(V);
      Phi.addIncoming(Own ? Own : V, cast<BasicBlock>(Copies.lookup(Latch)));
    }
  }
};

} // namespace

SmallSet<size_t, 8> ct::copyLoops(const TracedFunction &F, const Hooks &H,
                                  const FunctionAnalyses &Known) {
  return LoopCopier(F, H, Known).run();
}
