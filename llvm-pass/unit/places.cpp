/* SPDX-License-Identifier: Apache-2.0 */
/* Locations from the PTX's `.loc` and the comments behind them. */
#include "llvm-pass/unit/places.h"
#include "llvm-pass/base/location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cudatrace/places.h>
#include <map>
#include <tuple>
#include <vector>

using namespace llvm;

/// As comments have it: "file:line:column @[ file:line:column @[ … ] ]", a
/// column of 0 left out behind "@[".
static std::string textOf(const DILocation &L, bool IsOuter) {
  std::string Text =
      (L.getFilename() + ":" + Twine(L.getLine()) +
       (L.getColumn() || !IsOuter ? ":" + Twine(L.getColumn()) : Twine("")))
          .str();
  if (const DILocation *At = L.getInlinedAt())
    Text += " @[ " + textOf(*At, true) + " ]";
  return Text;
}

ct::PlaceTexts ct::placeTexts(const Module &M) {
  PlaceTexts Texts;
  for (const Function &F : M) {
    if (F.isDeclaration() || F.getName().starts_with("__ct"))
      continue;
    Texts.Functions.insert(F.getName());
    for (const Instruction &I : instructions(F)) {
      bool IsOuter = false;
      for (const DILocation *L = I.getDebugLoc(); L; L = L->getInlinedAt()) {
        Texts.Facts.try_emplace(
            (F.getName() + "\n" + textOf(*L, IsOuter)).str(),
            PlaceFacts{functionName(*L), sourcePath(*L)});
        IsOuter = true;
      }
    }
  }
  return Texts;
}

namespace {

/// Reads PTX line by line.
class PlacesWriter {
public:
  explicit PlacesWriter(const ct::PlaceTexts &Texts)
      : Texts(Texts), Strings(1, '\0') {}

  void take(StringRef Line, uint32_t Number);
  bool isEmpty() const { return Rows.empty(); }
  std::string blob(uint64_t UnitId, uint32_t Arch) const;

private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;
  const ct::PlaceTexts &Texts;
  std::string Name;      // of the function whose head or body this is
  bool IsInside = false; // of its body
  std::vector<ct_places_function> Functions;
  std::vector<ct_places_row> Rows;
  std::vector<ct_ptx_place> Places;
  std::map<Key, uint32_t> Known;
  std::string Strings;
  StringMap<uint32_t> Offsets;

  uint32_t string(StringRef Text);
  uint32_t place(StringRef Text);
  void takeHead(StringRef Line);
  void takeLocation(StringRef Line, uint32_t Number);
};

} // namespace

uint32_t PlacesWriter::string(StringRef Text) {
  if (Text.empty())
    return 0;
  auto [Entry, IsNew] = Offsets.try_emplace(Text, Strings.size());
  if (IsNew) {
    Strings += Text;
    Strings += '\0';
  }
  return Entry->second;
}

/// "file:line[:column]", of which the file may have colons; a number at the end
/// that is no column is the line.
static void parsePosition(StringRef Text, StringRef &File, uint32_t &Line,
                          uint32_t &Column) {
  uint32_t Last = 0, Before = 0;
  auto [Rest, Number] = Text.rsplit(':');
  auto [Name, Number2] = Rest.rsplit(':');
  File = Text;
  Line = Column = 0;
  if (Number.getAsInteger(10, Last))
    return;
  if (!Number2.empty() && !Number2.getAsInteger(10, Before)) {
    File = Name;
    Line = Before;
    Column = Last;
  } else {
    File = Rest;
    Line = Last;
  }
}

/// The place of a location's text and those that it was inlined at.
uint32_t PlacesWriter::place(StringRef Text) {
  StringRef Inner = Text, File;
  uint32_t At = CT_NO_PLACE, Line, Column;
  size_t Bracket = Text.find(" @[ ");
  if (Bracket != StringRef::npos && Text.ends_with(" ]")) {
    Inner = Text.take_front(Bracket);
    At = place(Text.slice(Bracket + 4, Text.size() - 2));
  }
  parsePosition(Inner, File, Line, Column);
  auto Facts = Texts.Facts.find(Name + "\n" + Text.str());
  bool HasFacts = Facts != Texts.Facts.end();
  Key K{string(HasFacts ? Facts->second.Function : ""),
        string(HasFacts ? StringRef(Facts->second.File) : File), Line, Column,
        At};
  auto [Entry, IsNew] = Known.try_emplace(K, Places.size());
  if (IsNew)
    Places.push_back({std::get<0>(K), std::get<1>(K), Line, Column, At});
  return Entry->second;
}

/// ".visible .entry name(", ".func (.param .b32 r) name(": a definition's or a
/// declaration's first line.
void PlacesWriter::takeHead(StringRef Line) {
  size_t At = Line.find(".entry");
  if (At == StringRef::npos)
    At = Line.find(".func");
  if (At == StringRef::npos || !Line.starts_with("."))
    return;
  StringRef Rest = Line.substr(At).split(' ').second.ltrim();
  if (Line.substr(At).starts_with(".func\t"))
    Rest = Line.substr(At).split('\t').second.ltrim();
  if (Rest.starts_with("("))
    Rest = Rest.split(')').second.ltrim();
  Name =
      Rest.take_until([](char C) {
            return C == '(' || C == ' ' || C == '\t' || C == ';' || C == '\r';
          })
          .str();
}

/// ".loc file line column // text"
void PlacesWriter::takeLocation(StringRef Line, uint32_t Number) {
  auto [Directive, Text] = Line.split("//");
  Text = Text.trim();
  if (Text.empty())
    return;
  uint32_t Place = place(Text);
  if (Functions.back().row_count && Rows.back().place == Place)
    return;
  Rows.push_back({Number, Place});
  Functions.back().row_count++;
}

void PlacesWriter::take(StringRef Line, uint32_t Number) {
  if (!IsInside) {
    takeHead(Line);
    if (!Line.starts_with("{") || Name.empty())
      return;
    IsInside = true;
    Functions.push_back({Texts.Functions.contains(Name) ? string(Name) : 0,
                         Number, Number, uint32_t(Rows.size()), 0});
    return;
  }
  if (Line.starts_with("}")) {
    Functions.back().last_line = Number;
    if (Functions.back().row_count == 0)
      Functions.pop_back();
    IsInside = false;
    Name.clear();
  } else if (Functions.back().name && Line.ltrim().starts_with(".loc")) {
    takeLocation(Line, Number);
  }
}

template <typename T>
static void appendRows(std::string &Blob, const std::vector<T> &Entries) {
  Blob.append(reinterpret_cast<const char *>(Entries.data()),
              Entries.size() * sizeof(T));
}

std::string PlacesWriter::blob(uint64_t UnitId, uint32_t Arch) const {
  ct_places_header H = {};
  H.magic = CT_PLACES_MAGIC;
  H.version = CT_PLACES_VERSION;
  H.header_bytes = sizeof(H);
  H.unit_id = UnitId;
  H.arch = Arch;
  H.function_count = Functions.size();
  H.row_count = Rows.size();
  H.place_count = Places.size();
  H.string_bytes = Strings.size();
  std::string Blob(reinterpret_cast<const char *>(&H), sizeof(H));
  appendRows(Blob, Functions);
  appendRows(Blob, Rows);
  appendRows(Blob, Places);
  return Blob + Strings;
}

std::string ct::placesBlob(StringRef Ptx, const PlaceTexts &Texts,
                           uint64_t UnitId, uint32_t Arch) {
  PlacesWriter Writer(Texts);
  uint32_t Number = 0;
  if (!Ptx.contains(".version") || !Ptx.contains(".target"))
    return "";
  while (!Ptx.empty()) {
    StringRef Line;
    std::tie(Line, Ptx) = Ptx.split('\n');
    Writer.take(Line, ++Number);
  }
  return Writer.isEmpty() ? "" : Writer.blob(UnitId, Arch);
}

namespace {

/// A module of this process, until it exits.
struct Pending {
  ct::PlaceTexts Texts;
  uint64_t UnitId;
  uint32_t Arch;
  std::string Output, Path;
};

} // namespace

static std::vector<Pending> *Waiting; // never freed: what exits needs it

/// ptxas and the driver refuse characters beyond ASCII, which comments have of
/// names of files.
static void keepAscii(StringRef Path, StringRef Ptx) {
  if (isASCII(Ptx) || !Ptx.contains(".version") || !Ptx.contains(".target"))
    return;
  std::string Text = Ptx.str();
  for (char &C : Text)
    if (!isASCII(C))
      C = '?';
  std::error_code Code;
  raw_fd_ostream Out(Path, Code, sys::fs::OF_None);
  if (!Code)
    Out << Text;
  Out.close();
  Out.clear_error();
}

/// Without places lines are still known; so what fails here is no error.
static void writeAll() {
  for (const Pending &P : *Waiting) {
    auto Ptx = MemoryBuffer::getFile(P.Output);
    std::string Blob =
        Ptx ? ct::placesBlob((*Ptx)->getBuffer(), P.Texts, P.UnitId, P.Arch)
            : "";
    std::error_code Code;
    if (Ptx)
      keepAscii(P.Output, (*Ptx)->getBuffer());
    if (Blob.empty())
      continue;
    raw_fd_ostream Out(P.Path, Code, sys::fs::OF_None);
    if (!Code)
      Out << Blob;
    Out.close();
    Out.clear_error();
  }
}

void ct::writePlacesAtExit(const Module &M, uint64_t UnitId, uint32_t Arch,
                           StringRef Path) {
  const char *Output = getenv(OutputVariable);
  if (!Output || !*Output || M.debug_compile_units().empty())
    return;
  if (!Waiting) {
    Waiting = new std::vector<Pending>;
    atexit(writeAll);
  }
  Waiting->push_back({placeTexts(M), UnitId, Arch, Output, Path.str()});
}
