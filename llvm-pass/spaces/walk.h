/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The backward walk from a value to its sources: within its function, through
 * the calls that it makes and through memory. Asked by PointerGraph.
 */
#ifndef CT_PASS_SPACE_WALK_H
#define CT_PASS_SPACE_WALK_H

#include "llvm-pass/spaces/graph.h"

namespace ct {

/// What one value holds.
PointerSources walkFrom(PointerGraph &G, const llvm::Value *V);

/// What F returns; a call of itself returns what its arguments lead to.
PointerSources walkReturned(PointerGraph &G, const llvm::Function &F);

/// What the pointers of a T in memory are.
PointerSources walkStored(PointerGraph &G, const llvm::Value *Address,
                          llvm::Type *T);

} // namespace ct
#endif
