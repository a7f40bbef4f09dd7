/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of a block whose distances are the same in all threads: one hook
 * for all of them (__ct_group). */
#ifndef CT_LLVM_PASS_CLONE_GROUPS_H
#define CT_LLVM_PASS_CLONE_GROUPS_H

#include "llvm-pass/addresses/addresses.h"
#include "llvm-pass/clone/clone.h"

namespace ct {

/// Address = address of another member + a distance that is the same in all
/// threads. Where integers might wrap that has to be checked (isDoubtful).
struct GroupMember {
  size_t From; // number of the other member; its own: the address itself
  Polynomial Distance; // from there
  Polynomial Total;    // distance from the first member
};

struct Group {
  size_t First;                     // of TracedFunction::Sites
  std::vector<GroupMember> Members; // the first one included
  llvm::Instruction *Start,
      *Before; // the hook comes before Before, behind loads from Start on

  bool isDoubtful(size_t Member) const {
    return Member && Members[Member].From == Member;
  }
};

/// The groups of a kernel's clone that has no hooks at its accesses yet, in
/// program order, at most CT_GROUPS_MAX of them: those in the deepest loops.
/// Avoid: sites in code that is rarely executed. Addresses of doubtful members
/// are computed ahead of the hook.
std::vector<Group> findGroups(const TracedFunction &F, Addresses &Addresses,
                              llvm::function_ref<bool(size_t)> Avoid);

/// The accesses are in one block, the second behind the first, and nothing
/// between them may tell other threads something, or not return.
bool areTogether(const llvm::Instruction &First,
                 const llvm::Instruction &Second);

} // namespace ct
#endif
