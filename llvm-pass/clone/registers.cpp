/* SPDX-License-Identifier: Apache-2.0 */
/* How many registers an instrumented kernel may have. */
#include "llvm-pass/clone/registers.h"
#include "llvm-pass/base/compat.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Instructions beyond which telling takes longer than it may.
static const unsigned LivenessLimit = 20000;
/// Recording itself keeps so many alive.
static const unsigned Ours = 14;
/// By bench/trace-cost on an H200 (docs/validation.md). With less the slow path
/// spills more than the warps gained are worth, with more there are too few
/// warps. What a kernel without a loop costs is to begin and to end, where
/// warps wait for memory.
static const unsigned Least = 40, LeastWithoutLoop = 32;
/// Recording keeps so many alive besides, where loaded values are looked at:
/// with less they are spilled first, and the warp waits for them there.
static const unsigned ForValues = 8;
/// A clone that may have any block size cannot have more. This is its bound
/// then: without one ptxas gave such a clone of a kernel that takes 134 as few
/// as 32, and spilled for a minute. What needs more and has launch bounds keeps
/// what they give it. The order of the IR may hold more values than the machine
/// code's, so pressures beyond this say little.
static const unsigned Most = 64;

namespace {

/// Values of a function that need registers, numbered, and where they are
/// alive.
class Liveness {
public:
  explicit Liveness(const Function &F)
      : Layout(F.getParent()->getDataLayout()) {
    for (const BasicBlock &BB : F)
      for (const Instruction &I : BB)
        if (unsigned W = weight(I)) {
          Number[&I] = Weights.size();
          Weights.push_back(W);
        }
    solve(F);
  }

  unsigned most(const Function &F) {
    unsigned Most = 0;
    for (const BasicBlock &BB : F)
      walk(BB, [&](unsigned Alive) { Most = std::max(Most, Alive); });
    return Most;
  }

private:
  const DataLayout &Layout;
  DenseMap<const Value *, unsigned> Number;
  SmallVector<unsigned, 64> Weights;
  DenseMap<const BasicBlock *, BitVector>
      In; // at the block's first instruction that is no phi

  /// Rather computed anew from its operands than kept.
  static bool isCheap(const Value *V) {
    return isa<CastInst>(V) || isa<GetElementPtrInst>(V);
  }

  /// Predicates have registers of their own; variables are in memory.
  unsigned weight(const Instruction &I) const {
    Type *T = I.getType();
    if (!T->isSized() || T->isIntOrIntVectorTy(1) || isa<AllocaInst>(I) ||
        isCheap(&I))
      return 0;
    return divideCeil(Layout.getTypeSizeInBits(T).getFixedValue(), 32);
  }

  /// The values that must be alive for V to be used, which are not; returns
  /// what they weigh.
  unsigned add(BitVector &Alive, const Value *V) const {
    unsigned Sum = 0;
    if (isCheap(V))
      for (const Value *Operand : cast<User>(V)->operands())
        Sum += add(Alive, Operand);
    auto Known = Number.find(V);
    if (Known == Number.end() || Alive.test(Known->second))
      return Sum;
    Alive.set(Known->second);
    return Sum + Weights[Known->second];
  }

  BitVector out(const BasicBlock &BB) const {
    BitVector Alive(Weights.size());
    for (const BasicBlock *Next : successors(&BB)) {
      auto Known = In.find(Next);
      if (Known != In.end())
        Alive |= Known->second;
      for (const PHINode &Phi : Next->phis()) {
        auto Own = Number.find(&Phi);
        if (Own != Number.end())
          Alive.reset(Own->second);
        add(Alive, Phi.getIncomingValueForBlock(&BB));
      }
    }
    return Alive;
  }

  template <typename See> BitVector walk(const BasicBlock &BB, See Seen) const {
    BitVector Alive = out(BB);
    unsigned Sum = 0;
    for (unsigned I : Alive.set_bits())
      Sum += Weights[I];
    Seen(Sum);
    for (const Instruction &I : reverse(BB)) {
      if (isa<PHINode>(I))
        break;
      auto Own = Number.find(&I);
      if (Own != Number.end() && Alive.test(Own->second)) {
        Alive.reset(Own->second);
        Sum -= Weights[Own->second];
      }
      if (isCheap(&I))
        continue;
      for (const Value *Operand : I.operands())
        Sum += add(Alive, Operand);
      Seen(Sum);
    }
    return Alive;
  }

  void solve(const Function &F) {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const BasicBlock *BB : post_order(&F)) {
        BitVector Alive = walk(*BB, [](unsigned) {});
        BitVector &Known = In[BB];
        if (Known == Alive)
          continue;
        Known = std::move(Alive);
        Changed = true;
      }
    }
  }
};

} // namespace

unsigned ct::registerPressure(const Function &F) {
  if (F.isDeclaration() || F.getInstructionCount() > LivenessLimit)
    return 0;
  return Liveness(F).most(F);
}

static bool callsFunctions(const Function &F) {
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB)
      if (auto *Call = dyn_cast<CallBase>(&I); Call && !Call->isInlineAsm()) {
        const Function *Callee = Call->getCalledFunction();
        if (!Callee || !Callee->isIntrinsic())
          return true;
      }
  return false;
}

void ct::limitRegisters(const Function &Kernel, Function &Clone,
                        bool WithValues) {
  if (compat::hasRegisterBound(Kernel) || callsFunctions(Kernel))
    return;
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> BackEdges;
  FindFunctionBackedges(Kernel, BackEdges);
  unsigned Pressure = registerPressure(Kernel);
  unsigned Need =
      std::max(Pressure + Ours, BackEdges.empty() ? LeastWithoutLoop : Least);
  unsigned Budget = alignTo(Need + (WithValues ? ForValues : 0), 8);
  if (Pressure && Budget < Most)
    compat::setMaxRegisters(Clone, Budget);
  else if (!compat::hasThreadBound(Kernel))
    compat::setMaxRegisters(Clone, Most);
}
