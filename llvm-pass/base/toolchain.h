/* SPDX-License-Identifier: Apache-2.0 */
/* Which files come with Clang or with a CUDA toolkit. */
#ifndef CT_LLVM_PASS_BASE_TOOLCHAIN_H
#define CT_LLVM_PASS_BASE_TOOLCHAIN_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace ct {

class Toolchain {
public:
  /// Whether File is a header of Clang, or is in or below a folder that holds
  /// CUDA's headers.
  bool holds(llvm::StringRef File) const;

private:
  mutable llvm::StringMap<bool> Directories; // looked at already
};

} // namespace ct
#endif
