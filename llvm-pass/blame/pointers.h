/* SPDX-License-Identifier: Apache-2.0 */
/* Where the pointers of a function point to, in its source's terms. */
#ifndef CT_LLVM_PASS_BLAME_POINTERS_H
#define CT_LLVM_PASS_BLAME_POINTERS_H

#include "llvm-pass/blame/storage.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <functional>

namespace ct {

using Pointees = llvm::SmallVector<PointsTo, 2>;

/// Follows pointers in code as the front end makes it, where variables are
/// allocas. Flow-insensitive: a pointer variable points to all that is ever
/// stored in it.
class Pointers {
public:
  /// Returned: where what a call returns may point to.
  Pointers(llvm::Function &F, Storages &S,
           std::function<Pointees(const llvm::CallBase &)> Returned);

  /// Empty: not known.
  Pointees targets(const llvm::Value *Pointer);
  /// Where the pointer in this storage may point to; never empty.
  Pointees contents(const Storage *In);
  /// The pieces that an access of so many bytes through a pointer is to.
  llvm::SmallVector<const Storage *, 2> accessed(const llvm::Value *Pointer,
                                                 uint64_t Bytes);
  /// The variables whose value an address is computed from by indices alone: q
  /// of `q[i] = ...`.
  const Storage *through(const llvm::Value *Pointer);
  /// The storage of a variable or of what stands for one; arguments without an
  /// alloca have one, too.
  const Storage *root(const llvm::Value *Root) { return S.variable(Root); }
  /// Returns the variable that holds an argument.
  const Storage *parameter(unsigned Index) const { return Parameters[Index]; }

private:
  const llvm::DataLayout &DL;
  Storages &S;
  std::function<Pointees(const llvm::CallBase &)> Returned;
  llvm::SmallVector<const llvm::StoreInst *, 16> Stores; // of pointers
  llvm::SmallVector<const llvm::CallBase *, 4> Copies;   // memcpy and memmove
  llvm::SmallVector<const Storage *, 8> Parameters;
  llvm::DenseMap<const llvm::Value *, Pointees> Known;
  llvm::DenseMap<const Storage *, Pointees> KnownContents;
  llvm::SmallPtrSet<const void *, 16> Busy;
  bool IsCut = false; // something was left out because it is being looked for

  void declare(llvm::Function &F);
  void findParameters(llvm::Function &F);
  Pointees find(const llvm::Value *Pointer);
  Pointees indexed(const llvm::GEPOperator &GEP);
  Pointees findContents(const Storage *In);
  void addCopied(const Storage *In, Pointees &Found);
};

void addTarget(Pointees &All, const PointsTo &New);

} // namespace ct
#endif
