/* SPDX-License-Identifier: Apache-2.0 */
/* The text of inline PTX, taken apart into statements. */
#include "llvm-pass/sites/ptx_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

bool ct::PtxStatement::has(StringRef Word) const {
  return is_contained(Words, Word);
}

bool ct::PtxStatement::hasScoped(StringRef Word) const {
  return any_of(Words, [&](StringRef W) {
    return W.consume_front(Word) && (W.empty() || W.starts_with("::"));
  });
}

bool ct::PtxStatement::hasAddress() const {
  return any_of(Operands,
                [](StringRef Operand) { return Operand.starts_with("["); });
}

/// Without comments; ${0:x} becomes $0, and $$, which stands for a dollar sign,
/// #.
static std::string plainText(StringRef Text) {
  std::string Out;
  while (!Text.empty()) {
    if (Text.starts_with("//"))
      Text = Text.drop_until([](char C) { return C == '\n'; });
    else if (Text.starts_with("/*"))
      Text = Text.split("*/").second;
    else if (Text.consume_front("$$"))
      Out += '#';
    else if (Text.consume_front("${")) {
      Out += '$';
      Out += Text.take_while(isDigit);
      Text = Text.split('}').second;
    } else {
      Out += isSpace(Text.front()) ? ' ' : Text.front();
      Text = Text.drop_front();
    }
  }
  return Out;
}

/// Operands between commas that stand in no brackets.
static std::vector<std::string> splitOperands(StringRef Text) {
  std::vector<std::string> Parts;
  int Depth = 0;
  size_t First = 0;
  for (size_t I = 0; I <= Text.size(); I++) {
    char C = I < Text.size() ? Text[I] : ',';
    Depth += C == '[' || C == '{' || C == '(';
    Depth -= C == ']' || C == '}' || C == ')';
    if (C != ',' || (Depth > 0 && I < Text.size()))
      continue;
    StringRef Part = Text.slice(First, I).trim();
    if (!Part.empty())
      Parts.push_back(Part.str());
    First = I + 1;
  }
  return Parts;
}

static bool takePredicate(StringRef &Text, ct::PtxStatement &S) {
  if (!Text.consume_front("@"))
    return true;
  Text = Text.ltrim();
  S.Negated = Text.consume_front("!");
  Text = Text.ltrim();
  S.Predicate = Text.take_until(isSpace).str();
  Text = Text.drop_front(S.Predicate.size()).ltrim();
  return !S.Predicate.empty();
}

/// "label:" before an instruction; "::" is part of a word.
static bool takeLabel(StringRef &Text) {
  size_t End = Text.find_if_not([](char C) {
    return isAlnum(C) || C == '_' || C == '#' || C == '$' || C == '%';
  });
  if (End == 0 || End == StringRef::npos || Text[End] != ':' ||
      Text.substr(End).starts_with("::"))
    return false;
  Text = Text.drop_front(End + 1).ltrim();
  return true;
}

/// Where the statement at the front of Text ends: at a semicolon, or before the
/// brace that closes the scope it stands in.
static size_t statementEnd(StringRef Text) {
  int Depth = 0;
  for (size_t I = 0; I < Text.size(); I++) {
    Depth += Text[I] == '{';
    if (Text[I] == ';' || (Text[I] == '}' && Depth == 0))
      return I;
    Depth -= Text[I] == '}';
  }
  return Text.size();
}

static void addStatement(StringRef Text, ct::PtxText &Out) {
  ct::PtxStatement S;
  while (takeLabel(Text))
    Out.HasLabels = true;
  if (!takePredicate(Text, S) || Text.empty() || Text.starts_with("."))
    return; // a declaration
  StringRef Opcode = Text.take_until(
      [](char C) { return isSpace(C) || C == '$' || C == '[' || C == '{'; });
  SmallVector<StringRef, 8> Words;
  Opcode.split(Words, '.');
  S.Opcode = Opcode.str();
  for (StringRef Word : Words)
    S.Words.push_back(Word.str());
  S.Operands = splitOperands(Text.drop_front(Opcode.size()));
  Out.Statements.push_back(std::move(S));
}

ct::PtxText ct::parsePtx(StringRef Source) {
  std::string Plain = plainText(Source);
  StringRef Text = StringRef(Plain).ltrim();
  PtxText Out;
  while (!Text.empty()) {
    if (Text.front() == '{' || Text.front() == '}' || Text.front() == ';') {
      Text = Text.drop_front().ltrim();
      continue;
    }
    size_t End = statementEnd(Text);
    addStatement(Text.take_front(End).trim(), Out);
    Text = Text.drop_front(End).ltrim();
  }
  return Out;
}

std::optional<unsigned> ct::ptxPlaceholder(StringRef Operand) {
  unsigned Number;
  if (!Operand.consume_front("$") || Operand.getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

std::vector<std::string> ct::ptxElements(StringRef Operand) {
  if (!Operand.consume_front("{"))
    return {Operand.str()};
  Operand.consume_back("}");
  return splitOperands(Operand);
}

bool ct::exitsInAsm(StringRef Text) {
  return any_of(parsePtx(Text).Statements,
                [](const PtxStatement &S) { return S.Opcode == "exit"; });
}
