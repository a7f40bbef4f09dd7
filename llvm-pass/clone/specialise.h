/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Specialisation: which functions are traced, in which contexts (seed 001,
 * section 5.3, Figure 5.6). A function called with different patterns of global
 * arguments is traced once for each pattern, so that what is definite at one
 * call stays definite; patterns that make no difference share a trace.
 */
#ifndef CT_LLVM_PASS_CLONE_SPECIALISE_H
#define CT_LLVM_PASS_CLONE_SPECIALISE_H

#include "llvm-pass/clone/callgraph.h"
#include "llvm-pass/clone/clone.h"
#include "llvm-pass/spaces/spaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <vector>

namespace ct {

/// Owner of the traced functions, in the order of the site table.
class TracedFunctions {
public:
  using Collector =
      llvm::function_ref<std::vector<Site>(llvm::Function &, const Pattern &)>;

  using KernelPredicate = llvm::function_ref<bool(llvm::Function &)>;

  /// Finds contexts from the entry points on, collects the sites of each and
  /// marks what needs a clone. Of a kernel that gets no clone only its own
  /// sites are listed: what only it calls is not traced.
  TracedFunctions(const CallGraph &Calls, const SpaceAnalysis &Spaces,
                  KernelPredicate GetsClone, Collector Collect);

  auto begin() const { return Order.begin(); }
  auto end() const { return Order.end(); }
  /// The trace of F for callers that are not known.
  TracedFunction *entry(llvm::Function *F) const { return Entries.lookup(F); }
  /// True if what the call reaches, directly or through a pointer, has a clone.
  bool redirects(const TracedFunction &T, const llvm::CallBase &Call) const;
  /// True of a kernel in which nothing is recorded, nor behind its calls.
  bool isSilent(const TracedFunction &T) const;

private:
  using Contexts =
      llvm::MapVector<llvm::Function *, llvm::SmallVector<Pattern, 2>>;
  const CallGraph &Calls;
  const SpaceAnalysis &Spaces;
  std::vector<std::unique_ptr<TracedFunction>> Order;
  llvm::DenseMap<llvm::Function *, TracedFunction *> Entries;

  void collect(const Contexts &Found, Collector Collect);
  void connect();
  void merge();
  void markNeeded();
};

} // namespace ct
#endif
