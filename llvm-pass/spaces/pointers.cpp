/* SPDX-License-Identifier: Apache-2.0 */
/* Derives what types, functions and single instructions say of pointers by
 * themselves. */
#include "llvm-pass/spaces/pointers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <cudatrace/unit.h>

using namespace llvm;

unsigned ct::siteSpace(unsigned AddressSpace) {
  switch (AddressSpace) {
  case 0:
    return CT_SPACE_GENERIC;
  case 1:
    return CT_SPACE_GLOBAL;
  case 3:
  case 7: // shared memory of the cluster
    return CT_SPACE_SHARED;
  case 4:
  case 101: // kernel parameters
    return CT_SPACE_CONSTANT;
  case 5:
    return CT_SPACE_LOCAL;
  default:
    return 6;
  }
}

unsigned ct::typeSpace(const Type *T) {
  return siteSpace(T->isPtrOrPtrVectorTy() ? T->getPointerAddressSpace() : 0);
}

unsigned ct::resultSpace(const Function &F) {
  StringRef Name = F.getName();
  if (Name.starts_with("llvm.nvvm.mapa"))
    return CT_SPACE_SHARED;
  return StringSwitch<unsigned>(Name)
      .Cases({"malloc", "_Znwm", "_Znam", "_ZnwmSt11align_val_t",
              "_ZnamSt11align_val_t"},
             CT_SPACE_GLOBAL)
      .Cases({"_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t"}, CT_SPACE_GLOBAL)
      .Cases({"cudaGetParameterBuffer", "cudaGetParameterBufferV2"},
             CT_SPACE_GLOBAL)
      .Default(CT_SPACE_GENERIC);
}

const Value *ct::passedThrough(const CallBase &Call) {
  if (const Value *Same = Call.getReturnedArgOperand())
    return Same;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isIntrinsic() || Call.arg_empty())
    return nullptr;
  StringRef Name = Callee->getName();
  static const char *const Prefixes[] = {"llvm.ptrmask.",
                                         "llvm.launder.invariant.group",
                                         "llvm.strip.invariant.group",
                                         "llvm.ptr.annotation",
                                         "llvm.ssa.copy",
                                         "llvm.nvvm.ptr.",
                                         "llvm.nvvm.internal.addrspace.wrap",
                                         "llvm.preserve."};
  bool Passes = any_of(
      Prefixes, [&](const char *Prefix) { return Name.starts_with(Prefix); });
  bool Pointers = Call.getType()->isPtrOrPtrVectorTy() &&
                  Call.getArgOperand(0)->getType()->isPtrOrPtrVectorTy();
  return Passes && Pointers ? Call.getArgOperand(0) : nullptr;
}

Type *ct::scalarAt(Type *T, uint64_t Offset, const DataLayout &Layout) {
  while (T->isAggregateType() || isa<FixedVectorType>(T)) {
    if (auto *Struct = dyn_cast<StructType>(T)) {
      const StructLayout *Parts = Layout.getStructLayout(Struct);
      if (Struct->getNumElements() == 0 || Offset >= Parts->getSizeInBytes())
        return nullptr;
      unsigned Index = Parts->getElementContainingOffset(Offset);
      Offset -= Parts->getElementOffset(Index);
      T = Struct->getElementType(Index);
      continue;
    }
    Type *Element = isa<ArrayType>(T)
                        ? T->getArrayElementType()
                        : cast<FixedVectorType>(T)->getElementType();
    uint64_t Bytes = Layout.getTypeAllocSize(Element);
    if (!Bytes || Offset >= Layout.getTypeAllocSize(T))
      return nullptr;
    Offset %= Bytes;
    T = Element;
  }
  return Offset < Layout.getTypeStoreSize(T).getKnownMinValue() ? T : nullptr;
}

bool ct::holdsPointer(Type *T) {
  return T->isPtrOrPtrVectorTy() ||
         any_of(T->subtypes(), [](Type *Part) { return holdsPointer(Part); });
}

static bool holdsPointer(const Value *V, SmallPtrSetImpl<const Value *> &Seen) {
  static const unsigned Limit = 64;
  auto Any = [&](const Value *Part) { return holdsPointer(Part, Seen); };
  if (Seen.size() >= Limit || !Seen.insert(V).second)
    return false;
  if (isa<PtrToIntOperator>(V))
    return true;
  if (isa<CastInst>(V) || isa<FreezeInst>(V))
    return Any(cast<Instruction>(V)->getOperand(0));
  if (auto *Select = dyn_cast<SelectInst>(V))
    return Any(Select->getTrueValue()) || Any(Select->getFalseValue());
  if (auto *Phi = dyn_cast<PHINode>(V))
    return any_of(Phi->incoming_values(), Any);
  if (auto *Load = dyn_cast<LoadInst>(V))
    if (auto *Slot = dyn_cast<AllocaInst>(Load->getPointerOperand()))
      return any_of(Slot->users(), [&](const User *U) {
        auto *Store = dyn_cast<StoreInst>(U);
        return Store && Store->getPointerOperand() == Slot &&
               Any(Store->getValueOperand());
      });
  auto *Sum = dyn_cast<BinaryOperator>(V);
  if (!Sum)
    return false;
  return Sum && (Any(Sum->getOperand(0)) || Any(Sum->getOperand(1)));
}

bool ct::holdsPointer(const Value *Integer) {
  SmallPtrSet<const Value *, 16> Seen;
  return ::holdsPointer(Integer, Seen);
}
