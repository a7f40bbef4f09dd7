/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops have accesses that one hook can stand for. */
#ifndef CT_LLVM_PASS_CLONE_LOOP_ACCESSES_H
#define CT_LLVM_PASS_CLONE_LOOP_ACCESSES_H

#include "llvm-pass/clone/clone.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

namespace ct {

/// The hook of a loop is given this.
struct LoopAccesses {
  size_t First = 0, Count = 0; // of TracedFunction::Sites
  bool Plain = true;           // all of them, and none of another loop between
};

/// The innermost loops of a clone with sites.
llvm::MapVector<llvm::Loop *, LoopAccesses>
loopsWithAccesses(const TracedFunction &F, const llvm::LoopInfo &LI);

/// True if all iterations are alike and take place if the first one does, and
/// are enough to be worth a hook of their own.
bool mayRunAtOnce(const TracedFunction &F, const llvm::Loop &L,
                  const LoopAccesses &A, const llvm::DominatorTree &DT,
                  llvm::ScalarEvolution &SE);

} // namespace ct
#endif
