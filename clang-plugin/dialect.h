/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What nvcc reads and clang does not (option "nvcc" of the plugin), put right
 * in the text of a file before clang reads it, byte for byte at its place, so
 * that lines and columns stay what they are:
 *
 *   k << <grid, block>> >(p)         launches as old formatters left them
 *   asm("…" : "=r"(a) "r"(b))        operands without a comma
 */
#ifndef CT_CLANG_PLUGIN_DIALECT_H
#define CT_CLANG_PLUGIN_DIALECT_H

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include <optional>
#include <string>

namespace ct {

/// The text put right, nothing if it is right as it is. Text ends with a NUL
/// that is not part of it.
std::optional<std::string> inClangsWords(llvm::StringRef Text,
                                         const clang::LangOptions &LangOpts);

/// Looks at the main file, and at each file when it is included.
void readDialect(clang::CompilerInstance &CI);

/// From now on errors are none of what nvcc takes: "template" left out where
/// clang knows that one is meant, extern objects of any type in shared memory
/// (those with a size are defined by the pass, llvm-pass/device/whole.h), and,
/// with CrossesSides, references to the other side (sides.h). Before a
/// precompiled header is read: its places keep what holds then.
void takeWhatNvccTakes(clang::DiagnosticsEngine &Diagnostics, bool IsNvcc,
                       bool CrossesSides);

} // namespace ct
#endif
