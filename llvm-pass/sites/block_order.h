/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which the blocks of a function are numbered. */
#ifndef CT_LLVM_PASS_SITES_BLOCK_ORDER_H
#define CT_LLVM_PASS_SITES_BLOCK_ORDER_H

#include "llvm/Analysis/LoopInfo.h"
#include <vector>

namespace ct {

/// All blocks: each behind what leads to it (back edges aside), and the blocks
/// of a loop together, before what follows the loop. So a lane at a smaller
/// site never has to wait for one at a larger site to meet it again: the CPU
/// target's alignment of lanes relies on that (cpu-target/runtime/align.h).
std::vector<llvm::BasicBlock *> programOrder(llvm::Function &F,
                                             const llvm::LoopInfo &Loops);

} // namespace ct

#endif
