/* SPDX-License-Identifier: Apache-2.0 */
/* One place in a device function that touches memory, or that is counted. */
#ifndef CT_LLVM_PASS_SITES_SITE_H
#define CT_LLVM_PASS_SITES_SITE_H

#include "llvm-pass/base/operations.h"
#include "llvm-pass/sites/matrix.h"
#include "llvm/IR/Instructions.h"
#include <cstdint>
#include <cudatrace/unit.h>
#include <string>
#include <vector>

namespace ct {

/// Which of the hooks a site calls.
enum class Form : uint8_t {
  Access, // one address and a constant size
  Range,  // an address and a size that is a value
  Tile,   // the rows of a matrix, by the whole warp
  Event,  // no address
};

/// When an access takes place, if not always: Left Predicate Right.
struct Guard {
  llvm::Value *Left = nullptr; // null: no condition
  llvm::Value *Right = nullptr;
  llvm::CmpInst::Predicate Predicate = llvm::CmpInst::ICMP_NE;
  int Element = -1;       // of Left, where that is a vector
  unsigned LaneLimit = 0; // only lanes below this one; 0: all
  bool isNeeded() const { return Left || LaneLimit; }
};

/// One of the values that an access moves (enum ct_value_part).
struct SiteValue {
  enum Source : uint8_t {
    Registers, // Elements, each of which has Bits bits
    Memory,    // what is at From + Offset before the instruction, or after it
    Splat,     // the byte From, repeated
  };
  struct Element {
    llvm::Value *V;
    int Field; // of the aggregate V; -1: V itself
  };
  uint8_t Part = 0;
  Source Where = Registers;
  unsigned Bits = 0;
  llvm::SmallVector<Element, 4> Elements;
  llvm::Value *From = nullptr;
  int64_t Offset = 0;
  bool IsAfter = false; // of Memory
  // Locates what a range moves, which Memory holds: From + Index + Offset, an
  // address in shared memory if InShared; From null: the range itself.
  llvm::Value *Index = nullptr;
  bool InShared = false;
};

/// Values are those of the pristine function.
struct Site {
  llvm::Instruction *Inst;
  Form How = Form::Access;
  uint8_t Operation; // operations.def
  uint8_t Space;     // enum ct_site_space
  uint8_t Verdict;   // enum ct_site_verdict
  uint16_t Flags;    // CT_SITE_*
  uint16_t LoopDepth;
  llvm::Value
      *Pointer; // or integer that holds an address; null where there is none
  llvm::Value *Index; // added to it, null for nothing
  int64_t Offset;     // of the access from there, in bytes
  bool InSpace;     // the address is an offset in Space, not a generic address
  uint32_t Checked; // bit 1 << enum ct_site_space: what to record of a generic
                    // address
  llvm::Type *Accessed; // null where unknown
  uint32_t Bytes;       // per lane, 0 if not a constant
  llvm::Value *
      Size; // Range: bytes; Tile: elements between rows, null if they are dense
  uint32_t RowBytes, Rows, ElementBits; // Tile
  uint32_t LocalVariable; // as ct_unit_site.branch_line; 0 unknown
  Guard If;
  std::vector<SiteValue> Values;
  std::string Variable, Reason;

  bool isRecorded() const {
    return Verdict == CT_VERDICT_GLOBAL || Verdict == CT_VERDICT_CHECKED;
  }
  /// Recorded at the instruction; calls are by calls.h.
  bool hasHook() const { return isRecorded() && Operation != OP_CALL; }
  /// An ordinary load or store of global memory.
  bool isOrdinary() const;
  /// An ordinary load or store of global memory, recorded without values.
  bool isPlain() const { return isOrdinary() && Values.empty(); }
  /// That, or one of the accesses that copy or fill a short block.
  bool isPlainOrOfBlock() const;
  /// An ordinary load of global memory, recorded with its value, which is a
  /// word of 4 or 8 bytes.
  bool isPlainWord() const;
};

/// Sites as instructions, intrinsics and inline PTX describe them: without
/// verdict and, unless the instruction names one, without space.
Site accessSite(llvm::Instruction &I, Operation Op, llvm::Value *Pointer,
                llvm::Type *Accessed);
Site rangeSite(llvm::Instruction &I, Operation Op, llvm::Value *Pointer,
               llvm::Value *Size);
/// cp.async: so many bytes from global to shared memory; Size: bytes that are
/// read, null for all of them.
void addAsyncCopy(llvm::Instruction &I, llvm::Value *To, llvm::Value *From,
                  unsigned Bytes, llvm::Value *Size, std::vector<Site> &Out);
/// Stride: elements between rows, null if they are dense.
Site tileSite(llvm::Instruction &I, const MatrixTile &Tile,
              llvm::Value *Pointer, llvm::Value *Stride);
Site rowsSite(llvm::Instruction &I, const MatrixRows &Rows, bool IsStore,
              llvm::Value *Pointer);
Site eventSite(llvm::Instruction &I, Operation Op, std::string What);
Site skippedSite(llvm::Instruction &I, Operation Op, std::string Reason);

} // namespace ct
#endif
