/* SPDX-License-Identifier: Apache-2.0 */
/* PTX operations on bits. */
#include "cpu-target/retarget/ptx/ptx.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace ct {

bool PtxLowering::lowerLogic() {
  Value *X = operand(1);
  if (!X)
    return false;
  if (I->Opcode == "not")
    return result(B.CreateNot(X));
  if (I->Opcode == "cnot")
    return result(B.CreateZExt(
        B.CreateICmpEQ(X, Constant::getNullValue(X->getType())), X->getType()));
  Value *Y = operand(2);
  if (!Y)
    return false;
  if (I->Opcode == "and")
    return result(B.CreateAnd(X, Y));
  return result(I->Opcode == "or" ? B.CreateOr(X, Y) : B.CreateXor(X, Y));
}

/// Shifts by the width or more give zeros or signs.
bool PtxLowering::lowerShift() {
  Value *X = operand(1), *N = operandBits(2, B.getInt32Ty());
  if (!X || !N)
    return false;
  unsigned Bits = Type.Bits;
  Value *TooFar = B.CreateICmpUGE(N, B.getInt32(Bits));
  Value *Amount =
      B.CreateZExtOrTrunc(B.CreateAnd(N, B.getInt32(Bits - 1)), X->getType());
  Value *Zero = Constant::getNullValue(X->getType());
  if (I->Opcode == "shl")
    return result(B.CreateSelect(TooFar, Zero, B.CreateShl(X, Amount)));
  if (!Type.isSigned())
    return result(B.CreateSelect(TooFar, Zero, B.CreateLShr(X, Amount)));
  Amount =
      B.CreateSelect(TooFar, ConstantInt::get(X->getType(), Bits - 1), Amount);
  return result(B.CreateAShr(X, Amount));
}

bool PtxLowering::lowerFunnelShift() {
  Value *Low = operand(1), *High = operand(2), *N = operand(3);
  if (!Low || !High || !N || Type.Bits != 32)
    return false;
  bool IsLeft = has("l");
  Value *Wrapped = B.CreateIntrinsic(IsLeft ? Intrinsic::fshl : Intrinsic::fshr,
                                     {Low->getType()}, {High, Low, N});
  if (!has("clamp"))
    return result(Wrapped);
  Value *All = B.CreateICmpUGE(N, B.getInt32(32));
  return result(B.CreateSelect(All, IsLeft ? Low : High, Wrapped));
}

/// bmsk.clamp.b32 d, position, width
bool PtxLowering::lowerBitMask() {
  return runtimeResult(has("wrap") ? "bmsk_wrap" : "bmsk_clamp",
                       {operand(1), operand(2)});
}

bool PtxLowering::lowerCount() {
  Value *X = operand(1);
  if (!X)
    return false;
  if (I->Opcode == "popc")
    return result(B.CreateUnaryIntrinsic(Intrinsic::ctpop, X));
  if (I->Opcode == "brev")
    return result(B.CreateUnaryIntrinsic(Intrinsic::bitreverse, X));
  if (I->Opcode == "clz")
    return result(B.CreateBinaryIntrinsic(Intrinsic::ctlz, X, B.getFalse()));
  Value *Position =
      callRuntime(B,
                  IntrinsicPrefix + (Type.isSigned() ? "bfind_s" : "bfind_u") +
                      Twine(Type.Bits),
                  {X});
  if (!Position || !has("shiftamt"))
    return result(Position);
  Value *None = B.CreateICmpEQ(Position, B.getInt32(-1));
  return result(B.CreateSelect(
      None, Position, B.CreateSub(B.getInt32(Type.Bits - 1), Position)));
}

bool PtxLowering::lowerBitField() {
  bool IsInsert = I->Opcode == "bfi";
  llvm::Type *Word = B.getInt32Ty();
  std::string Name = I->Opcode + "_" +
                     (IsInsert          ? "b"
                      : Type.isSigned() ? "s"
                                        : "u") +
                     std::to_string(Type.Bits);
  if (IsInsert)
    return runtimeResult(Name, {operand(1), operand(2), operandBits(3, Word),
                                operandBits(4, Word)});
  return runtimeResult(
      Name, {operand(1), operandBits(2, Word), operandBits(3, Word)});
}

bool PtxLowering::lowerPermute() {
  std::string Name = "prmt";
  for (const char *Mode : {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"})
    if (has(Mode))
      Name += std::string("_") + Mode;
  return runtimeResult(Name, {operand(1), operand(2), operand(3)});
}

/// Any function of three bits: the sum of the minterms in its truth table.
bool PtxLowering::lowerLop3() {
  Value *X[3] = {operand(1), operand(2), operand(3)};
  uint64_t Table;
  if (!X[0] || !X[1] || !X[2] || count() < 5 ||
      StringRef(I->Operands[4].Text).getAsInteger(0, Table)) {
    auto It =
        count() < 5 ? Registers.end() : Registers.find(I->Operands[4].Text);
    auto *C =
        It == Registers.end() ? nullptr : dyn_cast<ConstantInt>(It->second);
    if (!C || !X[0] || !X[1] || !X[2])
      return false;
    Table = C->getZExtValue();
  }
  Value *Sum = Constant::getNullValue(X[0]->getType());
  for (unsigned Term = 0; Term < 8; ++Term) {
    if (!(Table >> Term & 1))
      continue;
    Value *Minterm = Constant::getAllOnesValue(X[0]->getType());
    for (unsigned N = 0; N < 3; ++N)
      Minterm =
          B.CreateAnd(Minterm, Term >> (2 - N) & 1 ? X[N] : B.CreateNot(X[N]));
    Sum = B.CreateOr(Sum, Minterm);
  }
  return result(Sum);
}

bool PtxLowering::lowerDot() {
  llvm::Type *Word = B.getInt32Ty();
  std::string Name = std::string("i") + I->Opcode + "_" +
                     (Target.isSigned() ? "s_" : "u_") +
                     (Type.isSigned() ? "s" : "u");
  Value *X = operandBits(1, Word), *Y = operandBits(2, Word),
        *Z = operandBits(3, Word);
  if (I->Opcode == "dp4a")
    return runtimeResult(Name, {X, Y, Z});
  return runtimeResult(Name, {X, Y, B.getInt32(has("hi")), Z});
}

bool PtxLowering::lowerSad() {
  if (Type.Bits != 32)
    return false;
  return runtimeResult(Type.isSigned() ? "sad_i" : "sad_ui",
                       {operand(1), operand(2), operand(3)});
}

} // namespace ct
