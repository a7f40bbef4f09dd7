/* SPDX-License-Identifier: Apache-2.0 */
/* Source locations of instructions in the user's terms. */
#ifndef CT_LLVM_PASS_BASE_LOCATION_H
#define CT_LLVM_PASS_BASE_LOCATION_H

#include "llvm/IR/DebugInfoMetadata.h"
#include <string>

namespace ct {

/// The file as the user wrote it: clang splits absolute paths that share a
/// prefix with the working directory; only then are the halves joined.
std::string sourcePath(const llvm::DIFile *File,
                       const llvm::DICompileUnit *Unit);

/// The file of a location, in the same form.
std::string sourcePath(const llvm::DILocation &Location);

/// The location that an instruction carries itself; null: none with a line.
const llvm::DILocation *ownLocation(const llvm::Instruction &I);

/// Where an instruction stands in the source, of which it has a line; null: its
/// function has no debug information. Optimisers leave instructions without a
/// line. A load stands where what it brings is used first then, a branch where
/// its condition is; of others, and of those where that has none either, it is
/// the line of what is executed before them, in the block or ahead of it.
const llvm::DILocation *locationOf(const llvm::Instruction &I);

/// The mangled name of the function that a location belongs to.
std::string functionName(const llvm::DILocation &Location);

} // namespace ct
#endif
