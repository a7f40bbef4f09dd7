/* SPDX-License-Identifier: Apache-2.0 */
/* One place in a device function that touches memory, or that is counted. */
#include "llvm-pass/sites/site.h"
#include "llvm-pass/sites/values.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <cudatrace/unit.h>

using namespace llvm;

static ct::Site blank(Instruction &I, ct::Operation Op, ct::Form How) {
  ct::Site S = {};
  S.Inst = &I;
  S.How = How;
  S.Operation = Op;
  return S;
}

ct::Site ct::accessSite(Instruction &I, Operation Op, Value *Pointer,
                        Type *Accessed) {
  Site S = blank(I, Op, Form::Access);
  S.Pointer = Pointer;
  S.Accessed = Accessed;
  S.Bytes =
      I.getModule()->getDataLayout().getTypeStoreSize(Accessed).getFixedValue();
  return S;
}

ct::Site ct::rangeSite(Instruction &I, Operation Op, Value *Pointer,
                       Value *Size) {
  Site S = blank(I, Op, Form::Range);
  S.Pointer = Pointer;
  S.Size = Size;
  S.Accessed = Type::getInt8Ty(I.getContext());
  S.Flags = CT_SITE_RANGE;
  return S;
}

void ct::addAsyncCopy(Instruction &I, Value *To, Value *From, unsigned Bytes,
                      Value *Size, std::vector<Site> &Out) {
  Type *Word = Type::getInt32Ty(I.getContext());
  Type *Accessed = Bytes == 4 ? Word : FixedVectorType::get(Word, Bytes / 4);
  SiteValue Value;
  Value.Where = SiteValue::Memory;
  Value.From = From;
  Site Read = Size ? rangeSite(I, OP_COPY_ASYNC, From, Size)
                   : accessSite(I, OP_COPY_ASYNC, From, Accessed);
  Read.Space = CT_SPACE_GLOBAL;
  Read.Values.push_back(Size ? ownContent() : Value);
  Out.push_back(std::move(Read));
  Site Written = accessSite(I, OP_STORE, To, Accessed);
  Written.Space = CT_SPACE_SHARED;
  Written.InSpace = true;
  if (!Size)
    Written.Values.push_back(Value);
  Out.push_back(std::move(Written));
}

ct::Site ct::tileSite(Instruction &I, const MatrixTile &Tile, Value *Pointer,
                      Value *Stride) {
  Site S =
      blank(I, Tile.IsStore ? OP_MATRIX_STORE : OP_MATRIX_LOAD, Form::Tile);
  S.Pointer = Pointer;
  S.Accessed = Tile.Element;
  S.Size = Stride;
  S.Rows = Tile.Rows;
  S.ElementBits = Tile.ElementBits;
  S.RowBytes = Tile.RowElements * Tile.ElementBits / 8;
  S.Flags = CT_SITE_RANGE;
  S.Values.push_back(ownContent());
  return S;
}

ct::Site ct::rowsSite(Instruction &I, const MatrixRows &Rows, bool IsStore,
                      Value *Pointer) {
  Type *Row =
      FixedVectorType::get(Type::getInt16Ty(I.getContext()), Rows.Bytes / 2);
  Site S =
      accessSite(I, IsStore ? OP_MATRIX_STORE : OP_MATRIX_LOAD, Pointer, Row);
  S.Space = CT_SPACE_SHARED;
  S.InSpace = !Pointer->getType()->isPointerTy() ||
              Pointer->getType()->getPointerAddressSpace();
  if (Rows.Lanes < 32)
    S.If.LaneLimit = Rows.Lanes;
  return S;
}

ct::Site ct::eventSite(Instruction &I, Operation Op, std::string What) {
  Site S = blank(I, Op, Form::Event);
  S.Reason = std::move(What);
  return S;
}

ct::Site ct::skippedSite(Instruction &I, Operation Op, std::string Reason) {
  Site S = blank(I, Op, Form::Access);
  S.Verdict = CT_VERDICT_SKIPPED;
  S.Reason = std::move(Reason);
  return S;
}

/// One access of so many bytes of global memory, whenever the instruction runs.
static bool isDefinite(const ct::Site &S) {
  return S.hasHook() && S.How == ct::Form::Access &&
         S.Verdict == CT_VERDICT_GLOBAL && S.Space == CT_SPACE_GLOBAL &&
         S.Bytes && !S.Index && !S.If.isNeeded();
}

bool ct::Site::isOrdinary() const {
  bool Simple = false;
  if (auto *Load = dyn_cast<LoadInst>(Inst))
    Simple = Load->isSimple();
  else if (auto *Store = dyn_cast<StoreInst>(Inst))
    Simple = Store->isSimple();
  return Simple && isDefinite(*this);
}

bool ct::Site::isPlainOrOfBlock() const {
  auto *Block = dyn_cast<MemIntrinsic>(Inst);
  return isPlain() ||
         (Block && !Block->isVolatile() && isDefinite(*this) && Values.empty());
}

bool ct::Site::isPlainWord() const {
  return isOrdinary() && Operation == OP_LOAD && (Bytes == 4 || Bytes == 8) &&
         Values.size() == 1 && Values[0].Where == SiteValue::Registers;
}
