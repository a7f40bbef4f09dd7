/* SPDX-License-Identifier: Apache-2.0 */
/* Translation of single calls: intrinsics and inline PTX. */
#ifndef CT_CPU_TARGET_RETARGET_CALLS_CALLS_H
#define CT_CPU_TARGET_RETARGET_CALLS_CALLS_H

#include "cpu-target/retarget/unit/unit.h"
#include "llvm/IR/Instructions.h"

namespace ct {

/// Replace a call of llvm.nvvm.*; false if there is no translation.
bool lowerIntrinsic(llvm::CallInst &Call);

/// Replace inline PTX; false after saying in What which instruction has no
/// translation. The call is then untouched.
bool lowerPtx(llvm::CallInst &Call, std::string &What);

/// V as T, bit by bit; integers are zero-extended or cut, pointers are
/// integers. nullptr if sizes do not allow it.
llvm::Value *convertBits(llvm::IRBuilderBase &B, llvm::Value *V, llvm::Type *T);

/// Call function Name of the device runtime with as many of Arguments as it
/// takes; nullptr if there is no such function.
llvm::Value *callRuntime(llvm::IRBuilderBase &B, const llvm::Twine &Name,
                         llvm::ArrayRef<llvm::Value *> Arguments);

/// A special register by its PTX name without %, e.g. "tid.x"; nullptr if
/// unknown.
llvm::Value *readSpecialRegister(llvm::IRBuilderBase &B, llvm::StringRef Name);

/// Replace NVVM intrinsics, special registers, inline PTX and calls of what
/// only the CUDA device library has.
void lowerCalls(Unit &U);

} // namespace ct

#endif
