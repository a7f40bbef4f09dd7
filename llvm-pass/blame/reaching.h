/* SPDX-License-Identifier: Apache-2.0 */
/* Which instructions may run before which. */
#ifndef CT_LLVM_PASS_BLAME_REACHING_H
#define CT_LLVM_PASS_BLAME_REACHING_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include <vector>

namespace ct {

class Reachability {
public:
  explicit Reachability(const llvm::Function &F);
  /// Whether To may run after From has.
  bool reaches(const llvm::Instruction &From, const llvm::Instruction &To);

private:
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Numbers;
  std::vector<llvm::BitVector>
      Behind; // by block: those that may run after it; empty: not known

  const llvm::BitVector &behind(const llvm::BasicBlock &Block);
};

/// Stores that reach loads, of scalar variables whose address goes nowhere: a
/// store overwrites what others before it have left.
class ScalarStores {
public:
  explicit ScalarStores(llvm::Function &F);
  /// False: the load is of another kind of memory.
  bool find(const llvm::LoadInst &Load,
            llvm::SmallVectorImpl<const llvm::StoreInst *> &Reaching);

private:
  llvm::DenseMap<const llvm::Value *,
                 llvm::SmallVector<const llvm::StoreInst *, 4>>
      Stores;
};

/// Backwards from an instruction, each one that may run before it once; not
/// beyond those for which Each returns false.
void walkBack(const llvm::Instruction &From,
              llvm::function_ref<bool(const llvm::Instruction &)> Each);

} // namespace ct
#endif
