/* SPDX-License-Identifier: Apache-2.0 */
/* Operands and registers of inline PTX, followed through its text. */
#ifndef CT_PASS_PTX_STATE_H
#define CT_PASS_PTX_STATE_H

#include "llvm-pass/sites/ptx_text.h"
#include "llvm-pass/sites/site.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"

namespace ct {

/// Base + Index + Offset; a constant if there is no base.
struct PtxTerm {
  llvm::Value *Base = nullptr, *Index = nullptr;
  int64_t Offset = 0;
  uint8_t Space = 0; // what cvta said of it (enum ct_site_space), else 0
  bool InSpace =
      false; // an offset in Space, although a generic address is meant
};

/// What registers hold before the statement that is looked at.
class PtxState {
public:
  PtxState(llvm::CallBase &Call, const llvm::InlineAsm &Asm);

  /// A `$n`, a register or a number.
  std::optional<PtxTerm> term(llvm::StringRef Text) const;
  /// What stands in the brackets.
  std::optional<PtxTerm> address(llvm::StringRef Text) const;
  /// The condition of a predicate; false if it is not known. Negate: it must
  /// not hold.
  bool guard(llvm::StringRef Predicate, bool Negate, Guard &Out) const;
  /// What an element of a statement's sources holds, for the recording of
  /// values; after the whole text, too.
  std::optional<SiteValue::Element> source(llvm::StringRef Text) const;
  /// What a statement writes to, if it is an output that keeps the value.
  std::optional<SiteValue::Element> destination(llvm::StringRef Text,
                                                size_t Statement) const;

  /// Notes what a statement does to registers.
  void execute(const PtxStatement &S);
  /// Finds for each output which statement writes it last.
  void findLastWrites(llvm::ArrayRef<PtxStatement> Statements);

private:
  struct Comparison {
    llvm::CmpInst::Predicate Predicate;
    PtxTerm Left, Right;
  };
  llvm::CallBase &Call;
  unsigned Outputs = 0;
  llvm::SmallVector<int, 8> TiedInput;  // of an output: operand number, -1
  llvm::SmallVector<int, 8> TiedOutput; // of an operand: output number, -1
  llvm::StringMap<PtxTerm> Registers;
  llvm::StringMap<Comparison> Predicates;
  llvm::SmallVector<bool, 8> Written;     // outputs, so far
  llvm::SmallVector<size_t, 8> LastWrite; // outputs: number of the statement

  int output(unsigned Operand) const;
  llvm::Value *input(unsigned Operand) const;
  SiteValue::Element result(unsigned Output) const;
  void forget(llvm::StringRef Destination);
  void compare(const PtxStatement &S);
  std::optional<PtxTerm> moved(const PtxStatement &S) const;
};

} // namespace ct
#endif
