/* SPDX-License-Identifier: Apache-2.0 */
/* Backward slices of a function's variables, as lists by place. */
#ifndef CT_LLVM_PASS_BLAME_SLICES_H
#define CT_LLVM_PASS_BLAME_SLICES_H

#include "llvm-pass/blame/blame.h"
#include "llvm-pass/blame/graph.h"

namespace ct {

/// Summarises what functions leave behind and on what it depends.
Summary summarise(const Graph &G, Pointers &P);

/// Adds the variables, statements and calls of functions to facts.
class Slices {
public:
  explicit Slices(BlameFacts &Facts) : Facts(Facts) {}
  void add(const Graph &G, const Storages &S);

private:
  BlameFacts &Facts;
  llvm::DenseMap<const llvm::Value *, uint32_t> Globals; // shown ones
};

} // namespace ct
#endif
