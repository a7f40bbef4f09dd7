/* SPDX-License-Identifier: Apache-2.0 */
/* Copies that host code asks CUDA for, as functions with summaries. */
#ifndef CT_LLVM_PASS_BLAME_COPIES_H
#define CT_LLVM_PASS_BLAME_COPIES_H

#include "llvm-pass/blame/graph.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Module.h"

namespace ct {

/// Each call has a function of its own, without a body and debug information,
/// that leaves behind and reads what the call does in memory of the host.
class Copies {
public:
  explicit Copies(llvm::Module &M);

  const llvm::MapVector<const llvm::CallBase *, const llvm::Function *> &
  calls() const {
    return FunctionOf;
  }
  /// Names: of the function that stands for the call.
  static Summary summarise(const llvm::CallBase &Call,
                           const llvm::Function &Model, Storages &Names);

private:
  llvm::Module Models;
  llvm::MapVector<const llvm::CallBase *, const llvm::Function *> FunctionOf;
};

} // namespace ct
#endif
