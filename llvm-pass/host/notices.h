/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side, always: before calls of MPI and of functions that tell the time
 * host-rt is given them (uses.def, host.h), for what waits protect beside
 * memory that host code accesses.
 */
#ifndef CT_LLVM_PASS_HOST_NOTICES_H
#define CT_LLVM_PASS_HOST_NOTICES_H

#include "llvm/IR/Module.h"

namespace ct {

/// Returns true if M changed.
bool noticeCalls(llvm::Module &M);

} // namespace ct
#endif
