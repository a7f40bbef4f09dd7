/* SPDX-License-Identifier: Apache-2.0 */
/* Polynomials with 64-bit coefficients, modulo 2^64. */
#include "llvm-pass/addresses/polynomial.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

static const size_t MaxTerms = 16, MaxDegree = 4;

ct::Polynomial ct::Polynomial::constant(uint64_t Value) {
  Polynomial P;
  P.addTerm({}, Value);
  return P;
}

ct::Polynomial ct::Polynomial::atom(unsigned Number) {
  Polynomial P;
  P.addTerm({Number}, 1);
  return P;
}

void ct::Polynomial::addTerm(const Product &Atoms, uint64_t Coefficient) {
  uint64_t &Sum = Terms[Atoms];
  Sum += Coefficient;
  if (!Sum)
    Terms.erase(Atoms);
}

ct::Polynomial &ct::Polynomial::add(const Polynomial &Other, uint64_t Factor) {
  for (auto &[Atoms, Coefficient] : Other.Terms)
    addTerm(Atoms, Coefficient * Factor);
  return *this;
}

ct::Polynomial ct::Polynomial::times(const Polynomial &Other) const {
  Polynomial Result;
  for (auto &[Left, LeftCoefficient] : Terms)
    for (auto &[Right, RightCoefficient] : Other.Terms) {
      Product Atoms = Left;
      Atoms.append(Right.begin(), Right.end());
      llvm::sort(Atoms);
      Result.addTerm(Atoms, LeftCoefficient * RightCoefficient);
    }
  return Result;
}

bool ct::Polynomial::isTooLarge() const {
  return Terms.size() > MaxTerms || any_of(Terms, [](auto &Term) {
           return Term.first.size() > MaxDegree;
         });
}
