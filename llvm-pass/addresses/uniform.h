/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are the same in all threads of a launch. */
#ifndef CT_LLVM_PASS_ADDRESSES_UNIFORM_H
#define CT_LLVM_PASS_ADDRESSES_UNIFORM_H

#include "llvm/IR/IRBuilder.h"

namespace ct {

/// True for what a kernel's parameters and launch configuration say.
bool isUniform(const llvm::Value *V);

/// A value that isUniform, where B stands.
llvm::Value *uniformValue(llvm::IRBuilder<> &B, llvm::Value *V);

} // namespace ct
#endif
