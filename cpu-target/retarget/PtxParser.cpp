/* SPDX-License-Identifier: Apache-2.0 */
/* Straight-line inline PTX as a list of instructions. */
#include "PtxParser.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

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

bool parsePtx(StringRef Asm, std::vector<PtxInstruction> &Instructions,
              std::string &What) {
  std::string Clean = withoutComments(Asm);
  SmallVector<StringRef> Statements;
  StringRef(Clean).split(Statements, ';');
  for (StringRef Statement : Statements) {
    Statement = withoutScopes(Statement);
    if (Statement.empty() || Statement.starts_with(".reg"))
      continue;
    if (Statement.starts_with(".") || Statement.starts_with("$") ||
        StringRef(Statement.split(' ').first).rtrim().ends_with(":")) {
      What = Statement.split(' ').first.str();
      return false;
    }
    Instructions.push_back(parseInstruction(Statement));
  }
  return true;
}

} // namespace ct
