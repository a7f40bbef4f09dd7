/* SPDX-License-Identifier: Apache-2.0 */
/* Hook calls for single accesses of a clone. */
#ifndef CT_LLVM_PASS_CLONE_ACCESS_CALLS_H
#define CT_LLVM_PASS_CLONE_ACCESS_CALLS_H

#include "llvm-pass/base/hooks.h"
#include "llvm-pass/clone/clone.h"

namespace ct {

/// Code that it makes comes where the builder stands, and speaks of the clone's
/// values. F's state is known by then.
class AccessCalls {
public:
  AccessCalls(const TracedFunction &F, const Hooks &H, HookBuilder &B)
      : F(F), H(H), B(B) {}

  /// As i64.
  llvm::Value *address(const Site &S);
  /// When the access takes place, as i1.
  llvm::Value *condition(const Guard &If);
  /// Records the access that the site of this number makes; Far: by a call, not
  /// by code at the access. Returns the state that its values are to be
  /// recorded with.
  /// Address: is set to what address() gives.
  llvm::Value *access(const Site &S, uint64_t Number, bool Far,
                      llvm::Value *&Address);

private:
  const TracedFunction &F;
  const Hooks &H;
  HookBuilder &B;

  llvm::Value *asInteger(llvm::Value *V);
  /// The generic address of what a range at that address moves.
  llvm::Value *content(const SiteValue &V, llvm::Value *Range);
  llvm::Value *tile(const Site &S, llvm::Value *Index, llvm::Value *Address);
};

} // namespace ct
#endif
