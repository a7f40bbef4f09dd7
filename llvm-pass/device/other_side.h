/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the other side that code of both sides calls, as nvcc allows. */
#ifndef CT_LLVM_PASS_DEVICE_OTHER_SIDE_H
#define CT_LLVM_PASS_DEVICE_OTHER_SIDE_H

#include "llvm/IR/Module.h"

namespace ct {

/// Makes a trap of each function that the plugin has marked
/// (clang-plugin/sides.h), so that the module is complete; on the host it ends
/// the program with 1, as nvcc's. True if there is one.
bool trapOtherSide(llvm::Module &M);

} // namespace ct
#endif
