/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The backward walk from a value to its sources: within its function, through
 * the calls that it makes and through memory.
 */
#ifndef CT_LLVM_PASS_SPACES_WALK_H
#define CT_LLVM_PASS_SPACES_WALK_H

#include "llvm-pass/spaces/sources.h"
#include "llvm/IR/Instructions.h"
#include <cudatrace/unit.h>
#include <set>

namespace ct {

/// One walk: ask it one question.
class SourceWalk {
public:
  explicit SourceWalk(SourceOracle &G) : G(G) {}

  /// Returns the sources of one value.
  PointerSources from(const llvm::Value *V);
  /// Returns the sources of what F returns; a call of itself returns what its
  /// arguments lead to.
  PointerSources returnedBy(const llvm::Function &F);
  /// Returns the sources of pointers in a T in memory.
  PointerSources stored(const llvm::Value *Address, llvm::Type *T);

private:
  static constexpr unsigned VisitLimit = 1024, PlaceLimit = 64;
  static constexpr unsigned ChainLimit = 64; // unreachable code may go round
  struct Item {
    const llvm::Value *V;
    unsigned Forced; // the space that a type on the way here names
    bool Integers;   // integers count: they hold the address here
  };
  SourceOracle &G;
  PointerSources Result;
  llvm::SmallVector<Item, 16> Pending;
  std::set<std::tuple<const llvm::Value *, unsigned, bool>> Seen;
  std::set<std::tuple<const llvm::Value *, std::optional<int64_t>, unsigned>>
      SeenPlaces;
  const llvm::Function *Self = nullptr;
  llvm::SmallVector<const llvm::CallBase *, 2> SelfCalls;

  void push(const llvm::Value *V, unsigned Forced, bool Integers);
  void drain();
  void note(unsigned Space, llvm::StringRef Name, unsigned Forced);
  void noteUnknown(unsigned Forced) { note(CT_SPACE_GENERIC, "", Forced); }
  void visit(Item From);
  void visitConstant(const llvm::Constant &C, Item From);
  void visitArgument(const llvm::Argument &A, Item From);
  void visitInstruction(const llvm::Instruction &I, Item From);
  void visitArithmetic(const llvm::BinaryOperator &Sum, Item From);
  /// Aggregates and vectors, and conversions of integers.
  void visitParts(const llvm::Instruction &I, Item From);
  void visitExtract(const llvm::ExtractValueInst &Extract, Item From);
  void visitCall(const llvm::CallBase &Call, Item From);
  void joinConcrete(PointerSources Other, unsigned Forced);
  /// Pushes what the caller passes in A.
  void pushArgument(const llvm::CallBase &Call, const llvm::Argument &A,
                    unsigned Forced);

  // In walk_memory.cpp.
  /// Visits what is loaded from there as type T.
  void visitMemory(const llvm::Value *Address, llvm::Type *T, unsigned Forced);
  void visitPlace(MemoryPlace Place, llvm::Type *T, unsigned Forced);
  /// A parameter's content at first: the host fills those of kernels.
  void visitPassed(const llvm::Argument &A, MemoryPlace Place, llvm::Type *T,
                   unsigned Forced);
  /// A variable's content at first. Returns whether device code can write it.
  bool visitInitial(const llvm::GlobalVariable &GV, MemoryPlace Place,
                    llvm::Type *T, unsigned Forced);
  /// True if a write only concerns parts of an aggregate T that hold no
  /// pointers.
  bool isBeside(const MemoryWrite &Write, MemoryPlace Place,
                llvm::Type *T) const;
  void visitWrite(const MemoryWrite &Write, MemoryPlace Place, llvm::Type *T,
                  unsigned Forced);
  void visitCopy(const MemoryWrite &Write, MemoryPlace Place, llvm::Type *T,
                 unsigned Forced);
  /// A value of another function: one that Path leads to from here (InCaller),
  /// or one that says nothing of who called it.
  void joinForeign(const llvm::Value *V,
                   llvm::ArrayRef<const llvm::CallBase *> Path, unsigned Forced,
                   bool InCaller);
};

} // namespace ct
#endif
