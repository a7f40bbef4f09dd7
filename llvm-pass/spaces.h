/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory a pointer can point to, and which variable it comes from. */
#ifndef CT_PASS_SPACES_H
#define CT_PASS_SPACES_H

#include "annotations.h"
#include "llvm/IR/Value.h"

namespace ct {

enum class Reach {
  Global,    // proven: global memory, whatever lane executes it
  Elsewhere, // proven: shared, local, constant or parameter memory
  Unknown,   // must be decided at run time
};

struct PointerOrigin {
  Reach Where;
  std::string Variable; // "" where unknown or more than one
};

/// Follows a pointer to the objects it may be derived from. Facts may be null.
PointerOrigin traceOrigin(const llvm::Value *Pointer, const KernelFacts *Facts);

} // namespace ct
#endif
