/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses as polynomials of what they are computed from, so that two of them
 * can be subtracted and one can be followed through a loop.
 *
 * An overflow that the IR calls poison is taken not to happen: ask only about
 * addresses that are certainly accessed.
 */
#ifndef CT_LLVM_PASS_ADDRESSES_ADDRESSES_H
#define CT_LLVM_PASS_ADDRESSES_ADDRESSES_H

#include "llvm-pass/addresses/polynomial.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include <vector>

namespace ct {

/// One of: a value, extended to 64 bits; the number of times that the back edge
/// of a loop was taken since it was entered; an expression of what does not
/// change in the loop that is followed, extended to 64 bits.
struct Atom {
  enum Extension : uint8_t { Sign, Zero };
  llvm::Value *V;
  Extension How; // of integers of less than 64 bits
  const llvm::Loop *Iterations = nullptr;
  const llvm::SCEV *Start = nullptr; // the expression
  const llvm::SCEV *Step =
      nullptr; // it must grow by this per iteration without a wrap
};

class Addresses {
public:
  /// Only: the loop that is followed; null: all loops.
  Addresses(const llvm::LoopInfo &Loops, llvm::ScalarEvolution &SE,
            const llvm::Loop *Only = nullptr)
      : Loops(Loops), SE(SE), Only(Only) {}

  /// Returns the address of a pointer to global memory, or a generic one.
  Polynomial of(llvm::Value *Pointer) { return visit(Pointer, Atom::Sign); }
  /// As if integers of less than 64 bits never wrapped.
  Polynomial hopefully(llvm::Value *Pointer);
  const Atom &atom(unsigned Number) const { return Atoms[Number]; }

  /// P = Start + Step * iterations of the loop that is followed, neither of
  /// which changes in it. False if P is not of this kind. It holds if no atom
  /// with a Step wraps.
  bool split(const Polynomial &P, Polynomial &Start, Polynomial &Step) const;

private:
  const llvm::LoopInfo &Loops;
  llvm::ScalarEvolution &SE;
  const llvm::Loop *Only;
  bool Hopeful = false;
  std::vector<Atom> Atoms;
  std::map<std::pair<const void *, int>, unsigned> Numbers;
  std::map<std::pair<const llvm::Value *, int>, Polynomial> Known, Hoped;
  llvm::SmallPtrSet<const llvm::PHINode *, 4> Open; // being followed
  unsigned Depth = 0;

  unsigned number(const void *Key, Atom A);
  Polynomial leaf(llvm::Value *V, Atom::Extension How);
  Polynomial opaque(llvm::Value *V, Atom::Extension How);
  Polynomial iterations(const llvm::Loop *L);
  bool isInvariant(const Atom &A, const llvm::Loop &L) const;
  Polynomial visit(llvm::Value *V, Atom::Extension How);
  Polynomial resolve(llvm::Value *V, Atom::Extension How);
  Polynomial element(llvm::GEPOperator &Element);
  Polynomial arithmetic(llvm::Operator &O, Atom::Extension How);
  Polynomial extension(llvm::CastInst &Cast, Atom::Extension How);
  Polynomial phi(llvm::PHINode &Phi, Atom::Extension How);
  bool advance(llvm::PHINode &Phi, Atom::Extension How, const llvm::Loop &L,
               Polynomial &Step);
};

/// Computes P; ValueOf: what an atom is there, before it is extended.
llvm::Value *
buildPolynomial(llvm::IRBuilder<> &B, const Addresses &From,
                const Polynomial &P,
                llvm::function_ref<llvm::Value *(const Atom &)> ValueOf);

} // namespace ct
#endif
