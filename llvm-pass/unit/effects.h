/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels do that no access to memory shows: they print, or end with an
 * error of their own (cudatrace/host.h). The device side leaves it to the host
 * side, a line each: a number and the kernel's name; without a name of all
 * functions that the unit exports.
 */
#ifndef CT_LLVM_PASS_UNIT_EFFECTS_H
#define CT_LLVM_PASS_UNIT_EFFECTS_H

#include "llvm-pass/clone/callgraph.h"
#include <string>

namespace ct {

/// Describes those kernels that do any such thing, and exported functions.
std::string effectsText(const CallGraph &Calls);

/// Take(name, effects), line by line.
void readEffects(llvm::StringRef Text,
                 llvm::function_ref<void(llvm::StringRef, uint32_t)> Take);

} // namespace ct
#endif
