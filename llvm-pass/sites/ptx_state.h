/* SPDX-License-Identifier: Apache-2.0 */
/* Operands and registers of inline PTX, followed through its text. */
#ifndef CT_LLVM_PASS_SITES_PTX_STATE_H
#define CT_LLVM_PASS_SITES_PTX_STATE_H

#include "llvm-pass/sites/site.h"
#include "ptx/parser.h"
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

/// Tracks the values of registers before the instruction that is looked at.
class PtxState {
public:
  PtxState(llvm::CallBase &Call, const llvm::InlineAsm &Asm);

  /// Returns the value of an operand that is a `$n`, a register or a number.
  std::optional<PtxTerm> term(const PtxOperand &Operand) const;
  /// Returns the value of one that stands in brackets.
  std::optional<PtxTerm> address(const PtxOperand &Operand) const;
  /// The condition of a predicate; false if it is not known. Negate: it must
  /// not hold.
  bool guard(llvm::StringRef Predicate, bool Negate, Guard &Out) const;
  /// Returns the value of an element of the sources of instruction Number, for
  /// the recording of values; after the whole text, too.
  std::optional<SiteValue::Element> source(llvm::StringRef Text,
                                           size_t Number) const;
  /// Returns the output that instruction Number writes to, if it keeps the
  /// value.
  std::optional<SiteValue::Element> destination(llvm::StringRef Text,
                                                size_t Number) const;

  /// Notes what an instruction does to registers.
  void execute(const PtxInstruction &I);
  /// Finds for each output which instruction writes it last.
  void findLastWrites(llvm::ArrayRef<PtxInstruction> Instructions);

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
  llvm::SmallVector<size_t, 8> LastWrite; // outputs: number of the instruction

  std::optional<PtxTerm> named(llvm::StringRef Name) const;
  int output(unsigned Operand) const;
  llvm::Value *input(unsigned Operand) const;
  SiteValue::Element result(unsigned Output) const;
  void forget(llvm::StringRef Destination);
  void compare(const PtxInstruction &I);
  std::optional<PtxTerm> moved(const PtxInstruction &I) const;
};

} // namespace ct
#endif
