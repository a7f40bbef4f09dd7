/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel launches in device code (dynamic parallelism). */
#ifndef CT_LLVM_PASS_SITES_LAUNCHES_H
#define CT_LLVM_PASS_SITES_LAUNCHES_H

#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <string>

namespace ct {

/// The kernel that a call launches, "unknown kernel" if it is not a constant;
/// none if the call launches nothing.
std::optional<std::string> launchedKernel(const llvm::CallBase &Call);

} // namespace ct
#endif
