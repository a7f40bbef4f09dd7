/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of a clone: to the callee's clone instead of the callee. */
#ifndef CT_PASS_CALLS_H
#define CT_PASS_CALLS_H

#include "clone.h"
#include "hooks.h"
#include "llvm/ADT/DenseMap.h"

namespace ct {

/// Redirects the calls of an instrumented clone, whose state is known, to other
/// clones.
void redirectCalls(TracedFunction &F,
                   const llvm::DenseMap<llvm::Function *, llvm::Function *> &Clones);

} // namespace ct
#endif
