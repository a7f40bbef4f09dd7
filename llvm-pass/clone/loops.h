/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops whose accesses are known when they are entered: one hook before the
 * loop (__ct_loop), which then runs without hooks.
 *
 *	preheader:  if (__ct_loop(state, first site, count, iterations, table))
 *			a copy of the loop without hooks
 *		    else
 *			the loop itself, with hooks
 */
#ifndef CT_LLVM_PASS_CLONE_LOOPS_H
#define CT_LLVM_PASS_CLONE_LOOPS_H

#include "llvm-pass/base/hooks.h"
#include "llvm-pass/clone/clone.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"

namespace ct {

/// The analyses of a function; kept up to date.
struct FunctionAnalyses {
  llvm::DominatorTree &Dominators;
  llvm::LoopInfo &Loops;
  llvm::ScalarEvolution &SE;
  llvm::TargetTransformInfo &Costs;
};

/// Does so in a kernel's clone that has no hooks at its accesses yet. Returns
/// the sites whose loops have a copy.
llvm::SmallSet<size_t, 8> copyLoops(const TracedFunction &F, const Hooks &H,
                                    const FunctionAnalyses &Known);

} // namespace ct
#endif
