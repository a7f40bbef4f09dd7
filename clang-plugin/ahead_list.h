/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What headers that were compiled ahead depend on, a file of lines:
 *
 *   compiled HASH SIZE          of the precompiled header
 *   file KIND SIZE TIME PATH    read, in their order; KIND: s of the system, u
 *   name KIND NAME              included or asked for; KIND: <, ", behind a +
 *                               where places behind the first matter as well
 *   at KIND PATH                a place of this name, in the order of folders
 *   macro NAME[=TEXT]           of the command line, which they mention
 *   spare NAME                  of the command line, which they do not
 *   word NAME                   any other name that they mention
 */
#ifndef CT_CLANG_PLUGIN_AHEAD_LIST_H
#define CT_CLANG_PLUGIN_AHEAD_LIST_H

#include "clang/Lex/HeaderSearch.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ct {

struct AheadList {
  struct File {
    std::string Path, Stamp;
    bool IsSystem;
  };
  /// In front of a name is its kind.
  using Places = std::vector<std::string>;

  std::string Compiled; // "HASH SIZE"
  std::vector<File> Files;
  std::map<std::string, Places> Names;
  std::vector<std::string> Macros; // as the command line has them
  std::vector<std::string> Spare;
  llvm::StringSet<> Words;

  /// Nothing where the text is no complete list.
  static std::optional<AheadList> parse(llvm::StringRef Text);
  std::string print() const;

  /// Whether headers would be read alike: from the same files, in the folders
  /// of Search, with these macros. Changed: not from the same files.
  bool fits(const clang::HeaderSearch &Search,
            llvm::ArrayRef<std::string> Defined, bool &Changed) const;
};

/// "SIZE TIME" of a file; empty: it is not there.
std::string stampOf(const std::string &Path);

/// Where Name, behind its kind, is found.
AheadList::Places placesOf(llvm::StringRef Name,
                           const clang::HeaderSearch &Search);

/// The name that "-D Definition" defines.
llvm::StringRef nameOf(llvm::StringRef Definition);

} // namespace ct
#endif
