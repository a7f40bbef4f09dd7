/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of inline PTX, as LLVM has it ($0, $$, ${:uid}), taken apart into
 * instructions.
 */
#ifndef CT_PTX_PARSER_H
#define CT_PTX_PARSER_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace ct {

struct PtxOperand {
  enum KindType {
    Name,   // register, operand of the asm ($0), number
    Vector, // {a, b}
    Memory, // [a+4]
  };
  KindType Kind = Name;
  std::string Whole;  // as it is written
  std::string Text;   // of a name: without ! and |q; of memory: the base
  std::string Second; // q of p|q
  std::string Added;  // to the base: 4, -4, $1; "" for nothing
  std::vector<std::string> Parts; // of a vector
  bool Negated = false;           // !p

  /// The parts of a vector, else the name.
  std::vector<std::string> elements() const;
};

/// @!p opcode.modifiers operand, [operand], {operand, operand};
struct PtxInstruction {
  std::string Label;     // of a label, then all else is empty
  std::string Predicate; // "" if it is always executed
  bool Negated = false;
  std::string Text;   // opcode with modifiers
  std::string Opcode; // ld of ld.global.u32
  std::vector<std::string> Modifiers;
  std::vector<PtxOperand> Operands;

  bool has(llvm::StringRef Modifier) const;
  /// True if a modifier is Word, or begins with Word and "::" (shared::cta).
  bool hasScoped(llvm::StringRef Word) const;
  bool hasAddress() const; // one of the operands stands in brackets
};

struct PtxProgram {
  /// In order, labels among them; scopes are left out.
  std::vector<PtxInstruction> Instructions;
  std::vector<std::string> Registers; // declared by .reg
  std::vector<std::string>
      Directives;         // others, but for .pragma: the first word
  bool HasLabels = false; // control flow may repeat or skip instructions
};

/// Takes any text; what is not PTX becomes instructions with unknown opcodes
/// or names.
PtxProgram parsePtx(llvm::StringRef Text);

/// The operands that stand in brackets, of [a, {b, c}].
std::vector<PtxOperand> ptxWithin(const PtxOperand &Memory);

/// The number n of an operand "$n", none if it is anything else.
std::optional<unsigned> ptxPlaceholder(llvm::StringRef Operand);

/// An integer constant, as its 64 bits; none if it is anything else.
std::optional<int64_t> ptxInteger(llvm::StringRef Text);

} // namespace ct
#endif
