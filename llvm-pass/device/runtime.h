/* SPDX-License-Identifier: Apache-2.0 */
/* The device runtime (device-rt.bc): loading, and linking into a device module.
 */
#ifndef CT_LLVM_PASS_DEVICE_RUNTIME_H
#define CT_LLVM_PASS_DEVICE_RUNTIME_H

#include "llvm-pass/clone/placement.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include <memory>

namespace ct {

/// Null after an error, which has been reported on M.
std::unique_ptr<llvm::Module> loadDeviceRuntime(llvm::Module &M,
                                                llvm::StringRef Path);

/// Shared memory that an instrumented kernel uses in addition to its own.
uint64_t sharedBytes(const llvm::Module &Runtime);

/// Links what M needs of the runtime, makes it internal, and inlines what wants
/// to be inlined. Model is a function of M, whose target attributes are taken.
void linkDeviceRuntime(llvm::Module &M, std::unique_ptr<llvm::Module> Runtime,
                       const llvm::Function &Model, Apart CompiledApart,
                       llvm::ModuleAnalysisManager &MAM);

/// Simplifies clones after hooks were inlined into them; pristine functions are
/// not touched.
void tidyClones(llvm::ArrayRef<llvm::Function *> Clones,
                llvm::ModuleAnalysisManager &MAM);

} // namespace ct
#endif
