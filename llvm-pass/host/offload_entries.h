/* SPDX-License-Identifier: Apache-2.0 */
/* Offload entries: how -fgpu-rdc host objects name their kernels and variables
 * to the linker wrapper, which registers them. */
#ifndef CT_LLVM_PASS_HOST_OFFLOAD_ENTRIES_H
#define CT_LLVM_PASS_HOST_OFFLOAD_ENTRIES_H

#include "llvm/IR/Module.h"

namespace ct {

struct OffloadEntry {
  llvm::GlobalVariable *Variable;
  llvm::Constant *Address; // stub of a kernel, shadow of a variable
  llvm::GlobalVariable *Name;
  uint64_t Size; // 0 for a kernel
  uint32_t Flags;

  bool isPlainVariable() const { return Size != 0 && (Flags & 7) == 0; }
  bool isConstant() const { return Flags & 16; }
};

llvm::SmallVector<OffloadEntry, 8> offloadEntries(llvm::Module &M);

/// True for host code of -fgpu-rdc, with the old offload driver or the new one.
bool isRelocatable(llvm::Module &M);

/// Adds an entry for another device symbol at another address, else like Model.
void addOffloadEntry(const OffloadEntry &Model, llvm::Constant *Address,
                     llvm::StringRef Name);

} // namespace ct
#endif
