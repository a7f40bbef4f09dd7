/* SPDX-License-Identifier: Apache-2.0 */
/* The text of inline PTX, taken apart into instructions. */
#include "ptx/parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

std::vector<std::string> ct::PtxOperand::elements() const {
  return Kind == Vector ? Parts : std::vector<std::string>{Text};
}

bool ct::PtxInstruction::has(StringRef Modifier) const {
  return is_contained(Modifiers, Modifier);
}

bool ct::PtxInstruction::hasScoped(StringRef Word) const {
  return any_of(Modifiers, [&](StringRef W) {
    return W.consume_front(Word) && (W.empty() || W.starts_with("::"));
  });
}

bool ct::PtxInstruction::hasAddress() const {
  return any_of(Operands, [](const PtxOperand &Operand) {
    return Operand.Kind == PtxOperand::Memory;
  });
}

/// Without comments; ${0:x} becomes $0, ${:uid}, a number that differs in every
/// copy, _uid, and $$, which stands for a dollar sign, #.
static std::string plainText(StringRef Text) {
  std::string Out;
  while (!Text.empty()) {
    if (Text.starts_with("//"))
      Text = Text.drop_until([](char C) { return C == '\n'; });
    else if (Text.starts_with("/*"))
      Text = Text.drop_front(2).split("*/").second;
    else if (Text.consume_front("$$"))
      Out += '#';
    else if (Text.consume_front("${:uid}"))
      Out += "_uid";
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

/// Returns the text between the two signs, if Text stands between them.
static std::optional<StringRef> between(StringRef Text, char Open, char Close) {
  if (Text.size() < 2 || Text.front() != Open || Text.back() != Close)
    return std::nullopt;
  return Text.drop_front().drop_back().trim();
}

static ct::PtxOperand parseOperand(StringRef Text) {
  ct::PtxOperand Operand;
  Operand.Whole = Text.str();
  if (std::optional<StringRef> Address = between(Text, '[', ']')) {
    Operand.Kind = ct::PtxOperand::Memory;
    size_t Sign = Address->find_first_of("+-", 1);
    StringRef Added =
        Sign == StringRef::npos ? StringRef() : Address->drop_front(Sign);
    Added.consume_front("+");
    Operand.Text = Address->take_front(Sign).trim().str();
    Operand.Added = Added.trim().str();
    return Operand;
  }
  if (std::optional<StringRef> Parts = between(Text, '{', '}')) {
    Operand.Kind = ct::PtxOperand::Vector;
    Operand.Parts = splitOperands(*Parts);
    return Operand;
  }
  Operand.Negated = Text.consume_front("!");
  auto [First, Second] = Text.split('|');
  Operand.Text = First.trim().str();
  Operand.Second = Second.trim().str();
  return Operand;
}

std::vector<ct::PtxOperand> ct::ptxWithin(const PtxOperand &Memory) {
  std::vector<PtxOperand> Operands;
  std::optional<StringRef> Text = between(Memory.Whole, '[', ']');
  for (StringRef Part : splitOperands(Text.value_or("")))
    Operands.push_back(parseOperand(Part));
  return Operands;
}

/// @p or @!p.
static void takePredicate(StringRef &Text, ct::PtxInstruction &I) {
  if (!Text.consume_front("@"))
    return;
  Text = Text.ltrim();
  I.Negated = Text.consume_front("!");
  Text = Text.ltrim();
  I.Predicate = Text.take_until(isSpace).str();
  Text = Text.drop_front(I.Predicate.size()).ltrim();
}

/// Takes "NAME:" off the front; "::" is part of a word.
static StringRef takeLabel(StringRef &Text) {
  size_t End = Text.find_if_not([](char C) {
    return isAlnum(C) || C == '_' || C == '#' || C == '$' || C == '%';
  });
  StringRef Rest = Text.substr(End).ltrim();
  if (End == 0 || !Rest.starts_with(":") || Rest.starts_with("::"))
    return {};
  StringRef Label = Text.take_front(End);
  Text = Rest.drop_front().ltrim();
  return Label;
}

/// .reg .u32 a, b<3>: a, b0, b1, b2.
static void addRegisters(StringRef Names, ct::PtxProgram &Program) {
  while (Names.starts_with("."))
    Names = Names.drop_until(isSpace).ltrim();
  for (StringRef Name : splitOperands(Names)) {
    auto [Base, Count] = Name.split('<');
    unsigned Number = 0;
    if (Count.empty() || Count.rtrim('>').getAsInteger(10, Number))
      Program.Registers.push_back(Name.str());
    for (unsigned N = 0; N < Number; N++)
      Program.Registers.push_back((Base + utostr(N)).str());
  }
}

static void addStatement(StringRef Text, ct::PtxProgram &Program) {
  if (Text.consume_front(".reg"))
    return addRegisters(Text.ltrim(), Program);
  ct::PtxInstruction I;
  takePredicate(Text, I);
  if (Text.starts_with(".pragma"))
    return;
  if (Text.starts_with(".")) {
    Program.Directives.push_back(Text.take_until(isSpace).str());
    return;
  }
  StringRef Opcode = Text.take_until(
      [](char C) { return isSpace(C) || C == '$' || C == '[' || C == '{'; });
  SmallVector<StringRef, 8> Words;
  Opcode.split(Words, '.');
  I.Text = Opcode.str();
  I.Opcode = Words[0].str();
  for (StringRef Modifier : drop_begin(Words))
    if (!Modifier.empty())
      I.Modifiers.push_back(Modifier.str());
  for (StringRef Operand : splitOperands(Text.drop_front(Opcode.size())))
    I.Operands.push_back(parseOperand(Operand));
  Program.Instructions.push_back(std::move(I));
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

ct::PtxProgram ct::parsePtx(StringRef Source) {
  std::string Plain = plainText(Source);
  StringRef Text = StringRef(Plain).ltrim();
  PtxProgram Program;
  while (!Text.empty()) {
    // A brace of a scope stands before an instruction, one of a vector behind
    // an opcode.
    if (Text.front() == '{' || Text.front() == '}' || Text.front() == ';') {
      Text = Text.drop_front().ltrim();
      continue;
    }
    if (StringRef Label = takeLabel(Text); !Label.empty()) {
      Program.HasLabels = true;
      Program.Instructions.emplace_back();
      Program.Instructions.back().Label = Label.str();
      continue;
    }
    size_t End = statementEnd(Text);
    addStatement(Text.take_front(End).trim(), Program);
    Text = Text.drop_front(End).ltrim();
  }
  return Program;
}

std::optional<unsigned> ct::ptxPlaceholder(StringRef Operand) {
  unsigned Number;
  if (!Operand.consume_front("$") || Operand.getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

std::optional<int64_t> ct::ptxInteger(StringRef Text) {
  int64_t Number;
  uint64_t Unsigned;
  Text.consume_back("U") || Text.consume_back("u");
  if (!Text.getAsInteger(0, Number))
    return Number;
  if (!Text.getAsInteger(0, Unsigned))
    return int64_t(Unsigned);
  return std::nullopt;
}
