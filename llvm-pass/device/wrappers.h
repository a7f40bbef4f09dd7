/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small functions of CUDA's and Clang's headers within those of the program.
 *
 * Without optimisation atomicAdd is a function of a header, so all of a
 * program's atomics would be accesses of one line of that header. Inlined into
 * the program's functions that call them, such accesses are their callers'.
 */
#ifndef CT_PASS_WRAPPERS_H
#define CT_PASS_WRAPPERS_H

#include "llvm/IR/Module.h"

namespace ct {

/// Returns whether M was changed. For code that was not optimised: other code
/// has them inlined already.
bool inlineWrappers(llvm::Module &M);

} // namespace ct
#endif
