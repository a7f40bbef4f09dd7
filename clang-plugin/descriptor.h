/* SPDX-License-Identifier: Apache-2.0 */
/* Text of source positions and expressions, for site descriptors (host.h). */
#ifndef CT_CLANG_PLUGIN_DESCRIPTOR_H
#define CT_CLANG_PLUGIN_DESCRIPTOR_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <string>

namespace ct {

/// Fields joined by CT_FIELD_SEPARATOR.
class Descriptor {
public:
  Descriptor(const clang::ASTContext &Context, llvm::StringRef Kind)
      : Context(Context), Text(Kind) {}

  Descriptor &add(llvm::StringRef Field);
  /// file, line and column, as the user sees them: of what was written in the
  /// argument of a macro there, of what a macro's body says at its expansion.
  Descriptor &addPosition(clang::SourceLocation Where);
  /// An expression as it was written, on one line.
  Descriptor &addExpression(const clang::Expr *E);
  /// A function with its scopes and template arguments.
  Descriptor &addName(const clang::NamedDecl *D);

  const std::string &str() const { return Text; }

private:
  const clang::ASTContext &Context;
  std::string Text;
};

/// The variable whose address a call gets, or the expression itself: d->a of
/// (void **)&d->a.
const clang::Expr *namedVariable(const clang::Expr *E);

} // namespace ct
#endif
