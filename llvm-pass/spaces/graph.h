/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the values of a module can be derived from, in terms of the parameters
 * of their functions.
 */
#ifndef CT_PASS_SPACE_GRAPH_H
#define CT_PASS_SPACE_GRAPH_H

#include "llvm-pass/base/annotations.h"
#include "llvm-pass/spaces/memory.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include <cudatrace/unit.h>
#include <set>
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

  void note(unsigned Space, llvm::StringRef Name);
  void noteName(llvm::StringRef Name);
  void join(const PointerSources &Other);
};

/// Answers questions about the values of a module, and keeps the answers.
class PointerGraph {
public:
  PointerGraph(const llvm::Module &M, const KernelFactsMap &Facts,
               bool Relocatable)
      : Layout(M.getDataLayout()), Memory(M, Relocatable), Facts(Facts) {
    Undecided.note(CT_SPACE_GENERIC, "");
  }

  const PointerSources &sources(const llvm::Value *V);
  /// Of what F returns.
  const PointerSources &returned(const llvm::Function &F);
  /// Of what a call passes in a parameter of its callee.
  const PointerSources &passed(const llvm::CallBase &Call,
                               const llvm::Argument &A);

  /// The objects that an address may lie in, with the offset there; plain
  /// parameters among them. False if others are possible.
  bool objects(const llvm::Value *Address,
               llvm::SmallVectorImpl<MemoryPlace> &Found, unsigned Nesting = 0);
  /// Replaces parameters of the function that Path leads to by what is passed
  /// there; false if not every place is one that the first caller knows.
  bool climb(llvm::SmallVectorImpl<MemoryPlace> &Places,
             llvm::ArrayRef<const llvm::CallBase *> Path);

  std::string parameterName(const llvm::Argument &A) const;

  const llvm::DataLayout &Layout;
  ObjectMemory Memory;

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

/// enum ct_site_space of an LLVM address space: generic where it does not
/// say, 6 for a space that sites have no name for.
unsigned siteSpace(unsigned AddressSpace);

/// The same of the type of a pointer, or of a vector of them; generic for
/// others.
unsigned typeSpace(const llvm::Type *T);

/// The space that a function of the CUDA runtime, or an intrinsic, returns
/// pointers to; generic if unknown.
unsigned resultSpace(const llvm::Function &F);

/// The pointer that a call only marks, aligns or converts; null for other
/// calls.
const llvm::Value *passedThrough(const llvm::CallBase &Call);

/// The scalar at an offset in a type; null if there is none.
llvm::Type *scalarAt(llvm::Type *T, uint64_t Offset,
                     const llvm::DataLayout &Layout);

/// True if values of the type can hold a pointer, as such.
bool holdsPointer(llvm::Type *T);

/// True if an integer certainly has an address in it, not just a distance.
bool holdsPointer(const llvm::Value *Integer);

} // namespace ct
#endif
