/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches whose grid, block, memory or stream is written in braces,
 * k<<<{x, y}, {n}>>>: clang's parser has no initializer lists there. The name
 * of the type is put before each, as the parser takes the tokens, so that
 * macros and templates may have them, and every place stays that of the source.
 */
#ifndef CT_CLANG_PLUGIN_LAUNCHES_H
#define CT_CLANG_PLUGIN_LAUNCHES_H

#include "clang/Lex/Preprocessor.h"

namespace ct {

/// Sees each token once, when the parser asks for it first.
class LaunchWatcher {
public:
  explicit LaunchWatcher(clang::Preprocessor &PP) : PP(PP) {}

  void see(clang::Token &T);

private:
  /// A launch that is open.
  struct Launch {
    unsigned Depth = 0;    // of brackets within it
    unsigned Argument = 0; // that is read
    bool Begins = true;    // the next token is its first one
  };

  clang::Preprocessor &PP;
  llvm::SmallVector<Launch, 2> Open;

  void putType(clang::Token &Brace, unsigned Argument);
};

} // namespace ct
#endif
