/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of a block whose distances are the same in all threads: one hook
 * for all of them (__ct_group). */
#ifndef CT_PASS_GROUPS_H
#define CT_PASS_GROUPS_H

#include "addresses.h"
#include "clone.h"
#include "hooks.h"

namespace ct {

struct Group {
  size_t First;                         // of TracedFunction::Sites
  std::vector<Polynomial> Distances;    // of the others from the first
  llvm::Instruction *Start, *Before;    // the hook comes before Before, behind loads from Start on
  size_t size() const { return Distances.size() + 1; }
};

/// The groups of a kernel's clone that has no hooks at its accesses yet, in
/// program order, at most CT_GROUPS_MAX of them: those in the deepest loops.
/// Avoid: sites in code that is rarely executed.
std::vector<Group> findGroups(const TracedFunction &F, Addresses &Addresses,
                              llvm::function_ref<bool(size_t)> Avoid);

/// Moves what waits for the group's loads behind its hook, which is there.
void sinkUses(const TracedFunction &F, const Group &G, llvm::Instruction &Hook);

} // namespace ct
#endif
