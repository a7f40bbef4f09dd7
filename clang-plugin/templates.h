/* SPDX-License-Identifier: Apache-2.0 */
/* Reads from tokens what only they show of templates. */
#ifndef CT_CLANG_PLUGIN_TEMPLATES_H
#define CT_CLANG_PLUGIN_TEMPLATES_H

#include "clang/Lex/Preprocessor.h"

namespace ct {

/// Sees each token once, when the parser asks for it first.
class TemplateWatcher {
public:
  explicit TemplateWatcher(clang::Preprocessor &PP) : PP(PP) {}

  void see(clang::Token &T);

  /// Whether what is declared at At is behind "template <>".
  static bool isSpecialisation(clang::SourceLocation At,
                               const clang::SourceManager &Sources);

private:
  clang::Preprocessor &PP;
  clang::tok::TokenKind Before = clang::tok::unknown,
                        BeforeThat = clang::tok::unknown;
  clang::SourceLocation Begin; // of the last "template"
  bool Instantiates = false;   // within an explicit instantiation

  void hideSide(clang::Token &T);
};

} // namespace ct
#endif
