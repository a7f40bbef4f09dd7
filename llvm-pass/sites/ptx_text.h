/* SPDX-License-Identifier: Apache-2.0 */
/* The text of inline PTX, taken apart into statements. */
#ifndef CT_PASS_PTX_TEXT_H
#define CT_PASS_PTX_TEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace ct {

/// One instruction: @!p opcode.words operand, [operand], {operand, operand};
struct PtxStatement {
  std::string Predicate; // "" if it is always executed
  bool Negated = false;
  std::string Opcode;             // with all its words
  std::vector<std::string> Words; // of the opcode, between the dots
  std::vector<std::string> Operands;

  bool has(llvm::StringRef Word) const;
  /// True if a word is Word, or begins with Word and "::" (shared::cta).
  bool hasScoped(llvm::StringRef Word) const;
  bool hasAddress() const; // one of the operands stands in brackets
};

/// The instructions of Text in order; declarations and scopes are left out.
/// HasLabels: control flow within the text may repeat or skip them.
struct PtxText {
  std::vector<PtxStatement> Statements;
  bool HasLabels = false;
};
PtxText parsePtx(llvm::StringRef Text);

/// The number n of an operand "$n", none if it is anything else.
std::optional<unsigned> ptxPlaceholder(llvm::StringRef Operand);

/// The elements of "{a, b}", or the operand itself.
std::vector<std::string> ptxElements(llvm::StringRef Operand);

/// True if inline PTX ends the thread.
bool exitsInAsm(llvm::StringRef Text);

} // namespace ct
#endif
