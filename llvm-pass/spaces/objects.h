/* SPDX-License-Identifier: Apache-2.0 */
/* The objects that an address may lie in. */
#ifndef CT_LLVM_PASS_SPACES_OBJECTS_H
#define CT_LLVM_PASS_SPACES_OBJECTS_H

#include "llvm-pass/spaces/sources.h"

namespace ct {

/// Adds the objects that an address may lie in, with the offset there; plain
/// parameters among them. False if others are possible. Nesting: of loads of
/// addresses.
bool findObjects(SourceOracle &G, const llvm::Value *Address,
                 llvm::SmallVectorImpl<MemoryPlace> &Found,
                 unsigned Nesting = 0);

/// Replaces parameters of the function that Path leads to by what is passed
/// there; false if not every place is one that the first caller knows.
bool climb(SourceOracle &G, llvm::SmallVectorImpl<MemoryPlace> &Places,
           llvm::ArrayRef<const llvm::CallBase *> Path);

} // namespace ct
#endif
