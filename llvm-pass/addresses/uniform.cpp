/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are the same in all threads of a launch. */
#include "llvm-pass/addresses/uniform.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static bool isLaunchSize(const Value *V) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  if (!Call)
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return true;
  default:
    return false;
  }
}

/// A thread may write to its own copy of a parameter.
static bool isOnlyRead(const Value *Pointer, unsigned Depth = 0) {
  return Depth < 8 && all_of(Pointer->users(), [&](const User *U) {
           if (isa<LoadInst>(U))
             return true;
           return (isa<GetElementPtrInst>(U) || isa<AddrSpaceCastInst>(U)) &&
                  isOnlyRead(U, Depth + 1);
         });
}

/// The structure parameter that a load reads, and where; null if it reads
/// something else.
static const Argument *parameterRead(const LoadInst &Load, APInt &Offset) {
  const DataLayout &DL = Load.getModule()->getDataLayout();
  const Value *Pointer = Load.getPointerOperand();
  Offset = APInt(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  Pointer = Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  auto *A = dyn_cast<Argument>(Pointer);
  return A && A->hasByValAttr() && Load.isSimple() ? A : nullptr;
}

bool ct::isUniform(const Value *V) {
  APInt Offset;
  if (auto *A = dyn_cast<Argument>(V))
    return !A->hasByValAttr();
  if (auto *Load = dyn_cast<LoadInst>(V)) {
    const Argument *A = parameterRead(*Load, Offset);
    return A && isOnlyRead(A);
  }
  auto *Variable = dyn_cast<GlobalVariable>(V);
  return (Variable && Variable->getAddressSpace() <= 1) || isLaunchSize(V);
}

Value *ct::uniformValue(IRBuilder<> &B, Value *V) {
  APInt Offset;
  if (isLaunchSize(V))
    return B.CreateIntrinsic(V->getType(),
                             cast<IntrinsicInst>(V)->getIntrinsicID(), {});
  auto *Load = dyn_cast<LoadInst>(V);
  if (!Load)
    return V;
  auto *A = const_cast<Argument *>(parameterRead(*Load, Offset));
  Value *Field = B.CreateConstGEP1_64(B.getInt8Ty(), A, Offset.getSExtValue());
  return B.CreateAlignedLoad(Load->getType(), Field, Load->getAlign());
}
