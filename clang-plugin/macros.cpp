/* SPDX-License-Identifier: Apache-2.0 */
/* Macros of the command line that have to wait for the prologue's end. */
#include "clang-plugin/macros.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

static const char Names[] =
#include "clang-plugin/prologue_names.def"
    ;

static const StringSet<> &prologueNames() {
  static const StringSet<> Set = [] {
    SmallVector<StringRef, 0> Words;
    StringRef(Names).split(Words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    StringSet<> Result;
    for (StringRef Word : Words)
      Result.insert(Word);
    return Result;
  }();
  return Set;
}

/// Line defines or undefines a macro that nvcc's prologue does not mention. No
/// header is configured by a name of one or two characters.
static bool waits(StringRef Line) {
  if (!Line.consume_front("#define ") && !Line.consume_front("#undef "))
    return false;
  StringRef Name = Line.take_while(
      [](char C) { return isAlnum(C) || C == '_' || C == '$' || C < 0; });
  return Name.size() <= 2 || prologueNames().contains(Name);
}

static bool includesPrologue(StringRef Line) {
  return Line.contains("__clang_cuda_runtime_wrapper.h") ||
         Line.contains("/cudatrace-nvcc.h\"") ||
         Line.contains("/cudatrace/host.h\"");
}

std::string ct::behindPrologue(StringRef Predefines) {
  std::string Before, Prologue, Waiting, After;
  bool IsCommandLine = false, Included = false;

  while (!Predefines.empty()) {
    auto [Line, Rest] = Predefines.split('\n');
    IsCommandLine |= Line.starts_with("# 1 \"<command line>\"");
    IsCommandLine &= !Line.starts_with("# 1 \"<built-in>\"");
    bool Includes = Line.starts_with("#include ");
    Included |= Includes;
    std::string &To = IsCommandLine && waits(Line)         ? Waiting
                      : Includes && includesPrologue(Line) ? Prologue
                      : Included                           ? After
                                                           : Before;
    To.append(Line.str()).append("\n");
    Predefines = Rest;
  }
  if (!Waiting.empty())
    Waiting = "# 1 \"<command line>\" 1\n" + Waiting + "# 1 \"<built-in>\" 2\n";
  return Before + Prologue + Waiting + After;
}
