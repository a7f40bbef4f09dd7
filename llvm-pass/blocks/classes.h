/* SPDX-License-Identifier: Apache-2.0 */
/* Classifies instructions of LLVM's IR by what they cost on the machine. */
#ifndef CT_LLVM_PASS_BLOCKS_CLASSES_H
#define CT_LLVM_PASS_BLOCKS_CLASSES_H

#include "llvm/IR/Instructions.h"
#include <cstdint>

namespace ct {

enum InstructionClass : uint8_t {
#define CT_INSTRUCTION(id, name, text, flops) IN_##name = id,
#include <cudatrace/instructions.def>
#undef CT_INSTRUCTION
};

/// So many instructions of a class; Count 0: code generation gives it away.
struct Cost {
  InstructionClass Class = IN_OTHER;
  uint32_t Count = 0;
};

/// The cost of an instruction that touches no memory that sites report. Of
/// inline assembly: its statements.
Cost costOf(const llvm::Instruction &I);

/// Cycles until the result of such an instruction can be used, of the order
/// that machines of compute capability 7.0 to 9.0 have: to tell slow chains
/// from fast ones. Models put the machine's own in their place.
uint32_t nominalCycles(InstructionClass Class, uint8_t Space);

/// The multiplication that is executed as part of I, or null: I adds or
/// subtracts, is its only user, and both may be contracted.
const llvm::Instruction *fusedMultiply(const llvm::Instruction &I);

} // namespace ct
#endif
