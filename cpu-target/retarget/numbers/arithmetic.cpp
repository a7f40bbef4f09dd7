/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where x86-64 computes differently from a GPU: integer division by zero
 * (a fault here, all ones there), shifts by more than the width, conversions
 * out of range, and multiply-adds, which the NVPTX back end fuses wherever both
 * operations allow contraction.
 */
#include "cpu-target/retarget/numbers/arithmetic.h"
#include "cpu-target/retarget/unit/linkage.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ct {

static bool mayFault(const BinaryOperator &Div) {
  auto *Divisor = dyn_cast<ConstantInt>(Div.getOperand(1));
  return !Divisor || Divisor->isZero() || Divisor->isMinusOne();
}

/// a / 0 is all ones and a % 0 is a; the most negative value / -1 is itself.
static void guardDivision(BinaryOperator &Div) {
  IRBuilder<> B(&Div);
  Type *T = Div.getType();
  Value *A = Div.getOperand(0), *D = Div.getOperand(1);
  bool IsSigned = Div.getOpcode() == Instruction::SDiv ||
                  Div.getOpcode() == Instruction::SRem;
  bool IsQuotient = Div.getOpcode() == Instruction::SDiv ||
                    Div.getOpcode() == Instruction::UDiv;
  Value *One = ConstantInt::get(T, 1);
  Value *Zero = B.CreateICmpEQ(D, ConstantInt::get(T, 0));
  Value *Unsafe = Zero, *MinusOne = nullptr;
  if (IsSigned) {
    MinusOne = B.CreateICmpEQ(D, Constant::getAllOnesValue(T));
    Unsafe = B.CreateOr(Zero, MinusOne);
  }
  Value *Safe = B.CreateBinOp(Div.getOpcode(), B.CreateFreeze(A),
                              B.CreateSelect(Unsafe, One, B.CreateFreeze(D)));
  Value *Result = Safe;
  if (IsSigned)
    Result = B.CreateSelect(
        MinusOne, IsQuotient ? B.CreateNeg(A) : Constant::getNullValue(T),
        Result);
  Result = B.CreateSelect(Zero, IsQuotient ? Constant::getAllOnesValue(T) : A,
                          Result);
  Div.replaceAllUsesWith(Result);
  Div.eraseFromParent();
}

void guardDivisions(Unit &U) {
  for (Function &F : U.M) {
    if (F.isDeclaration() || isRuntime(F))
      continue;
    SmallVector<BinaryOperator *> Divisions;
    for (Instruction &I : instructions(F))
      if (auto *Op = dyn_cast<BinaryOperator>(&I))
        if (Op->isIntDivRem() && Op->getType()->isIntegerTy() && mayFault(*Op))
          Divisions.push_back(Op);
    for (BinaryOperator *Div : Divisions)
      guardDivision(*Div);
  }
}

/// The amount is a constant below the width.
static bool isInRange(const BinaryOperator &Shift) {
  const APInt *Amount;
  return match(Shift.getOperand(1), m_APInt(Amount)) &&
         Amount->ult(Shift.getType()->getScalarSizeInBits());
}

/// Nothing of the value is left but its sign where the amount is the width or
/// more; x86-64 would take the amount modulo the width.
static void clampShift(BinaryOperator &Shift) {
  IRBuilder<> B(&Shift);
  Type *T = Shift.getType();
  Value *Amount = Shift.getOperand(1), *Result;
  unsigned Bits = T->getScalarSizeInBits();
  if (Shift.getOpcode() == Instruction::AShr) {
    Value *Last = ConstantInt::get(T, Bits - 1);
    Result =
        B.CreateAShr(Shift.getOperand(0),
                     B.CreateBinaryIntrinsic(Intrinsic::umin, Amount, Last));
  } else {
    Value *Fits = B.CreateICmpULT(Amount, ConstantInt::get(T, Bits));
    Result = B.CreateSelect(
        Fits, B.CreateBinOp(Shift.getOpcode(), Shift.getOperand(0), Amount),
        Constant::getNullValue(T));
  }
  Shift.replaceAllUsesWith(Result);
  Shift.eraseFromParent();
}

void clampShifts(Unit &U) {
  for (Function &F : U.M) {
    if (F.isDeclaration() || isRuntime(F))
      continue;
    SmallVector<BinaryOperator *> Shifts;
    for (Instruction &I : instructions(F))
      if (auto *Op = dyn_cast<BinaryOperator>(&I))
        if (Op->isShift() && !isInRange(*Op))
          Shifts.push_back(Op);
    for (BinaryOperator *Shift : Shifts)
      clampShift(*Shift);
  }
}

Value *toInteger(IRBuilderBase &B, Value *V, Type *T, bool IsSigned) {
  unsigned Bits = T->getScalarSizeInBits();
  Value *Saturated = B.CreateIntrinsic(IsSigned ? Intrinsic::fptosi_sat
                                                : Intrinsic::fptoui_sat,
                                       {T, V->getType()}, {V});
  if (Bits < 64 && !V->getType()->getScalarType()->isDoubleTy())
    return Saturated;
  return B.CreateSelect(B.CreateFCmpUNO(V, V),
                        ConstantInt::get(T, APInt::getSignedMinValue(Bits)),
                        Saturated);
}

/// To less than 32 bits nvcc converts by way of 32.
static void saturateConversion(CastInst &Cast) {
  IRBuilder<> B(&Cast);
  Type *T = Cast.getType();
  bool IsNarrow = T->getScalarSizeInBits() < 32;
  Value *V =
      toInteger(B, Cast.getOperand(0), IsNarrow ? T->getWithNewBitWidth(32) : T,
                Cast.getOpcode() == Instruction::FPToSI);
  if (IsNarrow)
    V = B.CreateTrunc(V, T);
  Cast.replaceAllUsesWith(V);
  Cast.eraseFromParent();
}

void saturateConversions(Unit &U) {
  for (Function &F : U.M)
    if (!F.isDeclaration() && !isRuntime(F))
      for (Instruction &I : make_early_inc_range(instructions(F)))
        if (isa<FPToSIInst>(I) || isa<FPToUIInst>(I))
          saturateConversion(cast<CastInst>(I));
}

/// V is a product in Block that nothing else needs.
static BinaryOperator *fusableProduct(Value *V, const BasicBlock *Block) {
  auto *Mul = dyn_cast<BinaryOperator>(V);
  if (!Mul || Mul->getOpcode() != Instruction::FMul || !Mul->hasOneUse() ||
      !Mul->hasAllowContract() || Mul->getParent() != Block)
    return nullptr;
  return Mul;
}

static void fuse(BinaryOperator &Sum) {
  bool IsSub = Sum.getOpcode() == Instruction::FSub;
  BinaryOperator *Left = fusableProduct(Sum.getOperand(0), Sum.getParent());
  BinaryOperator *Mul =
      Left ? Left : fusableProduct(Sum.getOperand(1), Sum.getParent());
  if (!Mul)
    return;
  IRBuilder<> B(&Sum);
  Value *X = Mul->getOperand(0), *Y = Mul->getOperand(1);
  Value *Z = Sum.getOperand(Left ? 1 : 0);
  if (IsSub && Left)
    Z = B.CreateFNeg(Z);
  else if (IsSub)
    X = B.CreateFNeg(X);
  Value *Fused = B.CreateIntrinsic(Intrinsic::fma, {Sum.getType()}, {X, Y, Z});
  Sum.replaceAllUsesWith(Fused);
  Sum.eraseFromParent();
  Mul->eraseFromParent();
}

void contractMultiplyAdds(Unit &U) {
  for (Function &F : U.M) {
    if (F.isDeclaration() || isRuntime(F))
      continue;
    SmallVector<BinaryOperator *> Sums;
    for (Instruction &I : instructions(F))
      if (auto *Op = dyn_cast<BinaryOperator>(&I))
        if ((Op->getOpcode() == Instruction::FAdd ||
             Op->getOpcode() == Instruction::FSub) &&
            Op->hasAllowContract())
          Sums.push_back(Op);
    for (BinaryOperator *Sum : Sums)
      fuse(*Sum);
  }
}

} // namespace ct
