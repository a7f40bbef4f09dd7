/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clones that count how often the blocks of a kernel run, and nothing else
 * (tier blocks).
 *
 * Counted where it costs least: a block of a loop whose trip count is known at
 * its entry once, ahead of the loop, for all iterations; blocks outside of
 * loops that run whenever another one does together with that; blocks of other
 * loops in a register of each thread, added up when the function is left.
 */
#ifndef CT_LLVM_PASS_CLONE_BLOCK_COUNTS_H
#define CT_LLVM_PASS_CLONE_BLOCK_COUNTS_H

#include "llvm-pass/base/hooks.h"
#include "llvm-pass/clone/specialise.h"
#include "llvm/IR/PassManager.h"

namespace ct {

/// Clones each kernel that has an instrumented clone, and the functions that it
/// calls by name, once more, as the pristine ones are. Returns the new
/// functions.
llvm::SmallVector<llvm::Function *, 8>
addBlockCounts(const TracedFunctions &Traced, const Hooks &H, uint64_t UnitId,
               llvm::FunctionAnalysisManager &FAM);

} // namespace ct
#endif
