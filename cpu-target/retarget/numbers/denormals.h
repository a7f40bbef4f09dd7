/* SPDX-License-Identifier: Apache-2.0 */
/* Denormal numbers of single precision, which some code takes for zero. */
#ifndef CT_CPU_TARGET_RETARGET_NUMBERS_DENORMALS_H
#define CT_CPU_TARGET_RETARGET_NUMBERS_DENORMALS_H

#include "cpu-target/retarget/unit/unit.h"
#include "llvm/IR/IRBuilder.h"

namespace ct {

/// In functions compiled with -ftz=true, operations of single precision take
/// and give zero, with its sign, for denormal numbers; doubles keep theirs, and
/// so do the program's own PTX, which says .ftz where it means it, and bf16,
/// which is computed as floats.
void flushDenormals(Unit &U);

/// Applies .ftz to V, of single or half precision, or vectors of them:
/// subnormal numbers become zeros of their sign. Exact is what V was rounded
/// from, to nearest: devices round as if the exponent had no end and look then,
/// so that it may be zero where V is the least normal number.
llvm::Value *flushSubnormal(llvm::IRBuilderBase &B, llvm::Value *V,
                            llvm::Value *Exact = nullptr);

/// Results of operations that may be rounded up to the least normal number, in
/// double precision, on the side that they are of where devices begin to.
llvm::Value *exactProduct(llvm::IRBuilderBase &B, llvm::Value *X,
                          llvm::Value *Y);
llvm::Value *exactQuotient(llvm::IRBuilderBase &B, llvm::Value *X,
                           llvm::Value *Y);
llvm::Value *exactMultiplyAdd(llvm::IRBuilderBase &B, llvm::Value *X,
                              llvm::Value *Y, llvm::Value *Z);

/// From now on the builder makes instructions that keep denormal numbers. I is
/// marked as they are.
void keepDenormals(llvm::IRBuilderBase &B, llvm::Instruction &I);

} // namespace ct

#endif
