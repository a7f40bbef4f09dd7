/* SPDX-License-Identifier: Apache-2.0 */
/* The memory operations (operations.def), by the words for them. */
#ifndef CT_LLVM_PASS_BASE_OPERATIONS_H
#define CT_LLVM_PASS_BASE_OPERATIONS_H

#include "llvm/IR/Instructions.h"
#include <cstdint>

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

/// True for atomics that the hardware executes as reductions if nothing needs
/// the old value.
bool canReduce(Operation Op);

} // namespace ct
#endif
