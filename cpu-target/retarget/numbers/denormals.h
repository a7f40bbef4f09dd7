/* SPDX-License-Identifier: Apache-2.0 */
/* Denormal numbers of single precision, which some code takes for zero. */
#ifndef CT_RETARGET_DENORMALS_H
#define CT_RETARGET_DENORMALS_H

#include "cpu-target/retarget/unit/unit.h"
#include "llvm/IR/IRBuilder.h"

namespace ct {

/// In functions compiled with -ftz=true, operations of single precision take
/// and give zero, with its sign, for denormal numbers; doubles keep theirs, and
/// so do the program's own PTX, which says .ftz where it means it, and bf16,
/// which is computed as floats.
void flushDenormals(Unit &U);

/// From now on the builder makes instructions that keep denormal numbers. I is
/// marked as they are.
void keepDenormals(llvm::IRBuilderBase &B, llvm::Instruction &I);

} // namespace ct

#endif
