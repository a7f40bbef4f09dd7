/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side, --ct-host: before each access to memory that devices may share the
 * code asks whether the address is in the bounds of what is armed, and if so
 * tells host-rt (host.h).
 *
 * After all optimisations, so that what is vectorised stays so and what is gone
 * is not asked about: an instruction of the program is an instruction here.
 */
#ifndef CT_LLVM_PASS_HOST_ACCESSES_H
#define CT_LLVM_PASS_HOST_ACCESSES_H

#include "llvm/IR/PassManager.h"

namespace ct {

/// Returns true if M changed.
bool instrumentHost(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

} // namespace ct
#endif
