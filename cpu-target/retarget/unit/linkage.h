/* SPDX-License-Identifier: Apache-2.0 */
/* Whose functions and variables are, and who else sees them. */
#ifndef CT_CPU_TARGET_RETARGET_UNIT_LINKAGE_H
#define CT_CPU_TARGET_RETARGET_UNIT_LINKAGE_H

#include "cpu-target/retarget/unit/unit.h"

namespace ct {

/// Names and linkage of what units share.
void exportSymbols(Unit &U);

/// Make all that is not shared internal.
void internalizeRest(Unit &U);

/// Memory for threadIdx and its like, whose addresses unoptimised code takes.
void defineBuiltinVariables(Unit &U);

bool isRuntime(const llvm::Function &F);

bool isExported(const llvm::GlobalValue &G);

/// F is not, or need not be, what runs when it is called.
bool mayBeReplaced(const llvm::Function &F);

/// A function of cudatrace/hooks.def.
bool isHook(const llvm::Function &F);

/// Functions that the C library has under the same name and type.
bool isLibraryFunction(llvm::StringRef Name);

/// An array of shared memory whose size the launch gives.
bool isDynamicShared(const llvm::GlobalVariable &G);

/// Function of the device runtime, or nullptr.
llvm::Function *runtimeFunction(llvm::Module &M, const llvm::Twine &Name);

} // namespace ct

#endif
