/* SPDX-License-Identifier: Apache-2.0 */
/* Lists what headers that were compiled ahead depend on. */
#include "clang-plugin/ahead_list.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/stat.h>

using namespace clang;

static const char First[] = "ahead 1\n", Last[] = "end\n";

std::string ct::stampOf(const std::string &Path) {
  struct stat St;

  if (stat(Path.c_str(), &St) < 0 || !S_ISREG(St.st_mode))
    return "";
  return (Twine(St.st_size) + " " + Twine(St.st_mtim.tv_sec) + "." +
          Twine(St.st_mtim.tv_nsec))
      .str();
}

StringRef ct::nameOf(StringRef Definition) {
  return Definition.take_while([](char C) { return C != '=' && C != '('; });
}

ct::AheadList::Places ct::placesOf(StringRef Name, const HeaderSearch &Search) {
  bool All = Name.consume_front("+"), IsAngled = Name.consume_front("<");
  AheadList::Places Result;
  struct stat St;

  if (!IsAngled)
    Name.consume_front("\"");
  for (auto I = IsAngled ? Search.angled_dir_begin()
                         : Search.search_dir_begin(),
            E = Search.search_dir_end();
       I != E && (All || Result.empty()); ++I) {
    std::string Path = (I->getName() + "/" + Name).str();
    if (stat(Path.c_str(), &St) == 0 && S_ISREG(St.st_mode))
      Result.push_back((I->isSystemHeaderDirectory() ? "s " : "u ") + Path);
  }
  return Result;
}

std::optional<ct::AheadList> ct::AheadList::parse(StringRef Text) {
  AheadList List;
  Places *Last = nullptr;

  if (!Text.consume_front(First) || !Text.consume_back(::Last))
    return std::nullopt;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    auto [Kind, Value] = Line.split(' ');
    Text = Rest;
    if (Kind == "word") {
      List.Words.insert(Value);
    } else if (Kind == "file") {
      auto [Of, Stamped] = Value.split(' ');
      size_t End = Stamped.find(' ', Stamped.find(' ') + 1);
      if (End == StringRef::npos)
        return std::nullopt;
      List.Files.push_back({Stamped.substr(End + 1).str(),
                            Stamped.take_front(End).str(), Of == "s"});
    } else if (Kind == "name") {
      Last = &List.Names[Value.str()];
    } else if (Kind == "at" && Last) {
      Last->push_back(Value.str());
    } else if (Kind == "macro") {
      List.Macros.push_back(Value.str());
    } else if (Kind == "spare") {
      List.Spare.push_back(Value.str());
    } else if (Kind == "compiled") {
      List.Compiled = Value.str();
    } else {
      return std::nullopt;
    }
  }
  return List;
}

std::string ct::AheadList::print() const {
  std::string Text = First;
  llvm::raw_string_ostream Out(Text);

  Out << "compiled " << Compiled << "\n";
  for (const File &F : Files)
    Out << "file " << (F.IsSystem ? "s " : "u ") << F.Stamp << " " << F.Path
        << "\n";
  for (const auto &[Name, Found] : Names) {
    Out << "name " << Name << "\n";
    for (const std::string &Place : Found)
      Out << "at " << Place << "\n";
  }
  for (const std::string &Macro : Macros)
    Out << "macro " << Macro << "\n";
  for (const std::string &Name : Spare)
    Out << "spare " << Name << "\n";
  for (const auto &Word : Words)
    Out << "word " << Word.getKey() << "\n";
  Out << Last;
  return Text;
}

bool ct::AheadList::fits(const HeaderSearch &Search,
                         ArrayRef<std::string> Defined, bool &Changed) const {
  Changed = false;
  for (const std::string &Macro : Macros)
    if (!llvm::is_contained(Defined, Macro))
      return false;
  for (const std::string &Macro : Defined)
    if (!llvm::is_contained(Macros, Macro) && Words.contains(nameOf(Macro)))
      return false;
  for (const auto &[Name, Found] : Names)
    if (placesOf(Name, Search) != Found)
      return false;
  for (const File &F : Files)
    Changed |= stampOf(F.Path) != F.Stamp;
  return !Changed;
}
