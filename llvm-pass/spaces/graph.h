/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the values of a module can be derived from, in terms of the parameters
 * of their functions.
 */
#ifndef CT_LLVM_PASS_SPACES_GRAPH_H
#define CT_LLVM_PASS_SPACES_GRAPH_H

#include "llvm-pass/base/annotations.h"
#include "llvm-pass/spaces/sources.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cudatrace/unit.h>
#include <memory>
#include <set>

namespace ct {

/// Answers questions about the values of a module, and keeps the answers.
class PointerGraph : public SourceOracle {
public:
  PointerGraph(const llvm::Module &M, const KernelFactsMap &Facts,
               bool Relocatable)
      : SourceOracle(M, Relocatable), Facts(Facts) {
    Undecided.note(CT_SPACE_GENERIC, "");
  }

  const PointerSources &sources(const llvm::Value *V) override;
  const PointerSources &returned(const llvm::Function &F) override;
  /// Returns the sources of what a call passes in a parameter of its callee.
  const PointerSources &passed(const llvm::CallBase &Call,
                               const llvm::Argument &A);
  std::string parameterName(const llvm::Argument &A) const override;
  std::string memberName(const llvm::Argument &A,
                         std::optional<int64_t> Offset) const override;

private:
  using Answers =
      llvm::DenseMap<const llvm::Value *, std::unique_ptr<PointerSources>>;
  static constexpr unsigned DepthLimit = 24; // of questions within questions
  const KernelFactsMap &Facts;
  Answers Known, Returns, Contents;
  std::set<std::pair<const Answers *, const llvm::Value *>>
      Open; // being answered
  PointerSources Undecided;

  const PointerSources &answer(Answers &Kept, const llvm::Value *Key,
                               llvm::function_ref<PointerSources()> Ask);
};

} // namespace ct
#endif
