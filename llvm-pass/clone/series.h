/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses of a block at constant distances, as unrolled loops have them by the
 * hundred: one hook for all of them (__ct_series), which is given a table. Each
 * is recorded as it would be alone; there are fewer calls for ptxas to keep
 * registers across, which takes it longer than all else.
 */
#ifndef CT_LLVM_PASS_CLONE_SERIES_H
#define CT_LLVM_PASS_CLONE_SERIES_H

#include "llvm-pass/addresses/addresses.h"
#include "llvm-pass/base/hooks.h"
#include "llvm-pass/clone/clone.h"

namespace ct {

/// At least three of TracedFunction::Sites, in program order; between them
/// nothing is recorded.
struct Series {
  std::vector<size_t> Sites;
  std::vector<int64_t> Distances; // from the first, in bytes
  bool AreLoads; // all of them: the hook is that of the last, else of the first

  size_t hookSite() const { return AreLoads ? Sites.back() : Sites.front(); }
};

/// The series of a clone that has no hooks at its accesses yet. Avoid: sites
/// that are recorded otherwise.
std::vector<Series> findSeries(const TracedFunction &F, Addresses &Addresses,
                               llvm::function_ref<bool(size_t)> Avoid);

/// Where the builder stands, of that state. Address: of the first one.
void callSeries(const TracedFunction &F, const Series &S, const Hooks &H,
                HookBuilder &B, llvm::Value *Address);

} // namespace ct
#endif
