/* SPDX-License-Identifier: Apache-2.0 */
/* Insertion of hook calls (hooks.def) into clones. */
#ifndef CT_PASS_INSTRUMENT_H
#define CT_PASS_INSTRUMENT_H

#include "clone.h"
#include "llvm/ADT/DenseMap.h"

namespace ct {

/// The device hooks, declared in a module.
struct Hooks {
#define CT_DEVICE_HOOK(name, result, parameters, text) llvm::FunctionCallee name;
#include <cudatrace/hooks.def>
#undef CT_DEVICE_HOOK
  explicit Hooks(llvm::Module &M);
};

/// True if F contains an instruction that ends the thread.
bool containsExit(const llvm::Function &F);

/// Calls the hooks from a clone and redirects its calls to other clones.
void instrumentClone(TracedFunction &F, const Hooks &H,
                     const llvm::DenseMap<llvm::Function *, llvm::Function *> &Clones);

} // namespace ct
#endif
