/* SPDX-License-Identifier: Apache-2.0 */
/* Insertion of hook calls (hooks.def) into clones. */
#ifndef CT_LLVM_PASS_CLONE_INSTRUMENT_H
#define CT_LLVM_PASS_CLONE_INSTRUMENT_H

#include "llvm-pass/base/hooks.h"
#include "llvm-pass/base/options.h"
#include "llvm-pass/clone/clone.h"
#include "llvm-pass/clone/placement.h"
#include "llvm/IR/PassManager.h"

namespace ct {

/// Calls the hooks from a clone; its calls stay for redirectCalls.
void instrumentClone(TracedFunction &F, const Hooks &H, const Options &Opts,
                     const HookPlacement &Placement,
                     llvm::FunctionAnalysisManager &FAM);

} // namespace ct
#endif
