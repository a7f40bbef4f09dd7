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
#ifndef CT_CLANG_PLUGIN_DECLARED_H
#define CT_CLANG_PLUGIN_DECLARED_H

#include "clang/Sema/Sema.h"

namespace ct {

/// Whether F has no code for the host, whatever clang was given.
bool isForDevicesAlone(const clang::FunctionDecl *F);

class Declared {
public:
  /// CrossesSides: sides.h looks at what is called.
  Declared(clang::Sema &S, bool CrossesSides);
  ~Declared();

  /// F is declared, and has its attributes.
  void see(clang::FunctionDecl *F);

  /// Undoes what D was lent while it was read, before code is made of it.
  void restore(clang::Decl *D);

  /// Something is made of a template, and was made.
  void begin(const clang::Decl *Entity);
  void end();

private:
  clang::Sema &S;
  bool CrossesSides;
  llvm::DenseSet<const clang::FunctionDecl *> Known;
  llvm::DenseSet<const clang::FunctionDecl *> Inlined;
  llvm::SmallVector<bool, 8> Outer; // whether clang is lenient
  const clang::CXXRecordDecl *LastClass = nullptr;
  bool ClassIsMixed = false; // it has functions of both sides

  bool isKnown(const clang::FunctionDecl *F) const;
  void seeRedeclaration(clang::FunctionDecl *New);
  void seeSpecialisation(clang::FunctionDecl *New);
  void seeInstantiation(const clang::CXXRecordDecl *Pattern);
  void addSidesToAll(clang::FunctionDecl *F, unsigned Sides);
  void lendInline(clang::FunctionDecl *F);
  void lenient(bool Is);
  void noteContext(clang::FunctionDecl *F);
};

} // namespace ct
#endif
