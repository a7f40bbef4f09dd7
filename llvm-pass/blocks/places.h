/* SPDX-License-Identifier: Apache-2.0 */
/* Where the source asks for an instruction. */
#ifndef CT_LLVM_PASS_BLOCKS_PLACES_H
#define CT_LLVM_PASS_BLOCKS_PLACES_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"

namespace ct {

/// The location of I. Optimisers leave instructions without one, or without a
/// line: those are where the nearest of their users is, which their value flows
/// into; of what has no users that have one, where the instruction before it
/// is. Null: nothing in the block has a line.
const llvm::DILocation *placeOf(const llvm::Instruction &I);

} // namespace ct
#endif
