/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls to the other side as nvcc takes them (option "nvcc-sides" of the
 * plugin): a __host__ __device__ function may call one that is for one side
 * alone, which clang refuses. It gets a warning here, and the callee a name by
 * which the pass knows it and makes a trap of it
 * (llvm-pass/device/other_side.h). Host code may take the address of a function
 * for devices, and headers of the system may call one; so may templates whose
 * arguments choose what is called, and initialisers of variables that no
 * function has. There nvcc's host program has
 * constexpr functions for devices as they are, and of constructors and
 * destructors all but the body. What nvcc refuses as well stays an error: a
 * call from a function for one side alone. What clang makes by itself, or
 * "= default", is for both sides: in device code the functions for the host
 * that it calls do nothing.
 */
#ifndef CT_CLANG_PLUGIN_SIDES_H
#define CT_CLANG_PLUGIN_SIDES_H

#include "clang/Sema/Sema.h"

namespace ct {

/// Names of functions of the other side begin with this.
constexpr llvm::StringLiteral OtherSide = "__ct_other_side_";

class Sides {
public:
  /// From now on clang lets references to the other side pass.
  explicit Sides(clang::Sema &S);

  /// Looks at the calls in the body of D, before code is made of it.
  void examine(clang::Decl *D);

  /// Tells what nvcc refuses as well, when all declarations of a function are
  /// known: calls from functions for devices alone.
  void finish();

private:
  struct Call {
    clang::FunctionDecl *Caller, *Callee;
    clang::SourceLocation Where;
  };

  clang::Sema &S;
  unsigned Warning, Error, Wrong, OfHost, OfDevice;
  std::vector<Call> Refused;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> Lent; // to the host
  // That clang or "= default" made, and code for devices reaches; and those of
  // the host that they call, whose bodies device code does not have.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 16> Defaulted, Emptied;
  friend class SideVisitor;

  void examineReference(clang::FunctionDecl *Caller,
                        clang::FunctionDecl *Callee,
                        clang::SourceLocation Where, bool IsCalled);
  void examineDropped(clang::FunctionDecl *Function);
  void examineVariable(clang::FunctionDecl *Caller, clang::VarDecl *Variable,
                       clang::SourceLocation Where);
  void examineBody(clang::FunctionDecl *Function);
  bool examineMade(clang::FunctionDecl *Caller, clang::FunctionDecl *Callee);
  void examineDefaulted(clang::FunctionDecl *Function);
  void leaveEmpty(clang::FunctionDecl *Function);
  void trap(clang::FunctionDecl *Callee);
  bool isMade(const clang::FunctionDecl *Caller) const;
  bool isKept(const clang::FunctionDecl *Callee) const;
  bool runsDefaults(const clang::FunctionDecl *Caller) const;
  bool isInitialiser(const clang::FunctionDecl *Caller) const;
  void lendToHost(clang::FunctionDecl *Callee);
  void examineMembers(clang::CXXDestructorDecl *Destructor);
  const clang::ASTContext &context() const;
  /// A call that clang has left out of the function's code, since it knows
  /// while it reads that the function is emitted for the other side as well.
  void refuse(clang::SourceLocation Where);
};

} // namespace ct
#endif
