/* SPDX-License-Identifier: Apache-2.0 */
/* Inline PTX as a list of instructions. */
#ifndef CT_RETARGET_PTXPARSER_H
#define CT_RETARGET_PTXPARSER_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace ct {

struct PtxOperand {
  enum KindType { Name, Vector, Memory };
  KindType Kind = Name;
  std::string Text;   ///< register, operand ($0), number; base address
  std::string Second; ///< q of p|q
  std::vector<std::string> Parts; ///< of {a, b}
  int64_t Offset = 0;             ///< of [a+4]
  bool Negated = false;           ///< !p
};

struct PtxInstruction {
  std::string Label;     ///< of a label, then all else is empty
  std::string Predicate; ///< p of @p, else empty
  bool Negated = false;  ///< @!p
  std::string Text;      ///< opcode with modifiers
  std::string Opcode;    ///< ld of ld.global.u32
  std::vector<std::string> Modifiers;
  std::vector<PtxOperand> Operands;

  bool has(llvm::StringRef Modifier) const;
};

struct PtxProgram {
  std::vector<PtxInstruction> Instructions;
  std::vector<std::string> Registers; ///< declared by .reg
  bool HasLabels = false;
};

/// Scopes are skipped. False for a directive that has no translation: What
/// then holds it.
bool parsePtx(llvm::StringRef Asm, PtxProgram &Program, std::string &What);

} // namespace ct

#endif
