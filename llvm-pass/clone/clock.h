/* SPDX-License-Identifier: Apache-2.0 */
/* The CTA clock: when each CTA of a kernel begins and ends (ctas.h). */
#ifndef CT_LLVM_PASS_CLONE_CLOCK_H
#define CT_LLVM_PASS_CLONE_CLOCK_H

#include "llvm-pass/base/hooks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace ct {

/// Adds the clock's hooks to clones of one module's kernels.
class CtaClock {
public:
  explicit CtaClock(const Hooks &H) : H(H) {}

  /// To a complete clone: its first instructions, and all its ends. Functions
  /// in which threads may end are cloned once more for it; not seen are ends in
  /// functions that are called through a pointer, or are of another unit.
  /// MayBeOff: there are launches without a clock.
  void addTo(llvm::Function &KernelClone, bool MayBeOff);

private:
  using TimesOf = llvm::function_ref<llvm::Value *(HookBuilder &)>;
  const Hooks &H;
  llvm::DenseMap<llvm::Function *, bool> MayExit;
  llvm::DenseMap<llvm::Function *, llvm::Function *> Timed;

  bool mayExit(llvm::Function &F);
  llvm::Function *timed(llvm::Function &F);
  void addEnds(llvm::Function &F, TimesOf Times, llvm::Value *Begin,
               bool MayBeOff);
};

} // namespace ct
#endif
