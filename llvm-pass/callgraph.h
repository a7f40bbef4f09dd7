/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a device module and the device functions that they reach. */
#ifndef CT_PASS_CALLGRAPH_H
#define CT_PASS_CALLGRAPH_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "sites.h"

namespace ct {

/// The function that a call certainly reaches, null for an indirect call.
llvm::Function *directCallee(const llvm::CallBase &Call);

/// The callee, if a clone of it could be called instead: defined in this
/// module, not variadic, called with its own type.
llvm::Function *cloneableCallee(const llvm::CallBase &Call);

class CallGraph : public CallOracle {
public:
  explicit CallGraph(llvm::Module &M);

  /// In module order.
  llvm::ArrayRef<llvm::Function *> kernels() const { return Kernels; }
  /// Callers before callees, as far as there is no recursion.
  llvm::ArrayRef<llvm::Function *> functions() const { return Functions; }
  /// What runs when F is called, F included.
  llvm::SetVector<llvm::Function *> reachableFrom(llvm::Function *F) const;

  std::string whyUnseen(const llvm::CallBase &Call) const override;

private:
  llvm::SmallVector<llvm::Function *, 8> Kernels, Functions;
};

} // namespace ct
#endif
