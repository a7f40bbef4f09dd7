/* SPDX-License-Identifier: Apache-2.0 */
/* Where the executions of a block are counted, and how often each stands for.
 */
#ifndef CT_LLVM_PASS_CLONE_BLOCK_PLACES_H
#define CT_LLVM_PASS_CLONE_BLOCK_PLACES_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace ct {

/// The block runs Times (null: once) whenever At does. InLoop: At is in a loop
/// that is left it is not known when.
struct BlockPlace {
  llvm::BasicBlock *At;
  const llvm::SCEV *Times;
  bool InLoop;
};

/// True if a thread that begins it may not come behind it.
bool mayLeave(const llvm::Instruction &I);

class BlockPlaces {
public:
  BlockPlaces(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

  BlockPlace of(llvm::BasicBlock &Block);
  /// Compares two blocks outside of loops: each runs whenever the other does.
  bool areEqual(const llvm::BasicBlock &A, const llvm::BasicBlock &B) const;
  /// As i64, at the end of At.
  llvm::Value *expand(const BlockPlace &Place);

private:
  llvm::DominatorTree DT;
  llvm::PostDominatorTree PDT;
  llvm::LoopInfo LI;
  llvm::AssumptionCache Assumptions;
  llvm::ScalarEvolution SE;
  llvm::SCEVExpander Expander;
  const llvm::TargetTransformInfo &Costs;
  bool Leaves; // calls, or instructions that end threads, are in the function
  llvm::DenseMap<const llvm::Loop *, bool> Known;

  bool isRegular(const llvm::Loop &L);
  const llvm::SCEV *timesIn(llvm::Loop &L, const llvm::BasicBlock &Block);
};

} // namespace ct
#endif
