/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of cudatrace/host.h, and expressions that call them. */
#ifndef CT_CLANG_PLUGIN_HOOKS_H
#define CT_CLANG_PLUGIN_HOOKS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/Sema.h"

namespace ct {

class Hooks {
public:
  explicit Hooks(clang::Sema &S) : S(S) {}

  /// The function with C linkage of that name that the host can call, null if
  /// none is declared.
  clang::FunctionDecl *find(llvm::StringRef Name);

  /// hook(Argument, Site, Api), converted back to Argument's type. Argument
  /// itself if the header is not included, or the types do not convert. The
  /// nodes are built by hand: Sema would diagnose, and the user wrote none of
  /// this.
  clang::Expr *wrap(llvm::StringRef Hook, clang::Expr *Argument,
                    const std::string &Site, clang::FunctionDecl *Api);

private:
  clang::Sema &S;
  llvm::StringMap<clang::FunctionDecl *> Known;
};

} // namespace ct
#endif
