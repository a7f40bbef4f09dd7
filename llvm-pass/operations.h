/* SPDX-License-Identifier: Apache-2.0 */
/* What instructions, intrinsics and inline assembly do to memory. */
#ifndef CT_PASS_OPERATIONS_H
#define CT_PASS_OPERATIONS_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cstdint>
#include <string>

namespace ct {

enum Operation : uint8_t {
#define CT_OPERATION(id, name, text, group, memtrace) OP_##name = id,
#include <cudatrace/operations.def>
#undef CT_OPERATION
};

/// The operation of an atomicrmw instruction.
Operation atomicOperation(llvm::AtomicRMWInst::BinOp Op);

/// The operation that PTX and NVVM call Word; OP_ATOMIC_OTHER if none.
Operation atomicOperation(llvm::StringRef Word);

/// An intrinsic that accesses one address, or one that accesses memory in a
/// way that cannot be recorded (Reason says which).
struct IntrinsicAccess {
  Operation Op = OP_OTHER;
  llvm::Value *Pointer = nullptr;
  llvm::Type *Accessed = nullptr;
  std::string Reason;
};

/// False if the intrinsic touches no memory that a site could be about.
bool describeIntrinsic(llvm::IntrinsicInst &Call, IntrinsicAccess &Access);

} // namespace ct
#endif
