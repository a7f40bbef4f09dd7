/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that end the thread. */
#ifndef CT_LLVM_PASS_CLONE_EXITS_H
#define CT_LLVM_PASS_CLONE_EXITS_H

#include "llvm/IR/Function.h"

namespace ct {

/// True for PTX's exit, be it an intrinsic or inline assembly.
bool isExit(const llvm::Instruction &I);

/// True if F contains an instruction that ends the thread.
bool containsExit(const llvm::Function &F);

} // namespace ct
#endif
