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

bool ct::isBehindPrologue(StringRef Name) {
  return Name.size() <= 2 || prologueNames().contains(Name);
}

bool ct::isAhead(StringRef Header) {
  return Header.ends_with("__clang_cuda_runtime_wrapper.h") ||
         Header.ends_with("/cudatrace-nvcc.h");
}

/// The macro that Line defines or undefines, or nothing.
static StringRef macroOf(StringRef Line) {
  if (!Line.consume_front("#define ") && !Line.consume_front("#undef "))
    return "";
  return Line.take_while(
      [](char C) { return isAlnum(C) || C == '_' || C == '$' || C < 0; });
}

/// Returns the header that an #include of clang's text names.
static StringRef headerOf(StringRef Line) {
  return Line.consume_front("#include \"") ? Line.drop_back() : "";
}

namespace {

/// clang's text before a source, line by line in its parts.
struct Parts {
  std::string Before, Prologue, Waiting, After;

  /// Known: of headers that have been read; null: none has.
  Parts(StringRef Predefines, const StringSet<> *Known);
  std::string join();
};

} // namespace

/// No header is configured by a name of one or two characters.
Parts::Parts(StringRef Predefines, const StringSet<> *Known) {
  bool IsCommandLine = false, Included = false;

  while (!Predefines.empty()) {
    auto [Line, Rest] = Predefines.split('\n');
    StringRef Macro = macroOf(Line), Header = headerOf(Line);
    IsCommandLine |= Line.starts_with("# 1 \"<command line>\"");
    IsCommandLine &= !Line.starts_with("# 1 \"<built-in>\"");
    Included |= !Header.empty();
    Predefines = Rest;
    bool Waits = IsCommandLine && !Macro.empty() && ct::isBehindPrologue(Macro);
    bool IsOurs = ct::isAhead(Header) || Header.ends_with("/cudatrace/host.h");
    std::string &To = Waits      ? Waiting
                      : IsOurs   ? Prologue
                      : Included ? After
                                 : Before;
    // Lines keep their numbers.
    if (Known && ct::isAhead(Header))
      Line = Header.ends_with("/cudatrace-nvcc.h")
                 ? "#include <cudatrace-declared.h>"
                 : "";
    if (Known && !Macro.empty() && (!IsCommandLine || Known->contains(Macro)))
      Line = "";
    To.append(Line.str()).append("\n");
  }
}

std::string Parts::join() {
  if (!Waiting.empty())
    Waiting = "# 1 \"<command line>\" 1\n" + Waiting + "# 1 \"<built-in>\" 2\n";
  return Before + Prologue + Waiting + After;
}

std::string ct::behindPrologue(StringRef Predefines) {
  return Parts(Predefines, nullptr).join();
}

std::string ct::behindAhead(StringRef Predefines, const StringSet<> &Known) {
  return Parts(Predefines, &Known).join();
}
