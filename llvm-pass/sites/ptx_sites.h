/* SPDX-License-Identifier: Apache-2.0 */
/* Memory accesses and events in inline PTX. */
#ifndef CT_LLVM_PASS_SITES_PTX_SITES_H
#define CT_LLVM_PASS_SITES_PTX_SITES_H

#include "llvm-pass/sites/ptx_state.h"

namespace ct {

/// The space that an instruction names (enum ct_site_space), generic if none.
uint8_t namedSpace(const PtxInstruction &I);

/// The sites of one call of inline PTX: one for each access and each event.
/// Text that may touch memory and is not understood becomes an event, and a
/// site that is skipped, with its text.
class AsmSites {
public:
  AsmSites(llvm::CallBase &Call, const llvm::InlineAsm &Asm,
           std::vector<Site> &Out)
      : Call(Call), Program(parsePtx(Asm.getAsmString())), State(Call, Asm),
        Out(Out) {}
  /// Adds them to Out.
  void run();

private:
  llvm::CallBase &Call;
  PtxProgram Program;
  PtxState State;
  std::vector<Site> &Out;
  size_t Number = 0; // of the instruction that is looked at

  /// Counted when it is executed, and listed among what is not recorded.
  void addUnknown(const PtxInstruction &I);
  bool addEvent(Operation Op, const PtxInstruction &I);
  /// tex, tld4, suld d, [image, {coordinates}]; sust [image, {coordinates}], s
  bool addFetch(Operation Op, const PtxInstruction &I);
  bool addFetchedValues(Site &S, const PtxInstruction &I, size_t Image);
  /// Predicate and control flow of what an instruction added; false if unknown.
  bool complete(const PtxInstruction &I, size_t First);
  /// Adds the sites of one instruction; false if it may touch memory in a way
  /// that is not known.
  bool add(const PtxInstruction &I);
  bool addOther(const PtxInstruction &I);
  bool setAddress(Site &S, const PtxOperand &Operand, uint8_t Space);
  /// The value of a size operand; Bytes: its constant, if it is one.
  llvm::Value *sizeOperand(const PtxOperand &Operand,
                           std::optional<int64_t> &Bytes);

  // In ptx_access.cpp.
  /// ld d, [a]; st [a], b; atom d, [a], b[, c]; red [a], b
  bool addAccess(const PtxInstruction &I);
  void addValues(Site &S, const PtxInstruction &I, bool Load, bool HasResult,
                 bool Swap);
  /// Where no register tells: what memory holds, before a load or after a
  /// store, if nothing in the text stores in between.
  void addMemoryValue(Site &S, bool Load);
  void addValue(Site &S, uint8_t Part, const PtxInstruction &I, size_t Operand,
                bool Result);
  /// Registers that are read, or written if Result.
  std::optional<SiteValue> registers(uint8_t Part, const PtxOperand &Operand,
                                     uint32_t Bytes, bool Result);

  // In ptx_copy.cpp.
  bool addCopy(const PtxInstruction &I);
  /// cp.async.ca.shared.global [to], [from], bytes[, bytes that are read |
  /// predicate][, policy]
  bool addSmallCopy(const PtxInstruction &I);
  /// [to], [from], bytes: the side that is in global memory, the other if none
  /// is.
  bool addBulk(const PtxInstruction &I, Operation Op);
  /// st.bulk [a], size, 0
  bool addFill(const PtxInstruction &I);
  bool addRows(const PtxInstruction &I);
  /// wmma.load d, [p], stride; wmma.store [p], d, stride
  bool addTile(const PtxInstruction &I);
  void moveAddress(Site &To, const Site &From);
  /// The copied bytes lie there.
  void moveValues(Site &To, const Site &From);
};

} // namespace ct
#endif
