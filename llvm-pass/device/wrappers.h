/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small functions of CUDA's and Clang's headers within those of the program.
 *
 * Without optimisation atomicAdd is a function of a header, so all of a
 * program's atomics would be accesses of one line of that header. Inlined into
 * the program's functions that call them, such accesses are their callers'.
 * Clones are made of these functions; then the functions get back the bodies
 * that they had, for pristine code is what it is without us.
 */
#ifndef CT_LLVM_PASS_DEVICE_WRAPPERS_H
#define CT_LLVM_PASS_DEVICE_WRAPPERS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace ct {

class WrapperInlining {
public:
  WrapperInlining() = default;
  /// Inlines them. For code that was not optimised: other code has them
  /// inlined already.
  explicit WrapperInlining(llvm::Module &M);

  /// Gives the functions that were changed the bodies that they had. No one may
  /// refer to what is in those of now.
  void undo(llvm::FunctionAnalysisManager &FAM);
  bool isEmpty() const { return Kept.empty(); }

private:
  // A function, and one that has its body until then.
  llvm::SmallVector<std::pair<llvm::Function *, llvm::Function *>, 16> Kept;
};

} // namespace ct
#endif
