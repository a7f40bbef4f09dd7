/* SPDX-License-Identifier: Apache-2.0 */
/* The entry point for host modules. */
#ifndef CT_LLVM_PASS_HOST_REGISTRATION_H
#define CT_LLVM_PASS_HOST_REGISTRATION_H

#include "llvm-pass/base/options.h"
#include "llvm-pass/blame/blame.h"

namespace ct {

/// Registers clones, variables and unit blobs in a host module, among them one
/// of its own with Flows (blame.h), if there are any. Returns true if M
/// changed.
bool registerWithHost(llvm::Module &M, const Options &Opts,
                      const BlameFacts &Flows);

} // namespace ct
#endif
