/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of small structures field by field, as nvcc makes them. */
#include "llvm-pass/device/fields.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> CopyFields("ct-copy-fields", cl::Hidden,
                                cl::desc("cuda-trace: copy small structures "
                                         "field by field"));

bool ct::copiesFields() { return CopyFields; }

namespace {

struct Field {
  uint64_t Offset, Bytes;
  MDNode *Tag;
};

} // namespace

static constexpr unsigned FieldsMax = 16;
static constexpr uint64_t WidestAccess = 16; // of PTX
static constexpr size_t LanesMax = 4;

/// The fields of a copy, none if they are not all plain ones, aligned by their
/// size, in both places.
static SmallVector<Field, FieldsMax> fieldsOf(const MemCpyInst &Copy) {
  SmallVector<Field, FieldsMax> Fields;
  MDNode *Known = Copy.getMetadata(LLVMContext::MD_tbaa_struct);
  auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  Align Least = std::min(Copy.getDestAlign().valueOrOne(),
                         Copy.getSourceAlign().valueOrOne());

  if (!Known || !Length || Copy.isVolatile() ||
      Known->getNumOperands() > 3 * FieldsMax)
    return {};
  for (unsigned I = 0; I + 2 < Known->getNumOperands(); I += 3) {
    auto *Offset = mdconst::dyn_extract<ConstantInt>(Known->getOperand(I));
    auto *Bytes = mdconst::dyn_extract<ConstantInt>(Known->getOperand(I + 1));
    auto *Tag = dyn_cast<MDNode>(Known->getOperand(I + 2));
    if (!Offset || !Bytes || !Tag)
      return {};
    Field F = {Offset->getZExtValue(), Bytes->getZExtValue(), Tag};
    if (!isPowerOf2_64(F.Bytes) || F.Bytes > 8 ||
        F.Offset + F.Bytes > Length->getZExtValue() ||
        commonAlignment(Least, F.Offset).value() < F.Bytes ||
        (!Fields.empty() &&
         F.Offset < Fields.back().Offset + Fields.back().Bytes))
      return {};
    Fields.push_back(F);
  }
  return Fields;
}

static Value *place(IRBuilder<> &Builder, Value *Pointer, uint64_t Offset) {
  return Offset ? Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(),
                                                     Pointer, Offset)
                : Pointer;
}

/// Returns what all of these alias with; not known if they differ.
static MDNode *tagOf(ArrayRef<Field> Fields) {
  for (const Field &F : Fields)
    if (F.Tag != Fields.front().Tag)
      return nullptr;
  return Fields.front().Tag;
}

/// As whose kind values are recorded: clang names it in the tag.
static Type *kindOf(ArrayRef<Field> Fields, IRBuilder<> &Builder) {
  uint64_t Bytes = Fields.front().Bytes;
  MDNode *Tag = tagOf(Fields);
  auto *Accessed = Tag && Tag->getNumOperands() > 1
                       ? dyn_cast<MDNode>(Tag->getOperand(1))
                       : nullptr;
  auto *Name = Accessed && Accessed->getNumOperands() > 0
                   ? dyn_cast<MDString>(Accessed->getOperand(0))
                   : nullptr;

  if (Name && Name->getString() == "float" && Bytes == 4)
    return Builder.getFloatTy();
  if (Name && Name->getString() == "double" && Bytes == 8)
    return Builder.getDoubleTy();
  return Builder.getIntNTy(Bytes * 8);
}

/// How many fields from I on are moved at once: as many of one size, one behind
/// the other, as an aligned access of 16 bytes at most has.
static size_t countTogether(ArrayRef<Field> Fields, size_t I, Align Least) {
  for (uint64_t Bytes = WidestAccess; Bytes > Fields[I].Bytes; Bytes /= 2) {
    size_t Count = Bytes / Fields[I].Bytes;
    bool Fits = Count <= LanesMax && I + Count <= Fields.size() &&
                commonAlignment(Least, Fields[I].Offset).value() >= Bytes;
    for (size_t J = 0; Fits && J < Count; J++)
      Fits = Fields[I + J].Bytes == Fields[I].Bytes &&
             Fields[I + J].Offset == Fields[I].Offset + J * Fields[I].Bytes;
    if (Fits)
      return Count;
  }
  return 1;
}

/// All loads before all stores, as the places may be the same.
static void copyFields(MemCpyInst &Copy, ArrayRef<Field> Fields) {
  IRBuilder<> Builder(&Copy);
  Align From = Copy.getSourceAlign().valueOrOne();
  Align To = Copy.getDestAlign().valueOrOne();
  SmallVector<std::pair<const Field *, Value *>, FieldsMax> Moved;

  for (size_t I = 0, Count; I < Fields.size(); I += Count) {
    const Field &F = Fields[I];
    Count = countTogether(Fields, I, std::min(From, To));
    Type *Kind = kindOf(Fields.slice(I, Count), Builder);
    if (Count > 1)
      Kind = FixedVectorType::get(Kind, Count);
    auto *Load = Builder.CreateAlignedLoad(
        Kind, place(Builder, Copy.getRawSource(), F.Offset),
        commonAlignment(From, F.Offset));
    Load->setMetadata(LLVMContext::MD_tbaa, tagOf(Fields.slice(I, Count)));
    Moved.push_back({&F, Load});
  }
  for (auto [F, Loaded] : Moved) {
    auto *Store = Builder.CreateAlignedStore(
        Loaded, place(Builder, Copy.getRawDest(), F->Offset),
        commonAlignment(To, F->Offset));
    Store->setMetadata(
        LLVMContext::MD_tbaa,
        cast<Instruction>(Loaded)->getMetadata(LLVMContext::MD_tbaa));
  }
  Copy.eraseFromParent();
}

PreservedAnalyses ct::CopyFieldsPass::run(Function &F,
                                          FunctionAnalysisManager &) {
  SmallVector<MemCpyInst *, 16> Copies;

  for (Instruction &I : instructions(F))
    if (auto *Copy = dyn_cast<MemCpyInst>(&I))
      Copies.push_back(Copy);
  bool Changed = false;
  for (MemCpyInst *Copy : Copies) {
    auto Fields = fieldsOf(*Copy);
    if (Fields.empty())
      continue;
    copyFields(*Copy, Fields);
    Changed = true;
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}
