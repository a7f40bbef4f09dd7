/* SPDX-License-Identifier: Apache-2.0 */
/* Polynomials with 64-bit coefficients, modulo 2^64. */
#ifndef CT_LLVM_PASS_ADDRESSES_POLYNOMIAL_H
#define CT_LLVM_PASS_ADDRESSES_POLYNOMIAL_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>

namespace ct {

class Polynomial {
public:
  /// The atoms of a product in ascending order; none: the constant term.
  using Product = llvm::SmallVector<unsigned, 2>;

  static Polynomial constant(uint64_t Value);
  static Polynomial atom(unsigned Number);

  Polynomial &add(const Polynomial &Other, uint64_t Factor = 1);
  Polynomial times(const Polynomial &Other) const;

  /// Coefficients by products, without zeros.
  const std::map<Product, uint64_t> &terms() const { return Terms; }
  bool operator==(const Polynomial &Other) const {
    return Terms == Other.Terms;
  }
  /// More is not worth its code.
  bool isTooLarge() const;

private:
  std::map<Product, uint64_t> Terms;
  void addTerm(const Product &Atoms, uint64_t Coefficient);
};

} // namespace ct
#endif
