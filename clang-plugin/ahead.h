/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The headers that clang reads before a CUDA source, compiled ahead (option
 * "ahead=DIRECTORY" of the plugin). They take most of the time that a small
 * source takes, and are the same for all sources. The second source that they
 * are read for in the same way has clang make a precompiled header of them in
 * the directory, and those that follow use it:
 *
 *   DIRECTORY/KEY/          KEY: hash of clang, the plugin and whatever clang
 *                           is reported but macros, folders of headers and
 * names of files HASH.seen             macros of that hash were seen once
 *     HASH.list             what the headers depend on (ahead_list.h), complete
 *     HASH.pch              when it is there
 *
 * Everything else of the unit is as if they had been read: macros that they do
 * not mention, dependencies, what the plugin does to declarations.
 */
#ifndef CT_CLANG_PLUGIN_AHEAD_H
#define CT_CLANG_PLUGIN_AHEAD_H

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include <memory>
#include <optional>
#include <string>

namespace ct {

/// Headers that a unit has from the cache.
class HeadersAhead {
public:
  /// Finds them before clang reads a precompiled header, and has clang read
  /// them. Null: there are none for this unit.
  static std::unique_ptr<HeadersAhead> find(clang::CompilerInstance &CI,
                                            llvm::StringRef Directory);
  ~HeadersAhead();

  /// Behind them: what is left of clang's text before a source, and of the
  /// dependencies.
  void begin();

private:
  struct Made;
  clang::CompilerInstance &CI;
  std::unique_ptr<Made> Headers;
  std::string Predefines;
  std::vector<std::shared_ptr<clang::DependencyCollector>> Collectors;

  HeadersAhead(clang::CompilerInstance &CI, std::unique_ptr<Made> Headers);
};

/// While headers are compiled ahead: what they depend on.
class AheadWriter {
public:
  AheadWriter(clang::CompilerInstance &CI, llvm::StringRef List);
  ~AheadWriter();

  /// Writes the list, or has clang write nothing.
  void finish();

private:
  class Dependencies;
  class Names;
  clang::CompilerInstance &CI;
  std::string List;
  std::shared_ptr<Dependencies> Files;
  Names *Seen;
};

} // namespace ct
#endif
