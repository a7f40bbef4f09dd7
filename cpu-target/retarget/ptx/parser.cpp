/* SPDX-License-Identifier: Apache-2.0 */
/* Inline PTX as a list of instructions. */
#include "cpu-target/retarget/ptx/parser.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace ct {

bool PtxInstruction::has(StringRef Modifier) const {
  return is_contained(Modifiers, Modifier);
}

static std::string withoutComments(StringRef Asm) {
  std::string Out;
  while (!Asm.empty()) {
    if (Asm.starts_with("//")) {
      Asm = Asm.drop_front(std::min(Asm.find('\n'), Asm.size()));
    } else if (Asm.starts_with("/*")) {
      size_t End = Asm.find("*/");
      Asm = End == StringRef::npos ? StringRef() : Asm.drop_front(End + 2);
    } else {
      Out += Asm.front();
      Asm = Asm.drop_front();
    }
  }
  return Out;
}

/// Split at commas outside of brackets and braces.
static SmallVector<StringRef> splitOperands(StringRef Text) {
  SmallVector<StringRef> Operands;
  int Depth = 0;
  size_t Start = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    Depth += C == '[' || C == '{';
    Depth -= C == ']' || C == '}';
    if (C == ',' && Depth == 0) {
      Operands.push_back(Text.slice(Start, I).trim());
      Start = I + 1;
    }
  }
  StringRef Last = Text.drop_front(Start).trim();
  if (!Last.empty())
    Operands.push_back(Last);
  return Operands;
}

static void parseAddress(StringRef Inner, PtxOperand &Operand) {
  Operand.Kind = PtxOperand::Memory;
  auto [Base, Offset] = Inner.split('+');
  Operand.Text = Base.trim().str();
  Offset = Offset.trim();
  if (!Offset.empty())
    Offset.getAsInteger(0, Operand.Offset);
}

static PtxOperand parseOperand(StringRef Text) {
  PtxOperand Operand;
  if (Text.consume_front("[")) {
    Text.consume_back("]");
    parseAddress(Text, Operand);
    return Operand;
  }
  if (Text.consume_front("{")) {
    Text.consume_back("}");
    Operand.Kind = PtxOperand::Vector;
    for (StringRef Part : splitOperands(Text))
      Operand.Parts.push_back(Part.str());
    return Operand;
  }
  Operand.Negated = Text.consume_front("!");
  auto [First, Second] = Text.split('|');
  Operand.Text = First.trim().str();
  Operand.Second = Second.trim().str();
  return Operand;
}

static void parsePredicate(StringRef &Text, PtxInstruction &I) {
  if (!Text.consume_front("@"))
    return;
  I.Negated = Text.consume_front("!");
  size_t End = Text.find_first_of(" \t\n\r");
  I.Predicate = Text.substr(0, End).str();
  Text = Text.substr(std::min(End, Text.size())).ltrim();
}

static PtxInstruction parseInstruction(StringRef Text) {
  PtxInstruction I;
  parsePredicate(Text, I);
  size_t End = std::min(Text.find_first_of(" \t\n\r["), Text.size());
  StringRef Opcode = Text.substr(0, End);
  I.Text = Opcode.str();
  SmallVector<StringRef> Parts;
  Opcode.split(Parts, '.');
  I.Opcode = Parts[0].str();
  for (StringRef Part : ArrayRef(Parts).drop_front())
    if (!Part.empty())
      I.Modifiers.push_back(Part.str());
  for (StringRef Operand : splitOperands(Text.substr(End).trim()))
    I.Operands.push_back(parseOperand(Operand));
  return I;
}

/// A brace that opens or closes a scope stands before an instruction; one of a
/// vector operand stands behind an opcode.
static StringRef withoutScopes(StringRef Statement) {
  Statement = Statement.trim();
  while (Statement.starts_with("{") || Statement.starts_with("}"))
    Statement = Statement.drop_front().ltrim();
  return Statement;
}

/// .reg .u32 a, b<3>: a, b0, b1, b2.
static void parseRegisters(StringRef Statement, PtxProgram &Program) {
  Statement = Statement.drop_front(StringRef(".reg").size()).ltrim();
  while (Statement.starts_with("."))
    Statement = Statement.drop_front(Statement.find_first_of(" \t\n")).ltrim();
  for (StringRef Name : splitOperands(Statement)) {
    auto [Base, Count] = Name.split('<');
    unsigned Number = 0;
    if (Count.empty() || Count.rtrim('>').getAsInteger(10, Number))
      Program.Registers.push_back(Name.str());
    for (unsigned N = 0; N < Number; ++N)
      Program.Registers.push_back((Base + Twine(N)).str());
  }
}

/// Cut "NAME:" off the front.
static bool parseLabel(StringRef &Statement, std::string &Label) {
  size_t End = Statement.find_first_not_of(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%");
  if (End == 0 || End == StringRef::npos)
    return false;
  StringRef Rest = Statement.drop_front(End).ltrim();
  if (!Rest.starts_with(":") || Rest.starts_with("::"))
    return false;
  Label = Statement.substr(0, End).str();
  Statement = withoutScopes(Rest.drop_front());
  return true;
}

/// What LLVM would put in for a number that differs in every copy.
static std::string withoutNumbers(std::string Asm) {
  constexpr StringLiteral Unique("${:uid}");
  for (size_t At; (At = Asm.find(Unique.data())) != std::string::npos;)
    Asm.replace(At, Unique.size(), "_uid");
  return Asm;
}

bool parsePtx(StringRef Asm, PtxProgram &Program, std::string &What) {
  std::string Clean = withoutNumbers(withoutComments(Asm));
  SmallVector<StringRef> Statements;
  StringRef(Clean).split(Statements, ';');
  for (StringRef Statement : Statements) {
    Statement = withoutScopes(Statement);
    PtxInstruction Label;
    while (parseLabel(Statement, Label.Label)) {
      Program.Instructions.push_back(Label);
      Program.HasLabels = true;
    }
    if (Statement.empty() || Statement.starts_with(".pragma"))
      continue;
    if (Statement.starts_with(".reg")) {
      parseRegisters(Statement, Program);
      continue;
    }
    if (Statement.starts_with(".")) {
      What = Statement.split(' ').first.str();
      return false;
    }
    Program.Instructions.push_back(parseInstruction(Statement));
  }
  return true;
}

} // namespace ct
