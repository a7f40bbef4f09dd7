/* SPDX-License-Identifier: Apache-2.0 */
/* Hook calls for groups of accesses (groups.h). */
#ifndef CT_LLVM_PASS_CLONE_GROUP_CALLS_H
#define CT_LLVM_PASS_CLONE_GROUP_CALLS_H

#include "llvm-pass/base/hooks.h"
#include "llvm-pass/clone/groups.h"

namespace ct {

/// Calls a hook for each group of a kernel's clone that has no hooks at its
/// accesses yet.
void callGroups(const TracedFunction &F, llvm::ArrayRef<Group> Groups,
                const Addresses &From, const Hooks &H, HookBuilder &B,
                bool Far);

} // namespace ct
#endif
