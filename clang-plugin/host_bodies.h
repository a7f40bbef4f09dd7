/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions for devices that host code names (option "nvcc-sides" of the
 * plugin). To nvcc all functions are there for operands that are not evaluated
 * (decltype, requirements, default arguments of templates), and for addresses;
 * clang leaves those of the other side out of overloads, whatever asks. So a
 * host function is for both sides while its body is read, and clang takes
 * functions for devices where no other fits. What is evaluated is refused when
 * the body is known (sides.h). Initialisers of variables that no function has
 * may call them as well.
 */
#ifndef CT_CLANG_PLUGIN_HOST_BODIES_H
#define CT_CLANG_PLUGIN_HOST_BODIES_H

#include "clang/Sema/Sema.h"

namespace ct {

class HostBodies {
public:
  /// The unit is compiled for the host.
  explicit HostBodies(clang::Sema &S);
  ~HostBodies();

  /// The parser asks for a token that it has not seen before.
  static void seeToken();

  /// F is declared, which clang compares with what has its name.
  static void seeDeclaration(const clang::FunctionDecl *F);

  /// Whether a function has A only while it is read.
  static bool isLent(const clang::Attr *A);

  /// Takes back what D was lent, before code is made of it.
  void restore(clang::Decl *D);

  /// The class is read; the bodies in it come next.
  void seeClass(const clang::TagDecl *D);

  /// Something is made of a template, and was made.
  void begin(const clang::Sema::CodeSynthesisContext &Context);
  void end();

private:
  clang::Sema &S;
  clang::CUDADeviceAttr *ForDevices;
  clang::CUDAHostAttr *ForHost;
  const clang::DeclContext *Context = nullptr; // of the last token
  clang::FunctionDecl *Reading = nullptr;      // the outermost function there
  clang::VarDecl *Initialised = nullptr;       // the last variable that was
  llvm::SmallVector<clang::FunctionDecl *> InClasses; // whose bodies come next
  // The attributes that are lent while something is made; null: none.
  llvm::SmallVector<std::pair<clang::FunctionDecl *, clang::FunctionDecl *>, 8>
      Made;

  bool lend(clang::FunctionDecl *F);
  void takeBack(clang::FunctionDecl *F);
  void lendMembers(const clang::CXXRecordDecl *Class);
  void follow();
  void openInitialiser();
  void makeValid(clang::VarDecl *Variable);
};

} // namespace ct
#endif
