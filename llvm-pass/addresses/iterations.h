/* SPDX-License-Identifier: Apache-2.0 */
/* How often a loop will run, computed when it is entered. */
#ifndef CT_LLVM_PASS_ADDRESSES_ITERATIONS_H
#define CT_LLVM_PASS_ADDRESSES_ITERATIONS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace ct {

/// Whether Start + Step * Times, both integers of at most 32 bits, is what it
/// would be in 64 bits. Times < 2^32.
llvm::Value *doesNotWrap(llvm::IRBuilder<> &B, llvm::Value *Start,
                         llvm::Value *Step, llvm::Value *Times, bool Signed);

class Iterations {
public:
  /// L: a loop that is left from its latch only.
  Iterations(llvm::Loop &L, llvm::ScalarEvolution &SE);

  /// False if it is not known, or costs more than a few instructions to compute
  /// at At.
  bool isKnown(llvm::SCEVExpander &Expander,
               const llvm::TargetTransformInfo &Costs,
               llvm::Instruction *At) const;

  /// How often the back edge will be taken, as i64, ahead of At, where B
  /// stands. Holds: on what condition, null: on none.
  llvm::Value *backEdges(llvm::SCEVExpander &Expander, llvm::IRBuilder<> &B,
                         llvm::Instruction *At, llvm::Value *&Holds) const;

private:
  llvm::Loop &L;
  const llvm::SCEV *Exact; // back edges
  // Or: it goes on while a variable that starts here and grows by Step is below
  // Bound.
  const llvm::SCEV *Start = nullptr, *Bound = nullptr, *Step = nullptr;
  bool Signed = false;

  void readCondition(llvm::ScalarEvolution &SE);
};

} // namespace ct
#endif
