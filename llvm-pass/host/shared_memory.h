/* SPDX-License-Identifier: Apache-2.0 */
/* Which pointers of host code cannot point to memory that a device uses. */
#ifndef CT_LLVM_PASS_HOST_SHARED_MEMORY_H
#define CT_LLVM_PASS_HOST_SHARED_MEMORY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace ct {

/// Describes the shared memory of one function. A variable whose address is not
/// taken, a constant, a thread's own and a table of virtual functions are the
/// program's alone.
class PrivateMemory {
public:
  bool has(const llvm::Instruction &Access, const llvm::Value *Pointer);

private:
  llvm::DenseMap<const llvm::Value *, bool> Known;
  bool isPrivate(const llvm::Value *Object);
};

} // namespace ct
#endif
