/* SPDX-License-Identifier: Apache-2.0 */
/* How many registers an instrumented kernel may have. */
#ifndef CT_LLVM_PASS_CLONE_REGISTERS_H
#define CT_LLVM_PASS_CLONE_REGISTERS_H

#include "llvm/IR/Function.h"

namespace ct {

/// 32-bit registers that the values of F need at the place where most are
/// alive, in the order of the IR; 0 if F is too large to tell.
unsigned registerPressure(const llvm::Function &F);

/// Bounds the registers of a clone by what its pristine kernel seems to need.
/// A kernel inherits the registers of the deepest call in it, so without a
/// bound the slow path of recording would decide how many warps an SM holds;
/// with it that path spills. Leaves kernels alone whose bounds the user chose.
/// WithValues: values are recorded as well.
void limitRegisters(const llvm::Function &Kernel, llvm::Function &Clone,
                    bool WithValues);

} // namespace ct
#endif
