/* SPDX-License-Identifier: Apache-2.0 */
/* Says what a value can be derived from, and who answers that. */
#ifndef CT_LLVM_PASS_SPACES_SOURCES_H
#define CT_LLVM_PASS_SPACES_SOURCES_H

#include "llvm-pass/spaces/memory.h"
#include "llvm/ADT/SetVector.h"
#include <optional>
#include <string>

namespace ct {

/// The join of what a value may be derived from. Empty: no execution gets a
/// defined address here.
struct PointerSources {
  uint8_t Spaces = 0; // bits 1 << enum ct_site_space; generic: unknown
  /// Parameters of the function: itself, or what the aggregate passed in it
  /// holds.
  llvm::SmallSetVector<const llvm::Argument *, 2> Parameters;
  /// The variable, if everything but Parameters has the same name.
  std::string Variable;
  bool OneVariable = true;
  /// Nothing but addresses of variables of the module: not what they hold.
  bool OnlyAddresses = true;

  void note(unsigned Space, llvm::StringRef Name);
  void noteName(llvm::StringRef Name);
  void join(const PointerSources &Other);
};

/// Answers questions about the values of a module; the walks that find the
/// answers ask it in turn.
class SourceOracle {
public:
  SourceOracle(const llvm::Module &M, bool Relocatable)
      : Layout(M.getDataLayout()), Memory(M, Relocatable) {}
  virtual ~SourceOracle() = default;

  virtual const PointerSources &sources(const llvm::Value *V) = 0;
  /// Returns the sources of what F returns.
  virtual const PointerSources &returned(const llvm::Function &F) = 0;
  virtual std::string parameterName(const llvm::Argument &A) const = 0;
  /// Names the pointer there in a structure passed by value; the structure
  /// itself where that is not known.
  virtual std::string memberName(const llvm::Argument &A,
                                 std::optional<int64_t> Offset) const = 0;

  const llvm::DataLayout &Layout;
  ObjectMemory Memory;
};

} // namespace ct
#endif
