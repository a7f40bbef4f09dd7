/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is stored in variables: every write to a local variable, a parameter
 * passed by value or a global variable whose address does not get out of sight.
 */
#ifndef CT_LLVM_PASS_SPACES_MEMORY_H
#define CT_LLVM_PASS_SPACES_MEMORY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <optional>

namespace ct {

/// Calls from the function that owns an object down to the one that uses it.
using CallPath = llvm::SmallVector<const llvm::CallBase *, 2>;

/// An alloca, a by-value parameter or a global variable, and the offset in it;
/// no offset: any.
struct MemoryPlace {
  const llvm::Value *Object;
  std::optional<int64_t> Offset;
};

struct MemoryWrite {
  std::optional<int64_t> Offset; // in the object; none: any
  uint64_t Bytes;                // 0: unknown
  const llvm::Value *Stored;     // or
  const llvm::Value
      *CopiedFrom; // the address it is copied from; neither: unknown bytes
  CallPath Path;   // to the function of the write; of variables: empty

  bool overlaps(std::optional<int64_t> At, uint64_t AtBytes) const {
    return !Offset || !At ||
           ((!Bytes || *At < *Offset + int64_t(Bytes)) &&
            (!AtBytes || *Offset < *At + int64_t(AtBytes)));
  }
};

struct MemoryRead {
  const llvm::Value *Loaded;
  std::optional<int64_t> Offset;
  CallPath Path;
};

/// All uses of an object.
struct ObjectUses {
  bool Escapes = false; // the others say nothing then
  bool Copied = false;  // its content was copied elsewhere
  llvm::SmallVector<MemoryWrite, 4> Writes;
  llvm::SmallVector<MemoryRead, 4> Reads;
};

class ObjectMemory {
public:
  ObjectMemory(const llvm::Module &M, bool Relocatable)
      : Layout(M.getDataLayout()), Relocatable(Relocatable) {}

  /// True for what uses() can be asked about.
  bool isTracked(const llvm::Value *Object) const;
  const ObjectUses &uses(const llvm::Value *Object);

private:
  const llvm::DataLayout &Layout;
  bool Relocatable;
  llvm::DenseMap<const llvm::Value *, std::unique_ptr<ObjectUses>> Known;
};

} // namespace ct
#endif
