/* SPDX-License-Identifier: Apache-2.0 */
/* Launch and allocation sites in host code. */
#ifndef CT_CLANG_PLUGIN_CALL_SITES_H
#define CT_CLANG_PLUGIN_CALL_SITES_H

#include "clang-plugin/hooks.h"
#include "clang/AST/DeclBase.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace ct {

struct Api;

class CallSites {
public:
  explicit CallSites(clang::Sema &S) : S(S), H(S) {}

  /// Wraps the sites in the body or initialiser of D, each once. Uninstantiated
  /// templates and system headers are left alone: instantiations come as
  /// declarations of their own, and what headers do is attributed to their
  /// users.
  void augment(clang::Decl *D);

private:
  clang::Sema &S;
  Hooks H;
  llvm::SmallPtrSet<const clang::Expr *, 32> Done;
  friend class CallVisitor;

  bool isOurs(const clang::CallExpr *Call);
  void augmentKernelCall(clang::CallExpr *Call, clang::CallExpr *Config,
                         const clang::NamedDecl *Within);
  void augmentApiCall(clang::CallExpr *Call, const clang::NamedDecl *Within);
  /// Callee: by its address the runtime knows which call the site is for.
  void augment(clang::CallExpr *Call, const clang::NamedDecl *Within,
               const Api &Api, clang::FunctionDecl *Callee);
  clang::FunctionDecl *findEither(llvm::StringRef Symbol, bool IsPerThread);
  clang::FunctionDecl *launchFunction();
};

} // namespace ct
#endif
