/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a device module and the device functions that they reach. */
#ifndef CT_LLVM_PASS_CLONE_CALLGRAPH_H
#define CT_LLVM_PASS_CLONE_CALLGRAPH_H

#include "llvm-pass/sites/sites.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

namespace ct {

/// The function that a call certainly reaches, null for an indirect call.
llvm::Function *directCallee(const llvm::CallBase &Call);

/// The callee, if a clone of it could be called instead: defined in this
/// module, not variadic, called with its own type.
llvm::Function *cloneableCallee(const llvm::CallBase &Call);

class CallGraph : public CallOracle {
public:
  /// Relocatable: this is not all of the device code (-fgpu-rdc).
  CallGraph(llvm::Module &M, bool Relocatable);

  /// In module order.
  llvm::ArrayRef<llvm::Function *> kernels() const { return Kernels; }
  /// Callers before callees, as far as there is no recursion.
  llvm::ArrayRef<llvm::Function *> functions() const { return Functions; }
  /// Returns those of functions() that code of other units can call by name.
  llvm::ArrayRef<llvm::Function *> exported() const { return Exported; }
  /// Returns the functions that run when F is called, F included.
  llvm::SetVector<llvm::Function *> reachableFrom(llvm::Function *F) const;

  /// True if F, or what it reaches, may run functions that are not seen here.
  bool reachesOthers(llvm::Function *F) const;

  /// Functions that an indirect call may reach: those of the call's type that
  /// occur as a value, be it in a table or an initialiser. Declarations, too,
  /// if this is not all of the device code.
  llvm::ArrayRef<llvm::Function *>
  indirectTargets(const llvm::CallBase &Call) const;

  /// The function of another unit that a call reaches: its clone has to be
  /// there at link time. Null for what the CUDA runtime provides.
  llvm::Function *externalCallee(const llvm::CallBase &Call) const;

  std::string whyUnseen(const llvm::CallBase &Call) const override;

private:
  bool Relocatable;
  llvm::SmallVector<llvm::Function *, 8> Kernels, Functions, Exported;
  llvm::MapVector<llvm::FunctionType *, llvm::SmallVector<llvm::Function *, 4>>
      Pointed;

  bool isExternal(const llvm::Function &F) const;
  void visitCallees(llvm::Function &F,
                    llvm::function_ref<void(llvm::Function *)> Visit) const;
  void appendPostOrder(llvm::Function *F,
                       llvm::SmallPtrSetImpl<llvm::Function *> &Seen,
                       llvm::SmallVectorImpl<llvm::Function *> &Order) const;
};

} // namespace ct
#endif
