/* SPDX-License-Identifier: Apache-2.0 */
/* Sites: every place in a device function that touches memory, or that is
 * counted. */
#ifndef CT_LLVM_PASS_SITES_SITES_H
#define CT_LLVM_PASS_SITES_SITES_H

#include "llvm-pass/sites/filter.h"
#include "llvm-pass/sites/site.h"
#include "llvm-pass/spaces/spaces.h"
#include "llvm/Analysis/LoopInfo.h"
#include <vector>

namespace ct {

/// Where the pointers of one function point, in one context.
class PointerOracle {
public:
  virtual ~PointerOracle() = default;
  virtual PointerOrigin origin(const llvm::Value *Pointer) const = 0;
};

/// Tells the pass about the functions that a call may reach.
class CallOracle {
public:
  virtual ~CallOracle() = default;
  /// Why accesses behind this call go unseen; "" if they are seen or there are
  /// none.
  virtual std::string whyUnseen(const llvm::CallBase &Call) const = 0;
};

/// The sites of F: those that are recorded in program order, then the others.
std::vector<Site> collectSites(llvm::Function &F, const llvm::LoopInfo &Loops,
                               const PointerOracle &Pointers,
                               const CallOracle &Calls,
                               const SiteFilter &Filter, const Options &Opts);

} // namespace ct
#endif
