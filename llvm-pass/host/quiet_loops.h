/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of loops that ask nothing, for the times when nothing is armed that
 * they can access:
 *
 *	asked once:  is what it can access apart from the bounds?
 *	             else, are there pages with armed memory in it?
 *	── no ──► the loop as it was
 *	── yes ─► the loop that asks at each access
 *
 * What a loop can access is known ahead if its addresses advance by the same
 * step each turn; of others, and of nests of loops, it is asked whether
 *anything is armed at all.
 */
#ifndef CT_LLVM_PASS_HOST_QUIET_LOOPS_H
#define CT_LLVM_PASS_HOST_QUIET_LOOPS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassManager.h"

namespace ct {

/// The bounds of what is armed, as read at some place (host.h).
struct ArmedBounds {
  llvm::Value *Low, *Span;
};

/// As read ahead of a loop; null: nothing in the loop asks for them. Loads do
/// not count for all that is armed.
struct LoopBounds {
  ArmedBounds OfAll{}, OfLoads{};
};

/// Bytes that an instruction accesses.
struct AccessedBytes {
  const llvm::Instruction *At;
  const llvm::Use *Pointer; // or a vector of them; null: it is not known which
  uint64_t Bytes;
  bool IsLoad;
};

/// Works on one function, which it may split blocks of, and whose analyses it
/// keeps up to date.
class QuietLoops {
public:
  /// Gives all loops preheaders, and exits of their own.
  QuietLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

  /// Makes copies of L and of loops in it that ask nothing. In L nothing can be
  /// armed; the accesses are all of it that ask, which still do where they are.
  /// Bounds: read ahead of L.
  void split(llvm::Loop &L, llvm::ArrayRef<AccessedBytes> Accesses,
             const LoopBounds &Bounds);

private:
  llvm::LoopInfo &Loops;
  llvm::DominatorTree &Dominators;
  llvm::ScalarEvolution &Evolution;

  bool isWorthwhile(const llvm::Loop &L) const;
  llvm::Value *isApart(llvm::Loop &L, llvm::ArrayRef<AccessedBytes> Accesses,
                       const LoopBounds &Bounds);
  bool copy(llvm::Loop &L, llvm::function_ref<llvm::Value *()> IsQuiet);
};

} // namespace ct
#endif
