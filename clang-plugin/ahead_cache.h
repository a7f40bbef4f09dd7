/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of headers that were compiled ahead: in the folder of a key, what there
 * is and what is to be made. Nothing of it is trusted that another user could
 * have written, and nothing that is not what its list says it is. Whoever
 * deletes files of it loses the time to make them.
 */
#ifndef CT_CLANG_PLUGIN_AHEAD_CACHE_H
#define CT_CLANG_PLUGIN_AHEAD_CACHE_H

#include "clang-plugin/ahead_list.h"

namespace ct {

class AheadCache {
public:
  struct Entry {
    AheadList List;
    int Descriptor; // of the precompiled header, open; whose caller closes it
  };

  AheadCache(llvm::StringRef Directory, llvm::StringRef Key);

  std::optional<Entry> find(const clang::HeaderSearch &Search,
                            llvm::ArrayRef<std::string> Defined) const;

  /// Whether the caller is to make what was not found: the macros were asked
  /// for before, and nothing else is at it. Then this is so for it alone until
  /// the object is gone.
  bool begin(llvm::ArrayRef<std::string> Defined);

  /// Runs clang with these words, the names of two files to write behind them:
  /// the precompiled header and its list.
  bool make(llvm::ArrayRef<std::string> Words);

  ~AheadCache();

private:
  std::string Directory, Folder;
  int Lock = -1; // the file that says what was seen

  bool isOurs() const;
  bool keep(const std::string &Part);
  void bound() const;
};

} // namespace ct
#endif
