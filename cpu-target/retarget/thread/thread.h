/* SPDX-License-Identifier: Apache-2.0 */
/* How code finds the state of the thread that runs it. */
#ifndef CT_CPU_TARGET_RETARGET_THREAD_THREAD_H
#define CT_CPU_TARGET_RETARGET_THREAD_THREAD_H

#include "cpu-target/retarget/unit/unit.h"

namespace ct {

/// Kernels get their thread's state and ids as arguments.
void changeKernelSignatures(Unit &U);

/// Value of the thread state in the function B inserts into.
llvm::Value *threadPointer(llvm::IRBuilderBase &B);

/// Load of a field of the thread state.
llvm::Value *loadThreadField(llvm::IRBuilderBase &B, llvm::Type *T,
                             uint64_t Offset);

/// The block's static or dynamic shared memory.
llvm::Value *sharedBase(llvm::IRBuilderBase &B);

llvm::Value *dynamicSharedBase(llvm::IRBuilderBase &B);

} // namespace ct

#endif
