/* SPDX-License-Identifier: Apache-2.0 */
/* Asynchronous copies, fills and matrices in inline PTX. */
#include "llvm-pass/sites/matrix.h"
#include "llvm-pass/sites/ptx_sites.h"
#include "llvm-pass/sites/values.h"
#include "llvm/IR/DerivedTypes.h"
#include <cudatrace/unit.h>

using namespace llvm;

static uint8_t namedOf(StringRef Word) {
  return Word == "global"             ? CT_SPACE_GLOBAL
         : Word.starts_with("shared") ? CT_SPACE_SHARED
                                      : CT_SPACE_GENERIC;
}

static SmallVector<StringRef, 8> words(const ct::PtxInstruction &I) {
  SmallVector<StringRef, 8> Words = {I.Opcode};
  Words.append(I.Modifiers.begin(), I.Modifiers.end());
  return Words;
}

bool ct::AsmSites::addCopy(const ct::PtxInstruction &I) {
  if (I.has("bulk")) {
    if (I.has("commit_group") || I.has("wait_group"))
      return true;
    if (I.has("prefetch"))
      return addEvent(ct::OP_PREFETCH, I);
    if (I.has("tensor"))
      return addEvent(ct::OP_COPY_TENSOR, I);
    return addBulk(I, I.Modifiers.size() > 2 && I.Modifiers[2] == "global"
                          ? ct::OP_COPY_BULK_STORE
                          : ct::OP_COPY_BULK_LOAD);
  }
  if (I.Modifiers.size() > 1 &&
      is_contained(ArrayRef<StringRef>{"commit_group", "wait_group", "wait_all",
                                       "mbarrier"},
                   I.Modifiers[1]))
    return true;
  return addSmallCopy(I);
}

bool ct::AsmSites::addSmallCopy(const ct::PtxInstruction &I) {
  std::optional<int64_t> Bytes, Read;
  Value *Size = nullptr;
  ct::Guard Ignored;
  size_t Count = I.Operands.size() - I.has("L2::cache_hint");
  if (Count < 3 || Count > 4 || !sizeOperand(I.Operands[2], Bytes) || !Bytes ||
      !is_contained({4, 8, 16}, *Bytes))
    return false;
  if (Count == 4 && !State.guard(I.Operands[3].Whole, true, Ignored)) {
    Size = sizeOperand(I.Operands[3], Read);
    if (!Size)
      return false;
    if (Read && *Read == *Bytes)
      Size = nullptr;
  }
  ct::Site To = ct::accessSite(Call, ct::OP_STORE, nullptr,
                               Type::getInt8Ty(Call.getContext()));
  ct::Site From = To;
  if (!setAddress(To, I.Operands[0], CT_SPACE_SHARED) ||
      !setAddress(From, I.Operands[1], CT_SPACE_GLOBAL))
    return false;
  size_t First = Out.size();
  ct::addAsyncCopy(Call, To.Pointer, From.Pointer, *Bytes, Size, Out);
  moveAddress(Out[First], From);
  moveAddress(Out[First + 1], To);
  moveValues(Out[First], From);
  moveValues(Out[First + 1], From);
  Out[First].If = Ignored;
  if (Ignored.isNeeded()) // what is written is zeros, or what is read
    Out[First + 1].Values.clear();
  return true;
}

bool ct::AsmSites::addBulk(const ct::PtxInstruction &I, ct::Operation Op) {
  std::optional<int64_t> Bytes;
  size_t To = 0;
  while (To < I.Modifiers.size() &&
         namedOf(I.Modifiers[To]) == CT_SPACE_GENERIC)
    To++;
  Value *Size =
      I.Operands.size() > 2 ? sizeOperand(I.Operands[2], Bytes) : nullptr;
  if (To == I.Modifiers.size() || !Size)
    return false;
  bool ToGlobal = namedOf(I.Modifiers[To]) == CT_SPACE_GLOBAL,
       Global = ToGlobal || I.has("global");
  ct::Site Site = ct::rangeSite(Call, Op, nullptr, Size);
  if (!setAddress(Site, I.Operands[Global && !ToGlobal],
                  Global ? CT_SPACE_GLOBAL : CT_SPACE_SHARED))
    return false;
  ct::SiteValue Content = ct::ownContent();
  ct::Site From = {};
  if (ToGlobal) {
    if (!setAddress(From, I.Operands[1], CT_SPACE_SHARED))
      return false;
    Content.From = From.Pointer;
    Content.Index = From.Index;
    Content.Offset = From.Offset;
    Content.InShared = From.InSpace;
  }
  Site.Values.push_back(Content);
  Out.push_back(std::move(Site));
  return true;
}

bool ct::AsmSites::addFill(const ct::PtxInstruction &I) {
  std::optional<int64_t> Bytes;
  Value *Size =
      I.Operands.size() > 1 ? sizeOperand(I.Operands[1], Bytes) : nullptr;
  ct::Site Site = ct::rangeSite(Call, ct::OP_STORE, nullptr, Size);
  if (!Size || !setAddress(Site, I.Operands[0], CT_SPACE_SHARED))
    return false;
  Out.push_back(std::move(Site));
  return true;
}

bool ct::AsmSites::addRows(const ct::PtxInstruction &I) {
  bool Store = I.Opcode == "stmatrix";
  std::optional<ct::MatrixRows> Rows = ct::matrixRows(words(I));
  if (!Rows || I.Operands.size() < 2)
    return false;
  ct::Site Address = {};
  if (!setAddress(Address, I.Operands[!Store], namedSpace(I)))
    return false;
  Out.push_back(ct::rowsSite(Call, *Rows, Store, Address.Pointer));
  moveAddress(Out.back(), Address);
  return true;
}

bool ct::AsmSites::addTile(const ct::PtxInstruction &I) {
  std::optional<ct::MatrixTile> Tile =
      ct::wmmaTile(Call.getContext(), words(I));
  std::optional<int64_t> Constant;
  Value *Stride =
      I.Operands.size() > 2 ? sizeOperand(I.Operands[2], Constant) : nullptr;
  ct::Site Address = {};
  if (!Tile || I.Operands.size() < 2 || (I.Operands.size() > 2 && !Stride) ||
      !setAddress(Address, I.Operands[!Tile->IsStore], namedSpace(I)))
    return false;
  ct::Site Site = ct::tileSite(Call, *Tile, Address.Pointer, Stride);
  Site.Space = Address.Space;
  Out.push_back(std::move(Site));
  moveAddress(Out.back(), Address);
  return true;
}

void ct::AsmSites::moveAddress(ct::Site &Site, const ct::Site &From) {
  Site.Index = From.Index;
  Site.Offset = From.Offset;
  Site.InSpace = From.InSpace;
}

void ct::AsmSites::moveValues(ct::Site &Site, const ct::Site &From) {
  if (Site.How != ct::Form::Access)
    return;
  for (ct::SiteValue &Value : Site.Values)
    Value.Offset = From.Offset;
  if (From.Index)
    Site.Values.clear();
}
