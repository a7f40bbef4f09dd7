/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PTX video instructions of two halves or four bytes: v<op>{2,4}
 * .dtype.atype.btype{.sat}{.add} d{.mask}, a, b, c. Lanes outside of the mask
 * come from c; with .add the lanes are summed and added to c.
 */
#include "cpu-target/retarget/ptx/ptx.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace ct {

/// V as lanes of 32 bits, by the sign of T.
static Value *lanesOf(IRBuilderBase &B, Value *V, PtxType T, unsigned Lanes) {
  auto *Narrow = FixedVectorType::get(B.getIntNTy(32 / Lanes), Lanes);
  auto *Wide = FixedVectorType::get(B.getInt32Ty(), Lanes);
  return B.CreateIntCast(B.CreateBitCast(V, Narrow), Wide, T.isSigned());
}

static Value *clampLanes(IRBuilderBase &B, Value *V, PtxType T,
                         unsigned Lanes) {
  unsigned Bits = 32 / Lanes;
  int64_t High = T.isSigned() ? maxIntN(Bits) : maxUIntN(Bits);
  int64_t Low = T.isSigned() ? minIntN(Bits) : 0;
  V = B.CreateBinaryIntrinsic(Intrinsic::smax, V,
                              ConstantInt::getSigned(V->getType(), Low));
  return B.CreateBinaryIntrinsic(Intrinsic::smin, V,
                                 ConstantInt::getSigned(V->getType(), High));
}

Value *PtxLowering::videoLanes(StringRef Operation, Value *X, Value *Y) {
  bool IsSigned = Type.isSigned();
  if (Operation == "add")
    return B.CreateAdd(X, Y);
  if (Operation == "sub")
    return B.CreateSub(X, Y);
  if (Operation == "absdiff")
    return B.CreateBinaryIntrinsic(Intrinsic::abs, B.CreateSub(X, Y),
                                   B.getFalse());
  if (Operation == "min")
    return B.CreateBinaryIntrinsic(Intrinsic::smin, X, Y);
  if (Operation == "max")
    return B.CreateBinaryIntrinsic(Intrinsic::smax, X, Y);
  if (Operation == "avrg") { // to nearest, halves away from zero
    Value *Sum = B.CreateAdd(X, Y);
    Value *One = ConstantInt::get(X->getType(), 1);
    Value *Up = B.CreateAdd(Sum, One);
    if (IsSigned)
      Up = B.CreateSelect(
          B.CreateICmpSLT(Sum, Constant::getNullValue(X->getType())), Sum, Up);
    return B.CreateAShr(Up, One);
  }
  if (Operation != "set")
    return nullptr;
  for (const char *Name : {"eq", "ne", "lt", "le", "gt", "ge"})
    if (has(Name)) {
      PtxType Ordered = Type;
      Ordered.Kind = 's'; // lanes are extended already
      return B.CreateZExt(comparison(Name, X, Y, Ordered), X->getType());
    }
  return nullptr;
}

/// Replace the lanes that are not selected by those of C.
static Value *maskLanes(IRBuilderBase &B, Value *V, Value *C, unsigned Selected,
                        unsigned Lanes) {
  uint32_t Bits = 0;
  for (unsigned N = 0; N < Lanes; ++N)
    if (Selected >> N & 1)
      Bits |= uint32_t(maxUIntN(32 / Lanes)) << (N * 32 / Lanes);
  return B.CreateOr(B.CreateAnd(V, B.getInt32(Bits)),
                    B.CreateAnd(C, B.getInt32(~Bits)));
}

bool PtxLowering::lowerVideo() {
  StringRef Operation = StringRef(I->Opcode).drop_front();
  unsigned Lanes = Operation.back() - '0';
  Operation = Operation.drop_back();
  llvm::Type *Word = B.getInt32Ty();
  Value *X = operandBits(1, Word), *Y = operandBits(2, Word),
        *C = count() > 3 ? operandBits(3, Word) : B.getInt32(0);
  if (!X || !Y || !C || !Type || I->Operands[0].Kind != PtxOperand::Name)
    return false;
  auto [Name, Mask] = StringRef(I->Operands[0].Text).split('.');
  unsigned Selected = 0;
  for (char Digit : Mask.drop_front(std::min<size_t>(1, Mask.size())))
    Selected |= 1u << (Digit - '0');
  if (Mask.empty())
    Selected = (1u << Lanes) - 1;
  // vset has two types; the others' first is that of the result.
  PtxType Source =
      Operation == "set" ? Target : PtxType::parse(I->Modifiers[1]);
  Value *V = videoLanes(Operation, lanesOf(B, X, Source, Lanes),
                        lanesOf(B, Y, Type, Lanes));
  if (!V)
    return false;
  PtxType To = PtxType::parse(I->Modifiers[0]);
  if (has("sat"))
    V = clampLanes(B, V, To, Lanes);
  if (has("add")) {
    for (unsigned N = 0; N < Lanes; ++N)
      if (Selected >> N & 1)
        C = B.CreateAdd(C, B.CreateExtractElement(V, N));
    return write(Name, C);
  }
  V = B.CreateBitCast(
      B.CreateTrunc(V, FixedVectorType::get(B.getIntNTy(32 / Lanes), Lanes)),
      Word);
  return write(Name, maskLanes(B, V, C, Selected, Lanes));
}

} // namespace ct
