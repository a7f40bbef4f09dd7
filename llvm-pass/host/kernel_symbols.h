/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The symbol of a kernel in host code. nvcc gives what launches a kernel the
 * kernel's own name, by which code that another compiler made takes its address
 * for cudaLaunchKernel; clang calls it __device_stub__….
 */
#ifndef CT_LLVM_PASS_HOST_KERNEL_SYMBOLS_H
#define CT_LLVM_PASS_HOST_KERNEL_SYMBOLS_H

#include "llvm/IR/Module.h"

namespace ct {

/// Gives each kernel that the module registers, and that other modules may
/// name, its own name besides clang's. Returns true if M changed.
bool nameKernels(llvm::Module &M);

} // namespace ct
#endif
