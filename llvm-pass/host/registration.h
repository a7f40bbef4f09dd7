/* SPDX-License-Identifier: Apache-2.0 */
/* The entry point for host modules. */
#ifndef CT_PASS_REGISTRATION_H
#define CT_PASS_REGISTRATION_H

#include "llvm-pass/base/options.h"

namespace ct {

/// Registers clones, variables and unit blobs in a host module. Returns true if
/// M changed.
bool registerWithHost(llvm::Module &M, const Options &Opts);

} // namespace ct
#endif
