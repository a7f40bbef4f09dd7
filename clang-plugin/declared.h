/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For which sides a function is, as nvcc takes it from all its declarations
 * (option "nvcc" of the plugin). clang takes declarations that differ in
 * __host__ and __device__ for overloads, or refuses them; nvcc takes them for
 * one function, which is for all the sides that they name, a declaration
 * without a word for the host. A specialisation is for the sides of its
 * template as well.
 *
 * The headers of cuda-trace-nvcc put the attribute ct_declared on all functions
 * that follow, so that each is seen before clang compares it with earlier ones.
 * Two bodies stay what they are to clang: overloads, which nvcc has none of.
 */
#ifndef CT_PLUGIN_DECLARED_H
#define CT_PLUGIN_DECLARED_H

#include "clang/Sema/Sema.h"

namespace ct {

class Declared {
public:
  explicit Declared(clang::Sema &S);
  ~Declared();

  /// F is declared, and has its attributes.
  void see(clang::FunctionDecl *F);

  /// Undoes what D was lent while it was read, before code is made of it.
  void restore(clang::Decl *D);

private:
  clang::Sema &S;
  llvm::DenseSet<const clang::FunctionDecl *> Known;
  llvm::DenseSet<const clang::FunctionDecl *> Inlined;

  bool isKnown(const clang::FunctionDecl *F) const;
  void seeRedeclaration(clang::FunctionDecl *New);
  void seeSpecialisation(clang::FunctionDecl *New);
  void lendInline(clang::FunctionDecl *F);
};

} // namespace ct
#endif
